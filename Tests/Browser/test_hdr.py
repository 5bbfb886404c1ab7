"""HDR photos on the page: labelled, cropped by the server with their gain maps, and shown by the browser."""

import base64
import json
import pathlib
import sys

import numpy
import pytest
from albums import first_photo
from conftest import TOKEN, serving
from editor import crop, open_photo, settle, wait_for_preview, wait_until
from test_lossless import SHOW

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))
import gainmap  # noqa: E402


@pytest.fixture(scope="module")
def photo():
    """416 × 320 pixels with a map of a quarter of that."""
    base, light = gainmap.scene(416, 320, 3)
    return gainmap.photo(base, gainmap.shrunk(light, 104, 80))


#: Headless Chromium has no HDR screen, so the media query is overridden.
HDR_SCREEN = """
  const ask = window.matchMedia.bind(window);
  window.matchMedia = (query) => query === '(dynamic-range: high)' ? { matches: true } : ask(query);"""


def say(page, text):
    page.get_by_text(text, exact=True).wait_for()


def test_the_page_labels_hdr_and_reports_the_outcome(open_page, photo):
    page = open_page()
    open_photo(page, photo, name="photo.jpg", style=None)
    say(page, "416 × 320 · JPEG · HDR")
    data, _ = crop(page)
    say(page, "HDR kept")
    assert gainmap.Read(data).light.shape == (80, 104)
    page.get_by_role("button", name="Keep editing").first.click()
    page.get_by_role("button", name="PNG", exact=True).click()
    crop(page)
    say(page, "HDR is lost in PNG")


DRAW = """async (data) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }));
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, canvas.width, canvas.height);
  return [canvas.width, canvas.height, [...pixels]];
}"""


