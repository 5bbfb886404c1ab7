"""One frame for many photos: previews before saving, and one undo step; by mouse and by keyboard."""

import io
import zipfile

import pytest
from editor import settle, wait_for_photo, wait_until
from PIL import Image
from pictures import coordinates, png
from test_page import assert_accessible

SIZES = [(400, 300), (800, 600), (300, 400), (220, 120)]
RECT = """() => { const { rect } = document.querySelector('crop-view').recipe ?? {};
  return rect ? [rect.x, rect.y, rect.width, rect.height] : null; }"""
# In pixels of each photo, as precisely as a small image shows.
FRAMES = """(sizes) => [...document.querySelectorAll('dialog.queue-list li .look')].map((look, index) => {
  const box = look.querySelector('.frame');
  if (box.hidden) return null;
  const side = (name, whole) => Math.round(parseFloat(box.style[name]) * whole / 100);
  const [width, height] = sizes[index];
  return [side('left', width), side('top', height), side('width', width), side('height', height)];
})"""
STATES = "[...document.querySelectorAll('dialog.queue-list li .state')].map(({ textContent }) => textContent)"


def open_queue(page):
    page.locator("input[type=file]").first.set_input_files([
        {"name": f"photo-{index}.png", "mimeType": "image/png", "buffer": png(coordinates(*size))}
        for index, size in enumerate(SIZES, 1)])
    shown(page, 0)
    page.evaluate("""document.querySelector('crop-view').recipe =
      { version: 1, rect: { x: 100, y: 75, width: 200, height: 150 } }""")
    settle(page)
    page.get_by_role("button", name="All photos").click()


def shown(page, index):
    wait_until(page, f"document.querySelector('crop-view')?.pictureSize?.width === {SIZES[index][0]}")
    wait_for_photo(page)
    settle(page)


def frames(page):
    # Each photo shows its frame, or that it does not fit.
    wait_until(page, """[...document.querySelectorAll('dialog.queue-list li')]
      .every((item) => item.querySelector('.frame')?.hidden === false
        || item.querySelector('.state').textContent === 'Crop doesn’t fit')""")
    return page.evaluate(FRAMES, SIZES)


@pytest.mark.thorough
@pytest.mark.parametrize("viewport, scheme", [("desk", "light"), ("desk", "dark"), ("phone", "light"), ("phone", "dark")])
def test_each_photo_is_shown_with_the_frame_before_saving(open_page, keep, viewport, scheme):
    page = open_page(viewport, scheme)
    open_queue(page)
    part = page.get_by_role("button", name="By percentage")
    pixels = page.get_by_role("button", name="By pixels")
    assert page.get_by_role("dialog").get_by_role("img").count() == 0
    part.click()
    assert part.get_attribute("aria-pressed") == "true"
    assert frames(page) == [[100, 75, 200, 150], [200, 150, 400, 300], [75, 100, 150, 200], [55, 30, 110, 60]]
    keep(page, f"same-frame-{viewport}-{scheme}")
    assert_accessible(page)
    pixels.click()
    assert part.get_attribute("aria-pressed") == "false"
    # It does not fit on the last one.
    assert frames(page) == [[100, 75, 200, 150], [100, 75, 200, 150], [100, 75, 200, 150], None]
    assert page.evaluate(STATES) == ["Ready to crop", "Not cropped", "Not cropped", "Crop doesn’t fit"]
    page.get_by_role("dialog").get_by_role("button", name="photo-4.png").click()
    shown(page, 3)
    assert page.evaluate(RECT) != [100, 75, 200, 150]


@pytest.mark.thorough
def test_one_click_removes_all_copied_frames(open_page):
    page = open_page()
    open_queue(page)
    page.get_by_role("button", name="By percentage").click()
    for name, index in [("photo-2.png", 1), ("photo-3.png", 2)]:
        page.get_by_role("dialog").get_by_role("button", name=name).click()
        shown(page, index)
        page.get_by_role("button", name="All photos").click()
    # By hand, on the third one.
    page.get_by_role("button", name="Close", exact=True).click()
    assert page.evaluate(RECT) == [75, 100, 150, 200]
    page.evaluate("""document.querySelector('crop-view').recipe =
      { version: 1, rect: { x: 10, y: 20, width: 90, height: 80 } }""")
    settle(page)
    page.get_by_role("button", name="All photos").click()
    assert frames(page) == [[100, 75, 200, 150], [200, 150, 400, 300], [10, 20, 90, 80], [55, 30, 110, 60]]
    assert page.evaluate(STATES) == ["Ready to crop", "Ready to crop", "Ready to crop", "Not cropped"]
    page.get_by_role("button", name="By percentage").click()
    assert page.evaluate(STATES) == ["Ready to crop", "Not cropped", "Ready to crop", "Not cropped"]
    page.get_by_role("dialog").get_by_role("button", name="photo-2.png").click()
    shown(page, 1)
    assert page.evaluate(RECT) != [200, 150, 400, 300]
    page.get_by_role("button", name="All photos").click()
    page.get_by_role("dialog").get_by_role("button", name="photo-3.png").click()
    shown(page, 2)
    assert page.evaluate(RECT) == [10, 20, 90, 80]


def sizes_in(download):
    with zipfile.ZipFile(download.value.path()) as archive:
        return sorted(Image.open(io.BytesIO(archive.read(name))).size for name in archive.namelist())


@pytest.mark.thorough
def test_a_photo_that_the_frame_does_not_fit_is_left_out(open_page):
    page = open_page()
    open_queue(page)
    page.get_by_role("button", name="By pixels").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as one file").click()
    assert sizes_in(download) == [(200, 150)] * 3
    page.get_by_text("3 of 4 saved").wait_for()


@pytest.mark.thorough
def test_all_are_saved_with_the_frame_by_keyboard(open_page):
    page = open_page()
    open_queue(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    part = page.get_by_role("button", name="By percentage")
    for _ in range(20):
        if part.evaluate("(button) => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert part.get_attribute("aria-pressed") == "true"
    assert part.evaluate("(button) => button === document.activeElement")
    save = page.get_by_role("button", name="Download as one file")
    for _ in range(20):
        if save.evaluate("(button) => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert sizes_in(download) == [(110, 60), (150, 200), (200, 150), (400, 300)]
