"""The packed element: guides over the crop, and the result on the clipboard."""

import io
import shutil
import subprocess

import pytest
from editor import wait_until
from marionette import FIREFOX, Firefox
from packed import HTML, VIEW
from PIL import Image
from test_package_looks import DRAWN, READY
from webdriver import CONTROL

BODY = '<style>crop-view {{ --ck-guide: rgb(200 0 0) }}</style><crop-view src="photo.png" {more}></crop-view>'
#: The marks of the shown scene: their lines, areas and texts.
SCENE = f"""(() => {{
  const scene = {VIEW}.core.scene();
  const of = (kind) => scene.filter((item) => item.kind === kind);
  return {{ lines: of('line').filter(({{ role }}) => role === 7).length, areas: of('guideArea').length,
    notes: of('note').map(({{ label }}) => label) }};
}})()"""


@pytest.fixture
def opened(show):
    def opened(more="", **options):
        return show(BODY.format(more=more), ready=READY, device_scale_factor=1, expects=("willReadFrequently", "is not understood"), **options)
    return opened


def shows(page, areas, lines):
    wait_until(page, f"JSON.stringify([{SCENE}.areas, {SCENE}.lines]) === '[{areas},{lines}]'")


def red(page):
    """The number of pixels of the guide's lines, and of those in its areas."""
    page.evaluate(DRAWN)
    return page.evaluate(f"""() => {{
      const {{ width, height }} = {VIEW}.stage.canvas;
      const {{ data }} = {VIEW}.stage.canvas.getContext('2d').getImageData(0, 0, width, height);
      let [lines, areas] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {{
        const [red, green, blue, opacity] = data.slice(at, at + 4);
        if (red < 180 || green > 20 || blue > 20) continue;
        if (opacity === 255) lines += 1;
        else if (opacity < 128) areas += 1;
      }}
      return [lines, areas];
    }}""")


def test_guides_are_drawn_over_the_crop_and_change_no_pixel(opened):
    page = opened('aspect-ratio="1:1"')
    assert red(page) == [0, 0]
    plain = page.evaluate(f"{VIEW}.croppedBlob({{ type: 'image/png' }}).then((blob) => blob.text())")
    assert page.evaluate("performance.getEntriesByType('resource').every(({name}) => !name.includes('guide'))")
    page.evaluate(f"{VIEW}.guides = 'passport-us'")
    # Three areas with two lines each, an oval of 64 and the line in the middle.
    shows(page, 3, 6 + 64 + 1)
    assert page.evaluate(f"{SCENE}.notes") == [1, 2, 3]
    lines, areas = red(page)
    assert lines > 1000 and areas > 5000
    assert page.evaluate(f"{VIEW}.croppedBlob({{ type: 'image/png' }}).then((blob) => blob.text())") == plain
    assert page.evaluate(f"{VIEW}.canUndo") is False
    page.evaluate(f"{VIEW}.guides = 'diagonals trim:5%'")
    shows(page, 0, 2 + 8)
    page.evaluate(f"{VIEW}.removeAttribute('guides')")
    shows(page, 0, 0)
    assert red(page) == [0, 0]


def test_a_guide_in_the_markup_is_shown_with_every_image(opened):
    page = opened('guides="instagram-story"')
    shows(page, 2, 2)
    page.evaluate(f"{VIEW}.load('photo.jpg')")
    wait_until(page, f"{VIEW}.complete && {VIEW}.state?.isJPEG")
    shows(page, 2, 2)


def test_unknown_guides_are_reported_and_leave_none(opened):
    page = opened('guides="passport"')
    shows(page, 2, 4 + 64 + 1)
    page.evaluate(f"{VIEW}.addEventListener('error', ({{ error }}) => {{ globalThis.failed = error.message; }})")
    for wrong in ("passport-mars", "trim:0%", "trim:25%", "trim:x", "golden thirds center passport-us passport-us passport-us"):
        with page.expect_console_message(lambda message, wrong=wrong: wrong in message.text):
            page.evaluate(f"(wrong) => {{ globalThis.failed = ''; {VIEW}.guides = wrong; }}", wrong)
        wait_until(page, "globalThis.failed !== ''")
        assert f'guides="{wrong}" is not understood' in page.evaluate("failed")
        shows(page, 0, 0)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_texts_beside_a_guide_are_in_the_page_s_language(opened, language):
    page = opened('guides="passport"', lang=language)
    shows(page, 2, 4 + 64 + 1)
    page.evaluate(DRAWN)
    wanted = {"en": "Chin", "ar": "الذقن"}[language]
    assert page.evaluate(f"{VIEW}.phrase('guideChin')") == wanted


