"""What the user sees after Crop: the flash, the card about the file, and what can be done with it."""

import re

import pytest
from albums import names_in, open_first, press_crop
from editor import at, drag, open_photo, settle, wait_until
from pictures import coordinates, png
from test_page import assert_accessible, assert_fits

#: Records where the flash is, and how bright.
FLASHES = """{
  globalThis.flashes = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    if (this.matches('.flash')) {
      const { x, y, width, height } = this.getBoundingClientRect();
      flashes.push({ box: [x, y, width, height], opacity: frames[0].opacity, duration: options.duration });
    }
    return animate.call(this, frames, options);
  };
  null;
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("scheme, opacity", [("light", 1), ("dark", 0.5)])
def test_the_flash_is_inside_the_crop_frame_and_half_as_bright_in_the_dark(open_page, scheme, opacity):
    page = open_page(scheme=scheme, reduced_motion="no-preference")
    page.evaluate(FLASHES)
    open_photo(page, png(coordinates(600, 450)))
    drag(page, at(page, 100, 100), at(page, 400, 300))
    box = page.evaluate("""(({ x, y, width, height }) => [x, y, width, height])(
      document.querySelector('crop-view').selectionBox)""")
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("link", name="Save").wait_for()
    (flash,) = page.evaluate("flashes")
    assert flash["box"] == pytest.approx(box, abs=1)
    assert (flash["opacity"], flash["duration"]) == (opacity, 200)


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["reduced", "switched off"])
def test_there_is_no_flash_with_reduced_motion_or_if_it_is_switched_off(open_page, way):
    page = open_page(reduced_motion="reduce" if way == "reduced" else "no-preference")
    page.evaluate(FLASHES)
    open_photo(page, png(coordinates(600, 450)), style="Studio")
    if way != "reduced":
        page.get_by_role("button", name="Sound and flash on").click()
        assert page.get_by_role("button", name="Sound and flash off").is_visible()
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("link", name="Save").wait_for()
    assert page.evaluate("flashes") == []


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_the_card_shows_the_whole_name_and_covers_neither_the_badge_nor_the_output(open_page, library, viewport, keep):
    page = open_page(viewport, library=library, path="#/albums/all")
    library.photos["p0"]["name"] = "A very long name of a photo that somebody took on a holiday.jpg"
    open_first(page)
    press_crop(page)
    card = page.locator(".toast")
    name = card.get_by_text("A very long name of a photo that somebody took on a holiday-cropped.jpg")
    assert name.evaluate("(line) => line.scrollWidth <= line.clientWidth")
    box = card.bounding_box()
    if viewport == "desk":
        side = page.locator("#editor .side").bounding_box()
        assert side["y"] + side["height"] <= box["y"]
        page.get_by_role("button", name="JPEG", exact=True).scroll_into_view_if_needed()
        assert page.get_by_role("button", name="JPEG", exact=True).bounding_box()["y"] < box["y"]
    assert_accessible(page)
    assert_fits(page)
    keep(page, f"after-crop-{viewport}")


def test_the_crop_is_copied_and_taken_back_from_the_card(open_page, library):
    page = open_page(library=library)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_first(page)
    press_crop(page)
    card = page.locator(".toast")
    assert re.search(r"\d+ × \d+ · \d", card.inner_text().replace(",", ""))
    card.get_by_role("button", name="Copy").click()
    wait_until(page, """navigator.clipboard.read().then(
      ([item]) => item?.types.includes('image/png') ?? false, () => false)""")
    card.get_by_role("button", name="Undo crop").click()
    page.get_by_text("The crop is in the trash").wait_for()
    assert names_in(library, "cropped") == []


def test_a_result_offers_all_ways_in_view(open_page):
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_photo(page, png(coordinates(600, 450)), style="Studio")
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("button", name="Copy").click()
    wait_until(page, "document.querySelector('#result [role=status]').textContent === 'Copied'")
    blob = page.evaluate("""navigator.clipboard.read().then(([item]) => item.getType('image/png'))
      .then(createImageBitmap).then(({ width, height }) => [width, height])""")
    assert blob == [600, 450]
    assert_accessible(page)


def test_a_card_of_a_problem_leaves_when_the_photo_is_dragged(open_page):
    page = open_page()
    open_photo(page, png(coordinates(600, 450)), style="Quad")
    drag(page, at(page, 0, 0), at(page, 60, 40))
    page.evaluate("location.hash = '#/targets'")
    page.get_by_text("Sizes can’t be made from four corners.").wait_for()
    drag(page, at(page, 300, 200), at(page, 310, 210))
    assert page.locator(".notice").count() == 0
    settle(page)
