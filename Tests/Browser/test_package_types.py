"""The packed element's types: what strict compilers accept and reject."""

import json
import pathlib
import shutil
import subprocess

import packed
import pytest

OPTIONS = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"]
RESOLUTIONS = {"node": ["--module", "es2022", "--moduleResolution", "node"],
               "node16": ["--module", "node16", "--moduleResolution", "node16"]}
REACT_TYPES = pathlib.Path("/usr/share/nodejs/@types/react")

CONSUMER = """
import { CropError, CropPreview, CropView, locate, registerCropView } from 'crop-view';
import type { CropErrorEvent, CutOptions, ErrorCode, PhotoSource, Recipe, RecipeInput, State } from 'crop-view';

locate({ core: '/assets/cropcore.wasm' });
registerCropView('my-crop');
const view: CropView = document.createElement('crop-view');
view.src = 'photo.jpg';
view.cropStyle = 'viewfinder';
view.aspectRatio = '16:9';
view.aspectRatio = 'square';
view.aspectRatio = 16 / 9;
view.shape = 'rounded:24';
view.minSize = '200x100';
view.margin = 5;
view.valueType = 'file';
view.maxSide = 256;
view.maxBytes = '200000';
view.quality = 0.8;
view.type = 'image/webp';
view.setCustomValidity('Not this one.');
const sources: PhotoSource[] = [new URL('https://example.org/a.jpg'), new Blob(), new Uint8Array(4), new ArrayBuffer(4),
  new Response(), document.createElement('canvas'), { convertToBlob: async () => new Blob() }];
void view.load(sources[0]);
const preview: CropPreview = document.createElement('crop-preview');
preview.htmlFor = view.id;
view.canvas = '1080x1080';
view.canvasMargin = '5%';
view.canvasPlace = 'southeast';
view.canvasFill = 'blur';
view.canvasOptions = { canvas: '1:1', margin: 40, fill: '#fff' };
void view.croppedCanvas({ canvas: '4:5', place: 'north' });
view.recipe = { rect: { x: 100, y: 50, width: 800, height: 600 } };
view.recipe = { tilt: 3, shape: { roundedRectangle: 8 }, output: { maxSide: 800 } };
view.recipe = null;
view.phrases = { saidUndone: 'Ongedaan gemaakt' };
view.command('zoomBy', 1.1);
view.addEventListener('change', function () {
  const recipe: Recipe | null = this.recipe;
  console.log(recipe?.rect?.width.toFixed(), view.value.length, view.recipe?.to('imgproxy'));
  view.recipe = recipe;
});
view.addEventListener('beforecrop', (event) => {
  if (event.detail.recipe.tilt > 3) event.preventDefault();
});
view.addEventListener('error', (event) => {
  const reported: CropErrorEvent = event;
  const code: ErrorCode = event.code;
  console.log(reported.error.message, code);
});
view.addEventListener('pointerdown', (event) => console.log(event.pointerId));
document.addEventListener('croprequest', (event) => console.log(event.detail));
const state: State | null = view.state;
const options: CutOptions = { maxBytes: 200_000, quality: 0.8, strip: 'location', type: 'image/webp' };
export const part: RecipeInput = { quarterTurns: 1 };
export async function save(): Promise<File | null> {
  try {
    const blob: Blob | null = await view.croppedBlob(options);
    return blob && new File([blob], `crop${state?.zoom}.jpg`);
  } catch (error) {
    if (error instanceof CropError && error.code === 'too-many-bytes') console.log(error.bytes);
    throw error;
  }
}
"""

