"""Draw, move, resize, clear and crop, by mouse and by touch."""

import numpy
import pytest
from PIL import ImageOps
from editor import Fingers, at, crop, decoded, drag, open_photo, picture, recipe, rect, wait_until
from pictures import coordinates, gradient, jpeg, png


def crop_button(page):
    return page.get_by_role("button", name="Crop", exact=True)


def test_a_drawn_rectangle_is_cropped_to_the_pixel(open_page):
    page = open_page()
    source = coordinates(600, 450)
    open_photo(page, png(source))
    assert recipe(page) is None
    assert crop_button(page).is_disabled()
    drag(page, at(page, 100, 50), at(page, 500, 350))
    assert rect(page) == pytest.approx((100, 50, 400, 300), abs=2)
    x, y, width, height = map(int, rect(page))
    result = crop(page)
    image = decoded(result)
    assert result[1] == "photo-cropped.png"
    assert image.size == (width, height)
    assert numpy.array_equal(numpy.asarray(image.convert("RGB")), source[y : y + height, x : x + width])


@pytest.mark.parametrize("start, end", [((100, 50), (300, 200)), ((300, 50), (100, 200)),
                                        ((100, 200), (300, 50)), ((300, 200), (100, 50))])
def test_it_can_be_drawn_in_any_direction(open_page, start, end):
    page = open_page()
    open_photo(page, png(coordinates(400, 300)))
    drag(page, at(page, *start), at(page, *end))
    assert rect(page) == pytest.approx((100, 50, 200, 150), abs=2)


def test_move_resize_clear_and_undo(open_page):
    page = open_page()
    open_photo(page, png(coordinates(400, 300)))
    drag(page, at(page, 100, 100), at(page, 200, 180))
    x, y, width, height = rect(page)
    drag(page, at(page, 150, 140), at(page, 190, 120))
    assert rect(page) == pytest.approx((x + 40, y - 20, width, height), abs=2)
    assert rect(page)[2:] == (width, height)
    moved = rect(page)
    # It stops at the edge.
    drag(page, at(page, 190, 120), at(page, 900, 120))
    assert rect(page)[0] == 400 - width
    page.keyboard.press("Control+z")
    assert rect(page) == moved
    # Each corner in turn, outwards by ten pixels.
    for corner in range(4):
        left, top, wide, high = rect(page)
        cx, cy = left + wide * (corner % 2), top + high * (corner // 2)
        out = (10 if corner % 2 else -10, 10 if corner // 2 else -10)
        drag(page, at(page, cx, cy), at(page, cx + out[0], cy + out[1]))
        assert rect(page)[2:] == pytest.approx((wide + 10, high + 10), abs=2)
    # A tap outside clears, and one undo restores it.
    kept = rect(page)
    page.mouse.click(*at(page, 10, 290))
    wait_until(page, "document.querySelector('crop-view').recipe === null")
    assert crop_button(page).is_disabled()
    page.get_by_role("button", name="Undo").click()
    assert rect(page) == kept
    assert crop_button(page).is_enabled()


def test_a_rectangle_that_is_too_small_is_ignored(open_page):
    page = open_page()
    open_photo(page, png(coordinates(400, 300)))
    start = at(page, 100, 100)
    drag(page, start, (start[0] + 4, start[1] + 40))
    assert recipe(page) is None
    assert crop_button(page).is_disabled()


def test_fingers_draw_move_and_pinch(open_page, keep):
    page = open_page("phone")
    source = coordinates(600, 450)
    open_photo(page, png(source))
    fingers = Fingers(page)
    fingers.drag(at(page, 150, 100), at(page, 450, 300))
    assert rect(page) == pytest.approx((150, 100, 300, 200), abs=3)
    keep(page, "phone-drawn")
    before = rect(page)
    fingers.drag(at(page, 300, 200), at(page, 360, 240))
    assert rect(page) == pytest.approx((before[0] + 60, before[1] + 40, before[2], before[3]), abs=3)
    kept = rect(page)
    # A pinch zooms the image and keeps the selection.
    _, _, scale = picture(page)
    fingers.pinch(at(page, 300, 200), 60, 150)
    _, _, zoomed = picture(page)
    assert zoomed > scale * 1.5
    assert rect(page) == kept
    x, y, width, height = map(int, kept)
    image = decoded(crop(page))
    assert numpy.array_equal(numpy.asarray(image.convert("RGB")), source[y : y + height, x : x + width])


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_selection_is_cropped_in_every_orientation(open_page, orientation):
    page = open_page()
    upright = gradient(480, 320)
    open_photo(page, jpeg(upright, orientation), name="photo.jpg")
    drag(page, at(page, 120, 80), at(page, 360, 160))
    x, y, width, height = map(int, rect(page))
    assert (x, y, width, height) == pytest.approx((120, 80, 240, 80), abs=2)
    result = crop(page)
    assert result[1] == "photo-cropped.jpg"
    shown = numpy.asarray(ImageOps.exif_transpose(decoded(result)).convert("RGB"))
    assert shown.shape == (height, width, 3)
    difference = numpy.abs(shown.astype(int) - upright[y : y + height, x : x + width])
    assert difference.mean() < 3 and difference.max() < 24


def test_by_keyboard(open_page):
    page = open_page()
    open_photo(page, png(coordinates(400, 300)), style="Marquee")
    page.locator("crop-view").focus()
    page.keyboard.press("Control+a")
    assert rect(page) == (0, 0, 400, 300)
    page.keyboard.press("Alt+ArrowLeft")
    page.keyboard.press("Alt+Shift+ArrowUp")
    assert rect(page) == (0, 0, 399, 290)
    page.keyboard.press("Shift+ArrowDown")
    assert rect(page) == (0, 10, 399, 290)
    page.keyboard.press("Control+z")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Save").wait_for()