def test_chromium_draws_the_server_s_crop_and_the_header_reports_the_map(open_page, server, photo):
    page = open_page()
    recipe = {"version": 1, "rect": {"x": 64, "y": 64, "width": 128, "height": 96}}
    answer = page.request.post(
        f"{server}/api/crop", params={"recipe": json.dumps(recipe), "name": "photo.jpg"}, data=photo,
        headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.ok, answer.text()
    assert answer.headers["cropkit-gain-map"] == "cut"
    read = gainmap.Read(answer.body())
    assert read.light.shape == (24, 32)
    width, height, pixels = page.evaluate(DRAW, base64.b64encode(answer.body()).decode())
    drawn = numpy.array(pixels, int).reshape(height, width, 4)[..., :3]
    assert drawn.shape == read.pixels.shape and numpy.abs(drawn - read.pixels).max() <= 3


@pytest.mark.thorough
def test_a_photo_without_a_gain_map_is_not_called_hdr(open_page, photo):
    page = open_page()
    open_photo(page, photo[: gainmap.end_of(photo)], name="photo.jpg", style=None)
    crop(page)
    assert page.get_by_text("HDR").filter(visible=True).count() == 0


#: Crops of the photo: its blocks and those of its map are copied; only its own; neither.
CROPS = [{"rect": {"x": 32, "y": 64, "width": 160, "height": 128}},
         {"rect": {"x": 16, "y": 16, "width": 160, "height": 160}},
         {"rect": {"x": 83, "y": 75, "width": 120, "height": 90}, "tilt": 7, "quarterTurns": 1, "mirrored": True}]


@pytest.mark.thorough
@pytest.mark.parametrize("recipe", CROPS)
def test_without_a_server_hdr_is_kept(open_page, unserved, photo, recipe):
    page = open_page(address=unserved, service_workers="block")
    open_photo(page, photo, name="photo.jpg", style=None)
    say(page, "416 × 320 · JPEG · HDR")
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", {"version": 1} | recipe)
    data, _ = crop(page)
    say(page, "HDR kept")
    expected = gainmap.cropped(gainmap.stops(gainmap.map_of(photo), 416, 320), recipe)
    mean, most = gainmap.difference(gainmap.Read(data).stops(), expected)
    assert mean <= 0.02 and most <= 0.15


@pytest.mark.thorough
def test_without_a_server_the_page_says_that_hdr_is_lost(open_page, unserved):
    base, light = gainmap.scene(416, 320, 3)
    photo = gainmap.photo(base, gainmap.shrunk(light, 104, 80), map_progressive=True)
    page = open_page(address=unserved, service_workers="block")
    open_photo(page, photo, name="photo.jpg", style=None)
    page.evaluate("document.querySelector('crop-view').recipe = { version: 1, "
                  "rect: { x: 16, y: 16, width: 160, height: 160 } }")
    data, _ = crop(page)
    say(page, "HDR is lost: a browser can’t keep it in this crop")
    assert gainmap.end_of(data) == len(data)


# Before the worker's script: the module's calls that add a gain map stop with an error.
FAILING = """
const { instantiate } = WebAssembly;
// The module that copies JPEGs has functions with the same numbers.
let isMap = false;
addEventListener('message', ({ data }) => { isMap = Boolean(data.mapped); });
WebAssembly.instantiate = async (module, imports) => {
  const { exports } = await instantiate(module, imports);
  const call = (code) => {
    if (isMap && CODES.includes(code)) throw new WebAssembly.RuntimeError('unreachable');
    return exports.ck_call(code);
  };
  return { exports: { ...exports, ck_call: call } };
};
"""


@pytest.mark.thorough
@pytest.mark.parametrize("recipe", CROPS[1:])
def test_a_photo_is_cropped_without_its_gain_map_if_the_module_fails(open_page, unserved, photo, recipe):
    page = open_page(address=unserved, service_workers="block")
    calls = list(json.loads((pathlib.Path(__file__).parents[2] / "Web/interface.json").read_text())["extra"])
    codes = [calls.index("addMapToCopied"), calls.index("addMapToDrawn")]
    page.route("**/jpeg-worker.js", lambda route: route.fulfill(
        body=FAILING.replace("CODES", str(codes)) + route.fetch().text(), content_type="text/javascript"))
    # A file of over 1 MiB is cropped in a worker.
    open_photo(page, photo + bytes(1 << 20), name="photo.jpg", style=None)
    page.evaluate("(recipe) => { document.querySelector('crop-view').recipe = recipe; }", {"version": 1} | recipe)
    data, _ = crop(page)
    say(page, "HDR is lost: a browser can’t keep it in this crop")
    assert gainmap.end_of(data) == len(data)


ELEMENT = """async ([data, recipe, options]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const view = document.querySelector('crop-view');
  await view.load(new Blob([bytes], { type: 'image/jpeg' }));
  view.recipe = recipe;
  const blob = await view.croppedBlob(options);
  return [...new Uint8Array(await blob.arrayBuffer())];
}"""


@pytest.mark.thorough
def test_the_element_keeps_the_gain_map(open_page, unserved, photo):
    page = open_page()
    page.goto(f"{unserved}/element.html")
    wait_until(page, "customElements.get('crop-view') !== undefined")

    def made(data, recipe, **options):
        return bytes(page.evaluate(ELEMENT, [base64.b64encode(data).decode(), {"version": 1} | recipe, options]))

    for recipe in CROPS:
        assert gainmap.Read(made(photo, recipe)).light.any()
        dropped = made(photo, recipe, hdr="drop")
        assert gainmap.end_of(dropped) == len(dropped)
    small = made(photo, CROPS[2], maxSide=60)
    assert gainmap.Read(small).pixels.shape[:2] == (45, 60)
    most = len(small) - 200
    tight = made(photo, CROPS[2], maxSide=60, maxBytes=most)
    assert len(tight) <= most and gainmap.Read(tight).light.any()
    assert made(photo, {}) == photo


@pytest.mark.thorough
def test_an_hdr_screen_shows_the_file_itself(open_page, unserved, photo):
    page = open_page()
    page.add_init_script(HDR_SCREEN)
    page.goto(f"{unserved}/element.html")
    wait_until(page, "customElements.get('crop-view') !== undefined")
    page.evaluate(SHOW, base64.b64encode(photo).decode())
    settle(page)
    shown = "document.querySelector('crop-view').shadowRoot.querySelector('img.photo')"
    wait_until(page, f"!{shown}.hidden")
    assert page.evaluate(f"[{shown}.naturalWidth, {shown}.naturalHeight]") == [416, 320]
    boxes = page.evaluate("""() => [...document.querySelector('crop-view').shadowRoot
      .querySelectorAll('.photo')].map((layer) => {
        const { x, y, width, height } = layer.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      })""")
    assert len(boxes) == 2 and boxes[0] == boxes[1]
    page.evaluate(SHOW, base64.b64encode(photo[: gainmap.end_of(photo)]).decode())
    settle(page)
    assert page.evaluate(f"{shown}.hidden")


@pytest.fixture(scope="module")
def library(tmp_path_factory, photo):
    """The address of a server over a folder with the photo."""
    folder = tmp_path_factory.mktemp("library")
    pictures = folder / "Pictures"
    pictures.mkdir()
    (pictures / "photo.jpg").write_bytes(photo)
    with serving("--library", str(pictures), home=folder) as address:
        yield address


@pytest.mark.thorough
def test_an_hdr_screen_shows_a_photo_of_the_library_in_hdr(open_page, library):
    page = open_page(address=library, service_workers="block")
    page.add_init_script(HDR_SCREEN)
    page.reload()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    first_photo(page).click()
    wait_for_preview(page)
    shown = "document.querySelector('crop-view').shadowRoot.querySelector('img.photo')"
    wait_until(page, f"!{shown}.hidden && {shown}.naturalWidth === 416")
    (preview,) = [url for url in asked if "/preview?" in url]
    assert "hdr=keep" in preview
    assert not any("hdr" in url for url in asked if "/thumbnail?" in url)
    bright, plain = (page.request.get(url) for url in (preview, preview.replace("&hdr=keep", "")))
    assert gainmap.Read(bright.body()).pixels.shape == (320, 416, 3)
    assert gainmap.end_of(plain.body()) == len(plain.body())
    assert bright.headers["etag"] != plain.headers["etag"]
    unchanged = page.request.get(preview, headers={"If-None-Match": bright.headers["etag"]})
    assert unchanged.status == 304
    assert page.request.get(preview, headers={"If-None-Match": plain.headers["etag"]}).status == 200


@pytest.mark.thorough
def test_other_screens_get_no_gain_map(open_page, library):
    page = open_page(address=library, service_workers="block")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    first_photo(page).click()
    wait_for_preview(page)
    assert not any("hdr" in url for url in asked if "/preview?" in url)
    assert page.evaluate(
        "document.querySelector('crop-view').shadowRoot.querySelector('img.photo').hidden")
