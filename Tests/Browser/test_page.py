"""The page around the element: choosing a photo, states, errors, appearance, accessibility."""

import os
import pathlib
import re

import numpy
import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import LOOKS
from editor import (
    at, crop, decoded, drag, open_photo, recipe, serve_sources, settle, still, wait_for, wait_for_photo, wait_until,
)
from pictures import coordinates, gradient, jpeg, png

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = pathlib.Path(os.environ.get("CROPKIT_IMAGES", ROOT.parent / "shared" / "images"))

needs_images = pytest.mark.skipif(not IMAGES.is_dir(), reason="no pictures; set CROPKIT_IMAGES")


def assert_accessible(page):
    # The page's first script fills it.
    wait_until(page, "!!document.querySelector('main:not([hidden])')")
    # Elements that are fading in have less contrast than later.
    wait_until(page, "document.getAnimations().every(({ playState }) => playState !== 'running')")
    found = Axe().run(page).response["violations"]
    assert not found, [(item["id"], [node["html"] for node in item["nodes"]]) for item in found]


def assert_fits(page):
    """Nothing makes the page scroll sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def assert_shown(page, keep, name):
    """The page fits and is accessible; its screenshot is stored."""
    keep(page, name)
    assert_fits(page)
    assert_accessible(page)


@pytest.mark.parametrize("viewport, scheme", LOOKS)
def test_each_screen_fits_and_is_accessible(open_page, keep, viewport, scheme):
    """Takes long: three screens are checked for accessibility."""
    page = open_page(viewport, scheme)
    page.locator("main:visible img").first.wait_for()
    still(page)
    assert_shown(page, keep, f"{viewport}-{scheme}-start")
    page.get_by_role("button", name="lake", exact=False).first.click()
    wait_for_photo(page)
    settle(page)
    still(page)
    assert_shown(page, keep, f"{viewport}-{scheme}-editor")
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("link", name="Save").wait_for()
    still(page)
    assert_shown(page, keep, f"{viewport}-{scheme}-result")


def test_no_sample_outgrows_the_others(open_page, keep):
    page = open_page()
    page.locator(".tile").nth(3).wait_for()
    for width in (390, 560, 768, 820, 900, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        keep(page, f"start-{width}")
        heights = page.evaluate("[...document.querySelectorAll('.tile img')].map((image) => image.clientHeight)")
        assert min(heights) > 80 and max(heights) < 1.8 * min(heights), (width, heights)


def test_a_sample_that_must_wait_is_not_reported_as_damaged(open_page):
    page = open_page(service_workers="block")
    sample = re.compile("/api/samples/[0-9a-f]+$")
    page.route(sample, lambda route: route.fulfill(
        status=429, content_type="application/problem+json", body='{"code": "busy", "detail": "…"}'))
    page.get_by_role("button", name="lake", exact=False).first.click()
    page.get_by_role("alert").get_by_text("Try again in a few seconds").wait_for()
    page.unroute(sample)
    page.get_by_role("button", name="lake", exact=False).first.click()
    wait_for_photo(page)


def test_a_photo_can_be_dropped_and_pasted(open_page):
    page = open_page()
    for kind in ("drop", "paste"):
        page.evaluate(
            """async ([kind, bytes]) => {
              const transfer = new DataTransfer();
              transfer.items.add(new File([new Uint8Array(bytes)], 'dropped.png', {type: 'image/png'}));
              document.dispatchEvent(kind === 'drop'
                ? new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true})
                : new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true}));
            }""",
            [kind, list(png(coordinates(300, 200)))],
        )
        wait_for_photo(page)
        assert page.evaluate("document.querySelector('crop-view').pictureSize.width") == 300
        page.get_by_role("button", name="Close").first.click()
        page.get_by_role("button", name="Open a photo").wait_for()


@pytest.mark.parametrize(
    "name, data, words",
    [
        ("notes.jpg", b"This is no picture at all.\n", "notes.jpg"),
        ("empty.jpg", b"", "empty.jpg"),
        ("head.png", png(coordinates(300, 200))[:20], "head.png"),
    ],
)
def test_a_broken_file_is_reported_and_the_page_stays_usable(open_page, keep, name, data, words):
    page = open_page()
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "image/jpeg", "buffer": data}
    )
    notice = page.get_by_role("alert").first
    notice.wait_for()
    assert words in notice.inner_text()
    keep(page, f"error-{name.split('.')[0]}")
    open_photo(page, png(coordinates(300, 200)))
    drag(page, at(page, 50, 50), at(page, 200, 150))
    assert recipe(page) is not None


def test_a_bad_file_keeps_the_result_and_a_good_one_replaces_it(open_page):
    page = open_page()
    open_photo(page, png(coordinates(300, 200)), style="Studio")
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("link", name="Save").wait_for()
    choose = page.locator("input[type=file]").first
    choose.set_input_files({"name": "bad.png", "mimeType": "image/png", "buffer": b"no picture"})
    page.locator("#result").get_by_role("alert").get_by_text("bad.png").wait_for()
    assert page.get_by_role("link", name="Save").is_visible()
    choose.set_input_files({"name": "good.png", "mimeType": "image/png", "buffer": png(coordinates(320, 200))})
    page.locator("#editor").wait_for()
    wait_until(page, "document.querySelector('crop-view').pictureSize?.width === 320")
    assert page.url.endswith("#/edit")


def test_the_result_is_announced_in_the_reader_s_digits(open_page):
    page = open_page(locale="ar-EG")
    open_photo(page, png(coordinates(300, 200)), style="Studio")
    page.locator("#editor .bar > .primary").click()
    page.locator("#result .bar > a.primary").wait_for()
    assert "٣٠٠" in page.locator("#result [role=status]").text_content()


def test_the_hint_disappears_when_it_is_followed(open_page):
    page = open_page()
    open_photo(page, png(coordinates(300, 200)))
    hint = page.get_by_text("Drag on the photo to draw a crop frame")
    hint.wait_for()
    page.mouse.move(*at(page, 50, 50))
    page.mouse.down()
    page.mouse.move(*at(page, 150, 120), steps=4)
    hint.wait_for(state="hidden")
    # A pointer at rest updates the panel's numbers, but does not show the hint.
    wait_until(page, "[...document.querySelectorAll('.fields input')].some(({value}) => value)")
    assert not hint.is_visible()
    page.mouse.up()


def test_a_truncated_photo_is_refused_when_it_is_cropped(open_page):
    page = open_page()
    whole = jpeg(gradient(640, 480))
    page.locator("input[type=file]").first.set_input_files(
        {"name": "cut.jpg", "mimeType": "image/jpeg", "buffer": whole[: len(whole) * 2 // 3]}
    )
    # Browsers show the readable part; the engine reports the damage.
    wait_until(page, """document.querySelector('[role=alert]')?.textContent
      || document.querySelector('crop-view')?.accessible.nodes.get(0)?.getBoundingClientRect().width > 0""")
    # It may be reported before Crop is clicked.
    page.evaluate("""[...document.querySelectorAll('button.primary')]
      .find((button) => button.textContent === 'Crop' && button.checkVisibility())?.click()""")
    page.get_by_role("alert").first.wait_for()
    assert "cut.jpg" in page.get_by_role("alert").first.inner_text()


@needs_images
@pytest.mark.parametrize(
    "name, shown",
    [
        ("tiff-lzw-rgb.tif", (174, 38)),
        ("heic-iphone-grid-irot3.heic", (3024, 4032)),
        ("png-exif-orientation-6.png", (100, 200)),
        ("webp-exif-orientation-6.webp", (128, 128)),
        ("camera-canon-orient6-gps.jpg", (1536, 2048)),
        ("avif-1x1.avif", (1, 1)),
        (str(ROOT / "Fuzz/Corpora/Headers/exif.jxl"), (200, 120)),
    ],
)
def test_every_kind_of_picture_is_shown_upright_and_cropped(open_page, name, shown):
    """Takes long for the HEIC, which the server decodes: twelve million pixels."""
    page = open_page()
    open_photo(page, str(IMAGES / name), style="Studio")
    size = page.evaluate("document.querySelector('crop-view').pictureSize")
    assert (size["width"], size["height"]) == shown
    _, saved = crop(page)
    assert saved.startswith(pathlib.PurePath(name).stem + "-cropped")


@needs_images
def test_a_heic_is_framed_on_its_thumbnail_while_the_server_decodes_it(open_page):
    page = open_page()
    held = []
    page.route("**/api/preview*", lambda route: held.append(route))
    page.locator("input[type=file]").first.set_input_files(str(IMAGES / "heic-iphone-grid-irot3.heic"))
    wait_for_photo(page)
    size = "(({ width, height }) => [width, height])(document.querySelector('crop-view').%s)"
    assert page.evaluate(size % "pictureSize") == [3024, 4032]
    # The thumbnail has 240 × 320 pixels, enlarged to the view.
    assert page.evaluate("document.querySelector('crop-view').picture.blob.size") < 50_000
    wait_for(page, lambda: held)
    frame = {"version": 1, "rect": {"x": 300, "y": 600, "width": 1200, "height": 900}}
    page.evaluate("(frame) => { document.querySelector('crop-view').recipe = frame; }", frame)
    held[0].continue_()
    wait_until(page, "document.querySelector('crop-view').picture.blob.size > 50_000")
    assert recipe(page)["rect"] == frame["rect"]


@pytest.mark.thorough
@needs_images
def test_the_result_of_a_heic_is_shown_before_its_own_pixels_are_decoded(open_page):
    page = open_page()
    open_photo(page, str(IMAGES / "heic-iphone-grid-irot3.heic"), style="Studio")
    wait_until(page, "document.querySelector('crop-view').picture.blob.size > 50_000")
    frame = {"version": 1, "rect": {"x": 300, "y": 600, "width": 400, "height": 300}}
    page.evaluate("(frame) => { document.querySelector('crop-view').recipe = frame; }", frame)
    held = []
    page.route("**/api/preview*", lambda route: held.append(route))
    page.get_by_role("button", name="Crop", exact=True).click()
    shown = "(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector('.show img'))"
    wait_until(page, f"document.querySelector('.show img')?.src && {shown}.join() === '400,300'")
    drawn = page.evaluate("document.querySelector('.show img').src")
    wait_for(page, lambda: held)
    held[0].continue_()
    wait_until(page, f"document.querySelector('.show img').src !== {drawn!r} && {shown}.join() === '400,300'")


def test_without_a_server_the_browser_makes_the_crop(open_page):
    page = open_page()
    source = coordinates(400, 300)
    open_photo(page, png(source))
    drag(page, at(page, 40, 30), at(page, 240, 180))
    found = recipe(page)["rect"]
    size = page.evaluate(
        """async () => {
          const blob = await document.querySelector('crop-view').croppedBlob({type: 'image/png'});
          const bitmap = await createImageBitmap(blob);
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const context = canvas.getContext('2d');
          context.drawImage(bitmap, 0, 0);
          const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
          return [bitmap.width, bitmap.height, ...data.slice(0, 3)];
        }"""
    )
    assert size[:2] == [found["width"], found["height"]]
    assert size[2:] == source[int(found["y"]), int(found["x"])].tolist()


def test_the_flash_is_immediate_and_not_after_the_work(open_page):
    page = open_page()
    open_photo(page, png(coordinates(400, 300)), style="Studio")
    page.route("**/api/crop*", lambda route: None)  # never answered
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_text("Cropping").first.wait_for()
    page.get_by_role("button", name="Cancel").first.click()
    assert page.get_by_role("button", name="Crop", exact=True).is_enabled()


def test_reduced_motion_and_right_to_left(open_page, keep):
    page = open_page(reduced_motion="reduce")
    page.evaluate("document.documentElement.dir = 'rtl'")
    open_photo(page, png(coordinates(400, 300)), style="Studio")
    page.get_by_role("button", name="Rotate right").first.click()
    assert not page.evaluate("document.querySelector('crop-view').state.wantsTicks")
    keep(page, "desk-right-to-left")
    assert_fits(page)


def test_it_follows_the_user_s_language(open_page, keep):
    page = open_page("phone", locale="ar-EG")
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["ar", "rtl"]
    keep(page, "phone-arabic-start")
    open_photo(page, png(coordinates(400, 300)), style="Studio")
    keep(page, "phone-arabic-editor")
    page.get_by_role("button", name="قص", exact=True).click()
    page.get_by_role("link", name="حفظ").wait_for()
    assert_fits(page)
    assert_accessible(page)


@pytest.mark.parametrize("size", [(1, 1), (3000, 20), (20, 3000)])
def test_odd_pictures_can_be_cropped(open_page, keep, size):
    page = open_page()
    open_photo(page, png(coordinates(*size)), style="Studio")
    keep(page, f"odd-{size[0]}x{size[1]}")
    image = decoded(crop(page))
    assert image.size == size
    assert numpy.asarray(image.convert("RGB"))[0, 0].tolist() == [0, 0, 0]


def test_screens_can_be_made_in_any_order(open_page):
    page = open_page()
    serve_sources(page)
    assert page.evaluate("""async () => {
      const { Model } = await import('./sources/App/model/model.js');
      const screens = [];
      for (const [path, name] of [
        ['shell/start', 'StartScreen'], ['library/library-screen', 'LibraryScreen'], ['editor/editor', 'Editor'],
        ['targets/targets', 'Targets'], ['camera/camera-screen', 'CameraScreen'], ['result/result-screen', 'ResultScreen'],
      ]) screens.push((await import(`./sources/App/${path}.js`))[name]);
      const made = (order) => {
        const model = new Model();
        for (const Screen of order) new Screen(model);
        return [model.view.localName, typeof model.opener.file];
      };
      return [made(screens), made(screens.reverse())];
    }""") == [["crop-view", "function"]] * 2
