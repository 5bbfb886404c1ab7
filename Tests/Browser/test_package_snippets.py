"""The code samples in the package's README and on the site, compiled with the package's types."""

import re
import subprocess

import packed
import pytest
from editor import wait_until
from test_package_types import REACT_TYPES, types

__all__ = ["types"]
SITE = sorted((packed.ROOT / "docs/web").glob("*.md"))
#: Declares the names that snippets use without defining them.
GIVEN = """
import { locate, registerCropView } from 'crop-view';
import type { CropView, ExporterName, RecipeInput } from 'crop-view';
declare let view: CropView, recipe: RecipeInput, file: File, url: string, factor: number, name: ExporterName,
  slider: HTMLInputElement, maxSide: number, x: number, y: number, width: number, height: number, text: string,
  core: string, jpeg: string, extra: string, worker: string;
"""
LOOSE = ["--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node",
         "--lib", "es2022,dom,dom.iterable", "--skipLibCheck"]


def compiled(folder, *arguments):
    done = subprocess.run(["tsc", *LOOSE, *arguments], cwd=folder, capture_output=True, text=True)
    return done.stdout


def spans():
    """Inline code that uses the element."""
    texts = [(packed.ROOT / "Web/Package/README.md").read_text()]
    found = []
    for path in SITE:
        # Without blocks and generated tables.
        text = re.sub(r"^<!-- generated: .*?^<!-- end -->$", "", path.read_text(), flags=re.M | re.S)
        texts.append(re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))
    for text in texts:
        found += re.findall(r"(?<!`)`([^`\n]+)`", text)
    known = re.compile(r"(await )?view\.\w|import .*'|(croppedBlob|locate|registerCropView)\(")
    return sorted({one for one in found if known.match(one)})


def blocks(text):
    """Its indented blocks, without the indentation."""
    return [re.sub(r"^    ", "", one, flags=re.M).strip("\n") for one in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M)]


def test_code_in_the_text_compiles(package):
    folder = package.parents[1]
    found = spans()
    assert len(found) > 25
    lines = [one if one.startswith("import ") else
             "(async () => { " + re.sub(r"^croppedBlob", "view.croppedBlob", one) + "; });" for one in found]
    # Those for React and Vue need their types, which test_package_types.py puts next to them.
    lines = [one for one in lines if not re.match(r"import .*'(vue|crop-view/(react|react-18|vue))'", one)]
    (folder / "spans.ts").write_text(GIVEN + "\n".join(lines))
    assert compiled(folder, "spans.ts") == ""


def test_pages_in_the_readme_compile_and_use_existing_attributes(package, show):
    text = (packed.ROOT / "Web/Package/README.md").read_text()
    pages = [one for one in blocks(text) if one.startswith("<")]
    assert len(pages) == 5
    known = {one["name"] for one in packed.description(package)["attributes"]} | {"id", "style"}
    folder = package.parents[1]
    (folder / "given.d.ts").write_text("import 'crop-view';\n")
    for page in pages:
        for element in re.findall(r"<crop-view ([^>]+)>", page):
            assert set(re.findall(r"([\w-]+)(?:=\"[^\"]*\")?", re.sub(r'"[^"]*"', '""', element))) - {""} <= known
        for number, script in enumerate(re.findall(r"<script>(.*?)</script>", page, re.S)):
            (folder / f"page{number}.js").write_text(script)
            assert compiled(folder, "--allowJs", "--checkJs", "given.d.ts", f"page{number}.js") == ""


@pytest.mark.thorough
@pytest.mark.skipif(not REACT_TYPES.exists(), reason="needs the package node-react")
def test_the_component_in_the_readme_compiles(package, types):
    types("@types/react", REACT_TYPES)
    text = (packed.ROOT / "Web/Package/README.md").read_text()
    [component] = [one for one in blocks(text) if "useRef" in one]
    folder = package.parents[1]
    (folder / "component.jsx").write_text(
        "import { useEffect, useRef } from 'react';\nimport 'crop-view/react-18';\n"
        "/** @param {{ address: string, onRecipe(recipe: object): void }} given */\n"
        f"export function Component({{ address, onRecipe }}) {{\n{component}\n}}\n")
    assert compiled(folder, "--allowJs", "--checkJs", "--jsx", "react-jsx", "component.jsx") == ""


@pytest.mark.thorough
def test_examples_match_the_types(package):
    """They run in test_site.py; here the compiler checks how they use the element."""
    folder = package.parents[1]
    examples = folder / "examples"
    examples.mkdir(exist_ok=True)
    (examples / "given.d.ts").write_text("import 'crop-view';\n")
    names = []
    for path in sorted((packed.ROOT / "Examples/web").glob("*.js")):
        if path.stem in ("react", "vue"):
            continue
        (examples / path.name).write_text(path.read_text() + "export {};\n")
        names.append(f"examples/{path.name}")
    said = compiled(folder, "--allowJs", "--checkJs", "examples/given.d.ts", *names)
    # For a selector other than a tag's name, the compiler only has an Element.
    wrong = [line for line in said.splitlines() if not re.search(r"on type '(Element|EventTarget)'|^ ", line)]
    assert wrong == []


def test_the_page_of_the_quick_start_crops(package, show):
    text = (packed.ROOT / "docs/web/quick-start.md").read_text()
    [example] = re.findall(r"^```html\n<script [^\n]*\n(.*?)^```", text, re.M | re.S)
    page = show(example)
    page.evaluate("window.open = (address) => { window.opened = address; }")
    page.get_by_role("button", name="Crop").click()
    wait_until(page, "window.opened?.startsWith('blob:')")
