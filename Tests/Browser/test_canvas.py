"""A canvas around the crop: the preview matches the result, which is the same with and without a server, and
on the command line."""

import io
import json
import re
import subprocess
import zipfile

import numpy
import pytest
from albums import first_photo, open_first, press_crop, wait_for_first
from conftest import BIN
from editor import Fingers, crop, decoded, drag, open_photo, open_targets, settle, wait_until, written
from PIL import Image
from pictures import coordinates, gradient, jpeg, png
from test_page import assert_shown

SIZE = (320, 200)
PICTURE = png(gradient(*SIZE))


def canvas(page):
    return page.evaluate("document.querySelector('main:not([hidden]) crop-view').canvasOptions")


def result_size(page):
    size = page.evaluate("document.querySelector('main:not([hidden]) crop-view').resultSize")
    return size["width"], size["height"]


def named(page, name):
    """A button; Fill and Fit are those of the current screen."""
    if name in ("Fill", "Fit"):
        return page.locator("main:not([hidden])").locator(".fill-fit, .target-fit .segments").get_by_role(
            "button", name=name, exact=True)
    return page.get_by_role("button", name=name, exact=True)


def press(page, name):
    named(page, name).click()
    settle(page)


def fit(page, **options):
    """Fits the photo, and sets its canvas with the values of the command-line options."""
    press(page, "Fit")
    page.evaluate("(options) => document.querySelector('crop-view').lay(options)", options)
    settle(page)


def pixel(page, x, y):
    """The color that is drawn over the photo at a position on the screen."""
    return page.evaluate("""([x, y]) => {
      const { canvas, ratio } = document.querySelector('main:not([hidden]) crop-view').stage;
      const box = canvas.getBoundingClientRect();
      return [...canvas.getContext('2d').getImageData((x - box.x) * ratio, (y - box.y) * ratio, 1, 1).data];
    }""", [x, y])


def frame(page):
    return page.evaluate("""(({ left, top, right, bottom }) => [left, top, right, bottom])(
      document.querySelector('main:not([hidden]) crop-view').selectionBox)""")


@pytest.mark.parametrize("viewport, way", [("desk", "mouse"), ("desk", "keyboard"), ("phone", "touch"), ("small", "touch")])
def test_the_whole_photo_is_fitted_and_the_border_is_shown(opened, keep, viewport, way):
    page = opened(viewport)
    open_photo(page, PICTURE, style="Studio")

    def do(name):
        button = named(page, name)
        if way == "mouse":
            button.click()
        elif way == "touch":
            button.scroll_into_view_if_needed()
            button.tap()
        else:
            button.focus()
            page.keyboard.press("Enter")
        settle(page)

    do("Square")
    do("Fit")
    assert canvas(page) == {"canvas": "1:1", "margin": "0", "place": "center", "fill": "#ffffff"}
    assert result_size(page) == (320, 320)
    left, top, right, bottom = frame(page)
    # White above and below, as in the result; the photo's layer is visible in between.
    assert pixel(page, left + 20, top - 12) == [255, 255, 255, 255]
    assert pixel(page, left + 20, bottom + 12) == [255, 255, 255, 255]
    assert pixel(page, left + 20, (top + bottom) / 2)[3] == 0
    do("Black")
    assert pixel(page, left + 20, top - 12) == [0, 0, 0, 255]
    do("At the top")
    left, top, right, bottom = frame(page)
    assert pixel(page, left + 20, bottom + (right - left) * 0.3) == [0, 0, 0, 255]
    do("5%")
    assert canvas(page) == {"canvas": "1:1", "margin": "5%", "place": "north", "fill": "#000000"}
    assert result_size(page) == (356, 356)
    assert_shown(page, keep, f"canvas-{viewport}-{way}-{opened.way}")
    do("Undo")
    assert canvas(page)["margin"] == "0"
    for _ in range(3):
        do("Undo")
    assert canvas(page) is None
    rect = page.evaluate("document.querySelector('crop-view').recipe.rect")
    assert rect["width"] == rect["height"] == 200
    do("Redo")
    assert canvas(page)["canvas"] == "1:1"
    do("Fill")
    assert canvas(page) is None
    rect = page.evaluate("document.querySelector('crop-view').recipe.rect")
    assert rect["width"] == rect["height"]