WRONG = [
    "view.turn(3);", "view.cropStyle = 5;", "view.cropStyle = 'loose';", "view.aspectRatio = 'wide';",
    "view.shape = 'star';", "view.canvas = 'square';", "view.canvasPlace = 'middle';", "view.canvasOptions = { color: 'red' };",
    "view.croppedBlob({ place: 'middle' });", "view.lay(null);", "view.minSize = 'large';", "view.valueType = 'blob';", "view.croppedBlob({ qualty: 1 });",
    "view.croppedBlob({ type: 'image/avif' });", "view.nothing;", "view.recipe?.to('photoshop');",
    "view.recipe = { rekt: 1 };", "view.recipe = { rect: { x: 1 } };", "view.phrases = { nothing: '' };",
    "view.command('nothing');", "view.valid = true;", "view.load('a.jpg', {});",
    "view.addEventListener('error', (event) => event.nothing);", "view.load(5);", "view.load({ width: 5 });",
    "view.type = 'image/gif';", "preview.htmlFor = 5;", "preview.nothing;",
    *(f"view.{name};" for name in ("core", "picture", "stage", "surface", "keyboard", "accessible", "input", "internals",
                                   "status", "anchor", "validate", "restart", "apply", "refine", "tell", "fail", "phrase", "fileName")),
]

REACT = """
import { createElement, useRef } from 'react';
import type { CropView } from 'crop-view';
import type {} from 'crop-view/react';

export function Cropper({ src }: { src: string }) {
  const view = useRef<CropView>(null);
  return <label>
    <crop-view ref={view} src={src} aspect-ratio="4:3" crop-style="viewfinder" min-size="200x100" canvas="1:1" canvas-margin="5%" canvas-fill="edge" required
      max-side={256} max-bytes="20000" type="image/webp" quality={0.8}
      class="photo" style={{ blockSize: 300 }} aria-label="Photo" key="photo" onClick={() => view.current?.reset()}
      onbeforecrop={(event) => event.detail.recipe} />
    <crop-view id="view" src={src} aspect-ratio={16 / 9} />
    <crop-preview for="view" class="small" aria-label="Result" />
  </label>;
}
export const made = createElement('crop-view', { src: 'photo.jpg', 'aspect-ratio': '4:3' });
"""

#: The types of React 19 and Vue 3 that the declarations use.
REACT_19 = """
export = React;
declare namespace React {
  type Ref<T> = { current: T | null } | null;
  interface ClassAttributes<T> { key?: string | undefined; ref?: Ref<T> | undefined }
  interface HTMLAttributes<T> {
    onClick?: ((event: { currentTarget: T }) => void) | undefined; style?: { blockSize?: number } | undefined;
    className?: string | undefined; id?: string | undefined; 'aria-label'?: string | undefined;
    children?: unknown;
  }
  function useRef<T>(value: null): { current: T | null };
  function createElement(name: string, props: object): object;
  namespace JSX {
    interface IntrinsicElements { label: HTMLAttributes<HTMLLabelElement> }
    interface ElementChildrenAttribute { children: {} }
  }
}
"""
JSX_RUNTIME = """
import * as React from './index.js';
export namespace JSX {
  interface IntrinsicElements extends React.JSX.IntrinsicElements {}
  interface ElementChildrenAttribute extends React.JSX.ElementChildrenAttribute {}
}
"""
VUE_3 = """
export interface HTMLAttributes { class?: unknown; style?: unknown; onError?: (event: Event) => void; onClick?: (event: MouseEvent) => void }
export interface GlobalComponents {}
"""
VUE = """
import type { GlobalComponents } from 'vue';
import type { CropPreviewProps, CropViewProps } from 'crop-view/vue';
type Props = InstanceType<GlobalComponents['crop-view']>['$props'];
export const props: Props = {
  src: 'photo.jpg', 'aspect-ratio': 16 / 9, class: 'photo', recipe: { rect: { x: 1, y: 2, width: 3, height: 4 } },
  onChange: (event) => event.detail, onError: (event) => event.code, onBeforecrop: (event) => event.detail.options,
};
export const same: CropViewProps = props;
export const small: CropPreviewProps & InstanceType<GlobalComponents['crop-preview']>['$props'] = { for: 'view', class: 'small' };
"""


