"""Screenshots of every screen at three sizes, in both themes and three languages, for visual inspection."""

import os

import pytest
from conftest import SCREENSHOTS
from editor import drag, settle, still, wait_for_photo, wait_until
from fake_library import FakeLibrary
from test_page import assert_accessible, assert_fits

pytestmark = [
    pytest.mark.thorough, pytest.mark.skipif(not os.environ.get("CROPKIT_SOAK"), reason="runs with CROPKIT_SOAK=1")]

SIZES = {"desk": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}
#: Each visible photo of the grid has its thumbnail, or shows why it has none.
THUMBNAILS = """[...document.querySelectorAll('a.photo:not(.broken)')].every((link) => {
  const { top, bottom } = link.getBoundingClientRect();
  return link.querySelector('img') || !link.checkVisibility() || bottom <= 0 || top >= innerHeight;
})"""
LANGUAGES = {"en": "en-GB", "de": "de-DE", "ar": "ar-EG"}


@pytest.fixture
def stills(open_page, request):
    """Opens the page, and stores a screenshot of each screen, which must fit and be accessible."""
    size, scheme, language = (request.node.callspec.params[name] for name in ("size", "scheme", "language"))
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def open_at(**options):
        page = open_page(size, scheme, locale=LANGUAGES[language], device_scale_factor=1,
                         permissions=["camera"], service_workers="block", **options)
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        return page

    def keep(page, screen):
        wait_until(page, THUMBNAILS)
        still(page)
        page.screenshot(path=SCREENSHOTS / f"still-{size}-{scheme}-{language}-{screen}.png")
        assert_fits(page)
        assert_accessible(page)

    return open_at, keep


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_stills_of_a_file(stills, size, scheme, language):
    """Takes long: each screen is a screenshot, and is checked for accessibility."""
    open_at, keep = stills
    page = open_at()
    wait_until(page, "[...document.querySelectorAll('.tile img')].filter((image) => image.naturalWidth).length === 4")
    keep(page, "start")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "notes.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    page.locator("#start").get_by_role("alert").wait_for()
    keep(page, "start-error")
    page.locator(".tile").first.click()
    wait_for_photo(page)
    keep(page, "editor")
    if size != "desk":
        page.locator("#tab-more").click()
        keep(page, "editor-more")
        page.locator("#tab-shape").click()
    page.locator(".shape .chip").nth(1).click()
    keep(page, "editor-ellipse")
    targets_of(page, keep)
    page.locator("#editor .bar > .primary").click()
    page.locator("#result .bar a.primary").wait_for()
    keep(page, "result")


def targets_of(page, keep):
    """From the editor to the targets and back."""
    page.locator("#editor .targets-button:visible, #tab-targets:visible").first.click()
    page.locator("#targets .target canvas").nth(6).wait_for()
    settle(page)
    keep(page, "targets")
    box = page.locator("#targets .stage").bounding_box()
    start, end = ((box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in ((0.6, 0.4), (0.8, 0.6)))
    drag(page, start, end)
    keep(page, "targets-focus")
    page.locator("#targets .target").nth(3).click()
    page.locator("#targets crop-view").focus()
    page.keyboard.press("ArrowLeft")
    settle(page)
    keep(page, "targets-one")
    page.go_back()
    page.locator("#editor").wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_stills_of_the_library(stills, size, scheme, language):
    """Takes long: each screen is a screenshot, and is checked for accessibility."""
    open_at, keep = stills
    library = FakeLibrary(40)
    library.ordered[4].update(width=0, height=0, problem={"code": "truncated", "message": "it ends early"})
    page = open_at(library=library)
    page.locator(".album img").first.wait_for()
    keep(page, "library")
    page.evaluate("location.hash = '#/albums/all'")
    wait_until(page, "document.querySelectorAll('a.photo img').length > 8")
    keep(page, "album")
    page.locator(".search input").fill("2026-10")
    wait_until(page, "document.querySelectorAll('.month').length === 1")
    keep(page, "found")
    page.locator(".search input").fill("?")
    wait_until(page, "!document.querySelector('.empty').hidden")
    keep(page, "nothing-found")
    page.locator(".search input").fill("")
    wait_until(page, "document.querySelector('.empty').hidden")
    page.locator(".library-bar > .chip").click()
    page.locator("a.photo[data-id]").first.click()
    keep(page, "selected")
    page.locator(".selection > .primary").click()
    page.locator("a.photo[data-id]").first.click()
    wait_for_photo(page)
    page.locator("#editor .bar > .primary").click()
    page.locator(".toast").wait_for()
    keep(page, "saved")
    page.evaluate("location.hash = '#/photos/p1/view'")
    page.locator("#result:not([hidden]) img").wait_for()
    keep(page, "viewed")
    page.evaluate("location.hash = '#/camera'")
    wait_until(page, "!document.querySelector('.shutter').disabled")
    keep(page, "camera")