def test_arrow_keys_move_through_the_choices(open_page):
    page = open_page()
    open_photo(page, PICTURE, style="Studio")
    press(page, "Fit")
    page.get_by_role("button", name="White", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    settle(page)
    assert canvas(page)["fill"] == "#000000"
    page.get_by_role("button", name="In the middle", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settle(page)
    assert canvas(page)["place"] == "south"
    margin = page.get_by_role("textbox", name="Margin in pixels")
    margin.fill("12")
    margin.press("Enter")
    settle(page)
    assert canvas(page)["margin"] == "12" and result_size(page) == (344, 224)
    margin.fill("70 %")
    margin.press("Enter")
    assert page.get_by_text("percentage under 50%").is_visible()
    assert canvas(page)["margin"] == "12"


def test_fit_starts_with_a_margin_around_the_photo_s_own_shape(open_page):
    page = open_page()
    open_photo(page, PICTURE, style="Studio")
    press(page, "Fit")
    # 5% of the shorter side, which has the margin on both ends: 200 / 0.9.
    assert canvas(page) == {"margin": "5%", "place": "center", "fill": "#ffffff"}
    width, height = result_size(page)
    assert width - 320 == height - 200 > 0
    assert named(page, "Margin only").get_attribute("aria-pressed") == "true"
    assert page.locator(".laid").inner_text() == f"Result {width} × {height}"
    press(page, "Square")
    assert page.locator(".laid").inner_text() == "Result {} × {}".format(*result_size(page))
    press(page, "Fill")
    assert not page.locator(".laid").is_visible()


def test_an_exact_size_starts_with_the_current_one_and_a_tiny_one_asks(open_page):
    page = open_page()
    open_photo(page, PICTURE, style="Studio")
    press(page, "16:9")
    press(page, "Fit")
    before = result_size(page)
    # The smallest size with exactly this ratio that holds 320 × 200.
    assert before == (368, 207)
    press(page, "Custom")
    exact = page.get_by_role("checkbox", name="Exact size in pixels")
    exact.check()
    settle(page)
    assert canvas(page)["canvas"] == "368x207" and result_size(page) == before
    width, height = (page.get_by_label(f"Ratio, {side}") for side in ("width", "height"))
    assert (width.input_value(), height.input_value()) == ("368", "207")

    def type_both(first, second):
        width.fill(first)
        height.fill(second)
        height.press("Enter")

    type_both("16", "9")
    page.get_by_role("dialog").get_by_role("button", name="Use 16:9 as the ratio").click()
    settle(page)
    assert canvas(page)["canvas"] == "16:9" and not exact.is_checked()
    exact.check()
    settle(page)
    type_both("16", "9")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert canvas(page)["canvas"] == "368x207"
    type_both("32", "18")
    page.get_by_role("dialog").get_by_role("button", name="Make it 32 × 18 pixels").click()
    settle(page)
    assert result_size(page) == (32, 18)
    type_both("640", "480")
    settle(page)
    assert result_size(page) == (640, 480)
    exact.uncheck()
    settle(page)
    assert canvas(page)["canvas"] == "4:3"


@pytest.mark.thorough
def test_a_frame_by_hand_or_by_finger_keeps_its_canvas(open_page):
    for viewport in ("desk", "phone"):
        page = open_page(viewport)
        open_photo(page, png(coordinates(640, 400)), style="Studio")
        press(page, "Square")
        press(page, "Fit")
        left, top, right, bottom = frame(page)
        start, end = (right, (top + bottom) / 2), ((left + right) / 2, (top + bottom) / 2)
        if viewport == "desk":
            drag(page, start, end)
        else:
            Fingers(page).drag(start, end)
        # The frame recenters after a pause.
        wait_until(page, "document.querySelector('crop-view').recipe.rect.width < 400")
        settle(page)
        width, height = (page.evaluate("document.querySelector('crop-view').recipe.rect")[side]
                         for side in ("width", "height"))
        assert result_size(page) == (max(width, height),) * 2
        assert canvas(page)["canvas"] == "1:1"


@pytest.mark.parametrize("fill", ["#3366cc", "transparent", "edge", "blur"])
@pytest.mark.parametrize("rect, options", [
    (None, {"canvas": "1:1", "margin": "0", "place": "center"}),
    ("40,20,100,120", {"canvas": "16:9", "margin": "7%", "place": "southeast"}),
    ("40,20,100,120", {"margin": "9", "place": "center"}),
])
def test_the_page_the_server_and_the_command_line_make_the_same(opened, tmp_path, fill, rect, options):
    page = opened()
    open_photo(page, PICTURE, style="Studio")
    if rect:
        x, y, width, height = map(int, rect.split(","))
        page.evaluate("(rect) => { document.querySelector('crop-view').recipe = { version: 1, rect } }",
                      {"x": x, "y": y, "width": width, "height": height})
    fit(page, fill=fill, **options)
    found = decoded(crop(page))
    (tmp_path / "photo.png").write_bytes(PICTURE)
    words = [word for name, value in {**options, "fill": fill}.items() for word in (f"--{name}", value)]
    subprocess.run([BIN / "cropkit", "crop", tmp_path / "photo.png", *(["--rect", rect] if rect else []), *words,
                    "-o", tmp_path / "out.png"], check=True, capture_output=True)
    wanted = Image.open(tmp_path / "out.png")
    assert found.size == wanted.size
    a, b = (numpy.asarray(image.convert("RGBA")).astype(int) for image in (found, wanted))
    difference = abs(a - b)
    if fill == "blur":
        assert difference.max() <= 6 and difference.mean() < 1
    else:
        assert difference.max() == 0


@pytest.mark.parametrize("fill, name", [("#3366cc", "photo-cropped.jpg"), ("transparent", "photo-cropped.png")])
def test_a_jpeg_stays_one_unless_its_canvas_is_transparent(opened, fill, name):
    page = opened()
    open_photo(page, jpeg(gradient(*SIZE)), "photo.jpg", style="Studio")
    fit(page, canvas="400x400", fill=fill)
    assert page.locator(".made .note").inner_text() == "Re-encoded: a crop on a canvas is never lossless."
    result = crop(page)
    assert result[1] == name
    image = decoded(result)
    assert image.size == (400, 400)
    corner = image.convert("RGBA").getpixel((0, 0))
    if fill == "transparent":
        assert corner[3] == 0
    else:
        assert all(abs(have - want) <= 2 for have, want in zip(corner, (0x33, 0x66, 0xCC, 255)))
    # A smaller crop is not enlarged.
    assert abs(image.convert("RGB").getpixel((200, 200))[2] - 128) < 4


def test_an_ellipse_is_on_the_canvas_color(opened):
    page = opened()
    open_photo(page, PICTURE, style="Studio")
    press(page, "Ellipse")
    fit(page, canvas="1:1", fill="#102030")
    image = decoded(crop(page)).convert("RGBA")
    assert image.size == (320, 320)
    # The corner of the canvas and the corner of the crop.
    assert image.getpixel((0, 0)) == image.getpixel((1, 61)) == (0x10, 0x20, 0x30, 255)


def test_a_canvas_that_is_too_small_is_reported(open_page):
    page = open_page()
    open_photo(page, PICTURE, style="Studio")
    press(page, "Fit")
    page.evaluate("document.querySelector('crop-view').lay({ canvas: '20x20', margin: 10 })")
    page.get_by_text("doesn’t fit on this canvas").wait_for()
    assert page.get_by_role("button", name="Crop", exact=True).is_disabled()


def test_a_canvas_is_restored_after_a_reload(open_page):
    page = open_page()
    open_photo(page, PICTURE, style="Studio")
    fit(page, canvas="4:5", margin="5%", place="south", fill="blur")
    asked = canvas(page)
    written(page)
    page.reload()
    wait_until(page, "document.querySelector('crop-view')?.canvasOptions != null")
    assert canvas(page) == asked


def test_the_next_fitted_photo_starts_with_the_last_fill(open_page):
    page = open_page()
    open_photo(page, PICTURE, style="Studio")
    press(page, "Fit")
    press(page, "Blur")
    open_photo(page, png(coordinates(300, 100)), "other.png", style="Studio")
    assert canvas(page) is None
    press(page, "Fit")
    assert canvas(page)["fill"] == "blur"


@pytest.mark.thorough
def test_a_saved_crop_reopens_with_its_canvas(open_page, library):
    page = open_page(library=library)
    open_first(page)
    press(page, "Fit")
    press(page, "Edge color")
    press(page, "10%")
    asked = canvas(page)
    press_crop(page)
    page.get_by_role("button", name="Close photo").click()
    page.get_by_role("link", name=re.compile("^Cropped")).click()
    wait_for_first(page, library.members("cropped")[0])
    first_photo(page).click()
    page.get_by_role("button", name="Adjust").click()
    page.get_by_text("You left off here").wait_for()
    assert canvas(page) == asked


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_a_target_is_fitted_shown_and_saved_on_its_canvas(opened, keep, viewport):
    page = opened(viewport)
    open_photo(page, PICTURE, style=None)
    open_targets(page)
    page.locator(".target", has=page.locator(".name:text-is('Square')")).click()
    settle(page)
    press(page, "Fit")
    press(page, "Black")
    assert canvas(page) == {"canvas": "1:1", "margin": "0", "place": "center", "fill": "#000000"}
    tile = page.locator(".target", has=page.locator(".name:text-is('Square')"))
    assert "Fit" in tile.get_attribute("aria-label")
    seen = tile.locator("canvas").evaluate("""(canvas) => {
      const at = (x, y) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];
      const { width, height } = canvas;
      return [width === height, at(width / 2, 1), at(width / 2, height / 2)];
    }""")
    assert seen[0] and seen[1] == [0, 0, 0, 255] and abs(seen[2][2] - 128) < 4
    assert_shown(page, keep, f"canvas-formats-{viewport}-{opened.way}")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save all").click()
    with zipfile.ZipFile(waiting.value.path()) as archive:
        name = next(name for name in archive.namelist() if "square" in name)
        image = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
    assert image.size == (320, 320)
    assert image.getpixel((5, 5)) == (0, 0, 0)
    assert abs(image.getpixel((160, 160))[2] - 128) < 2
    press(page, "Undo")
    assert canvas(page)["fill"] == "#ffffff"
    press(page, "Fill")
    assert canvas(page) is None


def test_the_stored_targets_of_a_library_photo_have_their_canvases(real_library):
    page, _, _ = real_library
    open_first(page)
    open_targets(page)
    page.locator(".target", has=page.locator(".name:text-is('Square')")).click()
    settle(page)
    with page.expect_request(lambda request: request.method == "PUT" and request.url.split("?")[0].endswith("targets")) as told:
        press(page, "Fit")
    square = next(target for target in json.loads(told.value.post_data)["targets"] if target["name"] == "square")
    assert square == {"name": "square", "ratio": "1:1", "fit": "contain", "margin": "0", "place": "center", "fill": "#ffffff"}


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["ar", "de", "ja"])
@pytest.mark.parametrize("viewport", ["desk", "phone", "small"])
def test_the_choices_fit_in_every_language(open_page, keep, language, viewport):
    page = open_page(viewport, locale=language)
    open_photo(page, PICTURE, style="Studio")
    page.evaluate("document.querySelector('crop-view').command('ratio', 1, 1)")
    page.locator(".fill-fit button").last.click()
    settle(page)
    assert canvas(page)["canvas"] == "1:1"
    assert_shown(page, keep, f"canvas-{language}-{viewport}")


def test_the_element_puts_its_results_on_a_canvas(show):
    page = show('<crop-view src="photo.png" canvas="1:1" canvas-margin="10%" canvas-fill="#ff8800"></crop-view>')
    told = page.evaluate("""(async () => {
      const view = document.querySelector('crop-view');
      const corner = async (options) => {
        const canvas = await view.croppedCanvas(options);
        return [canvas.width, canvas.height, ...canvas.getContext('2d').getImageData(0, 0, 1, 1).data];
      };
      return [view.canvasOptions, view.canReset, await corner(), await corner({ canvas: '800x600', fill: 'transparent' }),
        (await corner({ margin: 0 })).slice(0, 2), (await view.croppedBlob({ canvas: '1:1', fill: 'black' })).type];
    })()""")
    assert told == [{"canvas": "1:1", "margin": "10%", "place": "center", "fill": "#ff8800"}, False,
                    [750, 750, 255, 136, 0, 255], [800, 600, 0, 0, 0, 0], [600, 400], "image/png"]
    page.evaluate("document.querySelector('crop-view').setAttribute('canvas-fill', 'blur')")
    wait_until(page, "document.querySelector('crop-view').canvasOptions.fill === 'blur'")
    page.evaluate("document.querySelector('crop-view').canvasOptions = null")
    assert page.evaluate("document.querySelector('crop-view').resultSize") == {"width": 600, "height": 400}
    page.evaluate("document.querySelector('crop-view').undo()")
    assert page.evaluate("document.querySelector('crop-view').canvasOptions.fill") == "blur"


def test_an_invalid_attribute_is_reported(show):
    page = show('<crop-view src="photo.png"></crop-view>', expects=("crop-view: canvas",))
    told = page.evaluate("""new Promise((done) => {
      const view = document.querySelector('crop-view');
      view.addEventListener('error', ({ message }) => done([message, view.canvasOptions]), { once: true });
      view.setAttribute('canvas', 'wide');
    })""")
    assert told == ['canvas: canvas takes WIDTH:HEIGHT or WIDTHxHEIGHT, such as 1:1 or 1080x1080, not "wide"', None]