def test_the_result_is_copied_as_a_png(opened):
    page = opened('max-side="50"')
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate(f"{VIEW}.recipe = {{ rect: {{ x: 10, y: 20, width: 100, height: 60 }} }}")
    assert page.evaluate(f"{VIEW}.copy()") is True
    read = """navigator.clipboard.read().then(async ([item]) => {
      const bitmap = await createImageBitmap(await item.getType('image/png'));
      return [item.types.join(), bitmap.width, bitmap.height];
    })"""
    assert page.evaluate(read) == ["image/png", 50, 30]
    # A listener can cancel it; then the clipboard stays as it is.
    page.evaluate(f"{VIEW}.addEventListener('beforecrop', (event) => event.preventDefault(), {{ once: true }})")
    assert page.evaluate(f"{VIEW}.copy({{ maxSide: 20 }})") is False
    assert page.evaluate(read) == ["image/png", 50, 30]
    assert page.evaluate(f"{VIEW}.copy({{ maxSide: 20 }})") is True
    assert page.evaluate(read) == ["image/png", 20, 12]
    assert "quality" in page.evaluate(f"{VIEW}.copy({{ quality: 2 }}).catch((error) => error.message)")


PASTED = f"""<button onclick="{VIEW}.copy().then((done) => {{ copied = done; }}, (error) => {{ copied = error.message; }})">
  Copy</button><p contenteditable>Text</p>
<script>
  globalThis.copied = globalThis.size = undefined;
  document.querySelector('p').addEventListener('paste', ({{ clipboardData: {{ files: [file] }} }}) =>
    createImageBitmap(file).then((bitmap) => {{ size = [file.type, bitmap.width, bitmap.height]; }}));
</script>"""


@pytest.fixture
def windowed_firefox(tmp_path):
    """A Firefox with windows: headless, its clipboard has only texts."""
    if not FIREFOX or not shutil.which("Xvfb"):
        pytest.skip("needs firefox-esr and xvfb")
    # It says the number that was free.
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-nolisten", "tcp"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    browser = None
    try:
        browser = Firefox(tmp_path, f":{screen.stdout.readline().strip()}")
        yield browser
    finally:
        if browser:
            browser.close()
        screen.terminate()
        screen.wait()


@pytest.mark.thorough
def test_the_result_is_copied_in_firefox_and_pasted(site, windowed_firefox):
    body = f'<crop-view src="photo.png" aspect-ratio="1:1"></crop-view>{PASTED}'
    script = "node_modules/crop-view/crop-view.js"
    site.pages["/page.html"] = ("text/html", HTML.format(lang="en", script=script, body=body).encode())
    browser = windowed_firefox
    browser.open(f"{site.address}/page.html")
    browser.wait(f"{VIEW}.complete && {VIEW}.valid")
    browser.click("button")
    browser.wait("copied !== undefined")
    assert browser.run("copied") is True
    browser.click("p")
    browser.press((CONTROL, "v"))
    browser.wait("size !== undefined")
    assert browser.run("size") == ["image/png", 400, 400]


def stated(page, options, source="photo.jpg", attributes=""):
    """The pixels per inch that a result states, and its size; None if it states none."""
    page.evaluate(f"{VIEW}.load({source!r})")
    wait_until(page, f"{VIEW}.complete && {VIEW}.isFileKnown")
    data = page.evaluate(f"""(options) => {VIEW}.croppedBlob(options).then((blob) => blob.arrayBuffer())
      .then((buffer) => [...new Uint8Array(buffer)])""", options)
    image = Image.open(io.BytesIO(bytes(data)))
    found = image.info.get("dpi")
    return found and tuple(round(float(number)) for number in found), image.size


@pytest.mark.thorough
def test_a_result_states_the_density_that_is_asked_for(opened, site):
    photo, exif = io.BytesIO(), Image.Exif()
    exif[0x011A] = exif[0x011B] = 240
    exif[0x0128] = 2
    Image.new("RGB", (640, 480), "teal").save(photo, "JPEG", exif=exif)
    site.pages["/printed.jpg"] = ("image/jpeg", photo.getvalue())
    page = opened()
    # Copied and encoded, from a JPEG and from a PNG.
    assert stated(page, {"dpi": 600}) == ((600, 600), (640, 480))
    assert stated(page, {"dpi": 600, "lossless": "never"}) == ((600, 600), (640, 480))
    assert stated(page, {"dpi": 600, "type": "image/jpeg"}, "photo.png") == ((600, 600), (600, 400))
    assert stated(page, {"dpi": 600}, "photo.png") == ((600, 600), (600, 400))
    # The density of the photo stays only with its pixels.
    assert stated(page, {}, "printed.jpg") == ((240, 240), (640, 480))
    assert stated(page, {"lossless": "never"}, "printed.jpg") == ((240, 240), (640, 480))
    density, size = stated(page, {"maxSide": 320}, "printed.jpg")
    assert size == (320, 240) and density in (None, (1, 1), (72, 72))
    assert "dpi takes" in page.evaluate(f"{VIEW}.croppedBlob({{ dpi: 0 }}).catch((error) => error.message)")