@pytest.fixture
def compile(package):
    folder = package.parents[1]
    (folder / "package.json").write_text('{"type": "module"}')

    def compile(name, text, resolution="node", more=()):
        (folder / name).write_text(text)
        done = subprocess.run(["tsc", *OPTIONS, *RESOLUTIONS[resolution], *more, name],
                              cwd=folder, capture_output=True, text=True)
        return done.stdout

    return compile


@pytest.fixture
def types(package):
    """Puts a module's types next to the package."""
    laid = []

    def types(name, text):
        folder = package.parents[1] / "node_modules" / name
        laid.append(folder)
        if isinstance(text, pathlib.Path):
            shutil.copytree(text, folder)
            return
        folder.mkdir()
        (folder / "index.d.ts").write_text(text)
        if "namespace JSX" in text:
            (folder / "jsx-runtime.d.ts").write_text(JSX_RUNTIME)
        exports = {".": {"types": "./index.d.ts"}, "./jsx-runtime": {"types": "./jsx-runtime.d.ts"}}
        (folder / "package.json").write_text(json.dumps(
            {"name": name, "version": "1.0.0", "types": "index.d.ts", "exports": exports}))

    yield types
    for folder in laid:
        shutil.rmtree(folder)


@pytest.mark.thorough
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_a_strict_compiler_accepts_valid_code(compile, resolution):
    assert compile("consumer.ts", CONSUMER, resolution) == ""


@pytest.mark.thorough
def test_a_strict_compiler_rejects_invalid_code(compile):
    """In one file: the compiler must report each of these lines."""
    said = compile("wrong.ts", CONSUMER + "\n".join(WRONG))
    first = CONSUMER.count("\n") + 1
    let = [wrong for number, wrong in enumerate(WRONG, first) if f"wrong.ts({number}," not in said]
    assert let == []
    assert said.count("wrong.ts(") == len(WRONG), said


@pytest.mark.thorough
@pytest.mark.skipif(not REACT_TYPES.exists(), reason="needs the package node-react")
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_it_is_an_element_of_react_18(compile, types, resolution):
    types("@types/react", REACT_TYPES)
    # React's declarations need packages that Debian does not have.
    options = ["--jsx", "react-jsx", "--skipLibCheck"]
    text = REACT.replace("crop-view/react", "crop-view/react-18")
    assert compile("react18.tsx", text, resolution, options) == ""
    assert "loose" in compile("wrong18.tsx", text.replace('"viewfinder"', '"loose"'), resolution, options)


@pytest.mark.thorough
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_it_is_an_element_of_react_19(compile, types, resolution):
    types("react", REACT_19)
    assert compile("react19.tsx", REACT, resolution, ["--jsx", "react-jsx"]) == ""
    assert "loose" in compile("wrong19.tsx", REACT.replace('"viewfinder"', '"loose"'), resolution, ["--jsx", "react-jsx"])


@pytest.mark.thorough
@pytest.mark.parametrize("resolution", RESOLUTIONS)
def test_it_is_a_component_of_vue(compile, types, resolution):
    types("vue", VUE_3)
    assert compile("vue.ts", VUE, resolution) == ""
    assert "wide" in compile("wrong-vue.ts", VUE.replace("16 / 9", "'wide'"), resolution)


@pytest.mark.thorough
def test_the_types_match_the_element(package, compile):
    """Methods and read-only properties, compared with the compiler's declarations of the sources."""
    done = subprocess.run(["tsc", "-p", packed.ROOT / "Web/Package", "--outDir", package.parents[1] / "sources"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    names = [one["name"] for one in packed.description(package)["members"]
             if one.get("privacy") != "protected" and (one["kind"] == "method" or one.get("readonly"))]
    union = " | ".join(f"'{name}'" for name in names)
    text = f"""
import type {{ CropView as Made }} from './sources/index.js';
import type {{ CropView }} from 'crop-view';
declare const made: Made;
declare const said: CropView;
export const first: Pick<CropView, {union}> = made;
export const second: Pick<Made, {union}> = said;
"""
    assert compile("same.ts", text, more=["--skipLibCheck"]) == ""
