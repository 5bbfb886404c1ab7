"""The packed element opens images from everything that a page may have, and every error has a code."""

import pytest
from editor import wait_until
from packed import READY, VIEW

#: Expressions for the same 600 × 400 PNG, and how the results' type is known.
SOURCES = [
    "new URL('photo.png', document.baseURI)",
    "(await fetch('photo.png')).blob()",
    "(await fetch('photo.png')).arrayBuffer()",
    "new Uint8Array(await (await fetch('photo.png')).arrayBuffer())",
    "new DataView(await (await fetch('photo.png')).arrayBuffer())",
    "fetch('photo.png')",
    "new Response(await (await fetch('photo.png')).arrayBuffer())",
    "Object.assign(document.createElement('canvas'), {width: 600, height: 400})",
    "drawn(document.createElement('canvas'))",
    "drawn(new OffscreenCanvas(1, 1))",
    "createImageBitmap(await (await fetch('photo.png')).blob())",
]

DRAWN = """const drawn = async (canvas) => {
  const image = await createImageBitmap(await (await fetch('photo.png')).blob());
  Object.assign(canvas, {width: image.width, height: image.height});
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas;
};"""


@pytest.mark.parametrize("source", SOURCES)
def test_it_opens_bytes_pixels_and_responses(show, source):
    page = show("<crop-view></crop-view>", ready="Boolean(customElements.get('crop-view'))")
    found = page.evaluate(f"""async () => {{
      {DRAWN}
      const view = {VIEW};
      await view.load(await ({source}));
      const part = {{x: 100, y: 50, width: 20, height: 10}};
      view.recipe = {{rect: part}};
      const pixels = (await view.croppedCanvas()).getContext('2d').getImageData(0, 0, 20, 10).data;
      const image = await createImageBitmap(await (await fetch('photo.png')).blob());
      const canvas = new OffscreenCanvas(20, 10);
      canvas.getContext('2d').drawImage(image, -100, -50);
      const wanted = canvas.getContext('2d').getImageData(0, 0, 20, 10).data;
      return [view.pictureSize, (await view.croppedBlob()).type, pixels.every((value, at) => value === wanted[at])];
    }}""")
    assert found[:2] == [{"width": 600, "height": 400}, "image/png"]
    assert found[2] == (not source.startswith("Object.assign"))


@pytest.mark.parametrize("type", ["image/jpeg", "image/webp", "image/png"])
def test_bytes_without_a_type_keep_their_format(show, type):
    page = show("<crop-view></crop-view>", ready="Boolean(customElements.get('crop-view'))")
    assert page.evaluate(f"""async () => {{
      const canvas = new OffscreenCanvas(64, 48);
      canvas.getContext('2d').fillRect(3, 3, 20, 20);
      const bytes = await (await canvas.convertToBlob({{type: '{type}'}})).arrayBuffer();
      await {VIEW}.load(new Uint8Array(bytes));
      return (await {VIEW}.croppedBlob()).type;
    }}""") == type


def test_an_image_of_another_window_is_opened(show):
    page = show('<iframe srcdoc="<p>"></iframe><crop-view></crop-view>',
                ready="Boolean(customElements.get('crop-view'))")
    wait_until(page, "Boolean(frames[0].document.querySelector('p'))")
    assert page.evaluate(f"""async () => {{
      const bytes = new frames[0].Uint8Array(await (await fetch('photo.png')).arrayBuffer());
      await {VIEW}.load(new frames[0].Blob([bytes]));
      await {VIEW}.load(bytes);
      return {VIEW}.pictureSize.width;
    }}""") == 600


@pytest.mark.parametrize("source, code, text", [
    ("5", "bad-source", "load takes an address, a Blob, an ArrayBuffer"),
    ("null", "bad-source", "not null"),
    ("{}", "bad-source", "not [object Object]"),
    ("new Image()", "bad-source", "not [object HTMLImageElement]"),
    ("new OffscreenCanvas(0, 0)", "bad-source", "pixels"),
    ("Object.assign(document.createElement('canvas'), {width: 0})", "bad-source", "no pixels"),
    ("closed()", "bad-source", "pixels"),
    ("read()", "bad-source", "has been read already"),
    ("new Response('', {status: 404})", "unreachable", "404"),
    ("Response.error()", "unreachable", "the image"),
    ("new Response('<p>', {headers: {'content-type': 'text/html'}})", "unsupported-format", "show"),
    ("new Uint8Array(9)", "unsupported-format", "show"),
    ("new ArrayBuffer(0)", "unsupported-format", "show"),
])
def test_an_invalid_source_has_a_code(show, source, code, text):
    page = show("<crop-view></crop-view>", ready="Boolean(customElements.get('crop-view'))")
    found = page.evaluate(f"""async () => {{
      const closed = async () => {{
        const bitmap = await createImageBitmap(new ImageData(2, 2));
        bitmap.close();
        return bitmap;
      }};
      const read = async () => {{
        const response = await fetch('photo.png');
        await response.text();
        return response;
      }};
      const view = {VIEW};
      const events = [];
      view.addEventListener('error', ({{code, error}}) => events.push([code, error.name]));
      const error = await view.load(await ({source})).then(() => null, (error) => error);
      return [error.name, error.code, error.message, events];
    }}""")
    assert found[:2] == ["CropError", code] and text in found[2]
    assert found[3] == [[code, "CropError"]]


def test_an_error_of_the_platform_has_a_code_and_its_cause(show):
    page = show('<crop-view src="photo.png"></crop-view>')
    found = page.evaluate(f"""async () => {{
      const view = {VIEW};
      const told = (work) => work().then(() => null, ({{name, code, cause}}) => [name, code, cause?.name]);
      const {{getContext}} = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = () => {{ throw new DOMException('lost', 'InvalidStateError'); }};
      const failed = await told(() => view.croppedBlob());
      HTMLCanvasElement.prototype.getContext = getContext;
      const aborted = await told(() => view.croppedBlob({{signal: AbortSignal.abort()}}));
      globalThis.createImageBitmap = () => Promise.reject(new DOMException('broken', 'InvalidStateError'));
      return [failed, aborted?.[0], await told(() => view.croppedBlob())];
    }}""")
    assert found == [["CropError", "failed", "InvalidStateError"], "AbortError",
                     ["CropError", "no-decoding", "InvalidStateError"]]


def test_an_opened_canvas_may_change_afterwards(show):
    page = show("<crop-view></crop-view>", ready="Boolean(customElements.get('crop-view'))")
    page.evaluate(f"""() => {{
      const canvas = Object.assign(document.createElement('canvas'), {{width: 8, height: 8}});
      const ctx = canvas.getContext('2d');
      ctx.fillStyle = 'red';
      ctx.fillRect(0, 0, 8, 8);
      void {VIEW}.load(canvas);
      ctx.clearRect(0, 0, 8, 8);
    }}""")
    wait_until(page, READY)
    assert page.evaluate(f"""{VIEW}.croppedCanvas().then((canvas) =>
      [...canvas.getContext('2d').getImageData(4, 4, 1, 1).data])""") == [255, 0, 0, 255]
