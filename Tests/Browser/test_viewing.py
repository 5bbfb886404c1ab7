"""Photos of the library that are viewed: a crop as it is, the next one by a swipe, and the ways to save on a phone."""

import pytest
from albums import first_photo, open_first, press_crop, wait_for_first
from editor import Fingers, settle, wait_until
from fake_library import FakeLibrary
from test_page import assert_accessible, assert_fits


@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_a_crop_is_shown_as_it_is_and_can_be_adjusted(open_page, viewport):
    library = FakeLibrary(5)
    page = open_page(viewport, library=library, path="#/albums/all")
    first_photo(page).click()
    page.get_by_role("button", name="Square").click()
    settle(page)
    press_crop(page)
    made = library.members("cropped")[0]
    page.evaluate("location.hash = '#/albums/cropped'")
    wait_for_first(page, made)
    first_photo(page).click()
    page.locator("#result h1", has_text=made["name"]).wait_for()
    assert page.url.endswith(f"#/photos/{made['id']}/view")
    assert page.get_by_role("link", name="Save").count() == 0
    assert_fits(page)
    assert_accessible(page)
    page.get_by_role("button", name="Adjust", exact=True).click()
    page.get_by_text("You left off here").wait_for()
    rect = page.evaluate("document.querySelector('crop-view').recipe.rect")
    assert rect["width"] == rect["height"]
    # Back to the crop, and from there to its album, with the focus where it was.
    page.go_back()
    page.locator("#result h1", has_text=made["name"]).wait_for()
    page.get_by_role("button", name="Back to photos").first.click()
    wait_until(page, "location.hash === '#/albums/cropped' && !document.querySelector('#library').hidden")
    wait_until(page, f"document.activeElement.dataset.id === '{made['id']}'")


def test_a_crop_whose_link_was_followed_leads_to_the_library(open_page):
    page = open_page(library=FakeLibrary(5), path="#/photos/p2/view")
    page.locator("#result h1", has_text="IMG_4002").wait_for()
    page.get_by_role("button", name="Crop", exact=True).wait_for()
    page.get_by_role("button", name="Back to photos").first.click()
    first_photo(page)


@pytest.mark.thorough
@pytest.mark.parametrize("locale", ["en", "ar"])
def test_a_swipe_shows_the_next_photo(open_page, locale):
    page = open_page("phone", library=FakeLibrary(5), path="#/photos/p1/view", locale=locale)
    name = page.locator("#result h1")
    name.get_by_text("IMG_4001").wait_for()
    box = page.locator("#result .show").bounding_box()
    left, right, middle = box["x"] + 40, box["x"] + box["width"] - 40, box["y"] + box["height"] / 2
    onward, back = ((right, middle), (left, middle)), ((left, middle), (right, middle))
    if locale == "ar":
        onward, back = back, onward
    fingers = Fingers(page)
    fingers.drag(*onward)
    name.get_by_text("IMG_4002").wait_for()
    fingers.drag(*back)
    name.get_by_text("IMG_4001").wait_for()
    # A drag up or down, or a short one, is none.
    fingers.drag((right, middle), (right - 60, middle + 120))
    fingers.drag((right, middle), (right - 20, middle))
    fingers.drag(*back)
    name.get_by_text("IMG_4000").wait_for()


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["phone", "small"])
def test_a_phone_has_the_other_ways_to_save_in_the_bar(open_page, viewport):
    library = FakeLibrary(5)
    page = open_page(viewport, library=library, path="#/albums/all")
    open_first(page)
    assert_fits(page)
    page.get_by_role("button", name="Square").click()
    settle(page)
    page.get_by_role("button", name="More ways to save").tap()
    menu = page.get_by_role("menu")
    assert_fits(page)
    assert_accessible(page)
    box = menu.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    menu.get_by_role("menuitem", name="Replace original").tap()
    page.get_by_role("dialog").get_by_role("button", name="Replace").tap()
    page.get_by_text("is now the crop").wait_for()
    page.get_by_role("button", name="Restore original").tap()
    page.get_by_text("was restored").wait_for()


def test_arrows_beside_the_badge_cover_no_handle(open_page):
    page = open_page("phone", library=FakeLibrary(5), path="#/photos/p2")
    page.locator("#editor h1", has_text="IMG_4002").wait_for(state="attached")
    wait_until(page, "document.querySelector('crop-view')?.selectionBox?.height > 100")
    top = page.evaluate("document.querySelector('#editor crop-view').getBoundingClientRect().top")
    for button in page.locator(".over > .step").all():
        box = button.bounding_box()
        assert box["y"] + box["height"] <= top and box["width"] >= 44
