"""The actions offered for results that were made or saved; equal results have one file."""

import pytest
from editor import at, drag, open_photo, settle, wait_for_photo, wait_until, written
from test_keeping import PHOTO, framed, library, opened, press
from test_page import assert_accessible, assert_fits
from test_queue import at_second_of_three, states
from test_sources import shown_width

__all__ = ["library"]

@pytest.mark.thorough
def test_the_library_saves_equal_crops_once(open_page, library):
    page, _ = opened(open_page, library)
    press(page, "Crop")
    page.get_by_text("Saved in Cropped", exact=True).wait_for()
    press(page, "Crop")
    page.get_by_text("Already saved in Cropped").wait_for()
    assert len(library.crops) == 1


@pytest.mark.thorough
def test_an_equal_crop_of_another_day_is_reported_as_existing(open_page, library):
    page, drawn = opened(open_page, library)
    press(page, "Crop")
    page.get_by_text("Saved in Cropped", exact=True).wait_for()
    page.reload()
    wait_for_photo(page)
    page.evaluate("""(rect) => { document.querySelector('crop-view').recipe
      = { version: 1, rect }; }""", dict(zip(("x", "y", "width", "height"), drawn)))
    settle(page)
    page.locator(".earlier a").first.wait_for(state="attached")
    press(page, "Crop")
    page.get_by_text("Already saved in Cropped").wait_for()
    assert len(library.members("cropped")) == page.locator(".earlier a").count() == 1


@pytest.mark.thorough
def test_a_result_of_one_pixel_can_be_seen(open_page, keep):
    page = open_page()
    open_photo(page, PHOTO, style=None)
    page.evaluate("""document.querySelector('crop-view').recipe
      = { version: 1, rect: { x: 3, y: 4, width: 1, height: 1 } }""")
    press(page, "Crop")
    page.get_by_role("link", name="Save").wait_for()
    box = page.locator("#result img").bounding_box()
    assert box["width"] == pytest.approx(box["height"], abs=0.01) and box["height"] >= 64
    keep(page, "result-pixel")


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_a_saved_result_does_not_offer_saving_again(open_page, keep, viewport):
    page = open_page(viewport)
    framed(page)
    press(page, "Crop")
    save = page.get_by_role("link", name="Save")
    save.focus()
    assert page.locator("#result .primary").locator("visible=true").all_inner_texts() == ["Save"]
    keep(page, f"result-unsaved-{viewport}")
    before = page.locator("#result .show").bounding_box()
    with page.expect_download():
        page.keyboard.press("Enter")
    assert not save.is_visible()
    page.locator("#result .kept").get_by_text("Saved").wait_for()
    assert page.locator("#result .primary").locator("visible=true").all_inner_texts() == ["Crop another"]
    assert page.evaluate("document.activeElement.textContent") == "Crop another"
    assert_accessible(page)
    assert_fits(page)
    # The photo has not moved.
    assert page.locator("#result .show").bounding_box() == before
    keep(page, f"result-saved-{viewport}")
    # It counts as saved until something changes, and can be saved again.
    page.get_by_role("button", name="Keep editing").first.click()
    press(page, "Crop")
    page.locator("#result .kept").wait_for()
    with page.expect_download():
        page.get_by_role("button", name="Download").click()
    page.get_by_role("button", name="Keep editing").first.click()
    page.locator("#editor").wait_for()
    drag(page, at(page, 100, 100), at(page, 110, 110))
    press(page, "Crop")
    save.wait_for()


@pytest.mark.thorough
def test_a_crop_of_the_library_is_shown_as_saved(open_page, library, keep):
    page, _ = opened(open_page, library)
    press(page, "Crop")
    page.get_by_role("link", name="Open", exact=True).click()
    page.get_by_role("button", name="Back to photos").first.wait_for()
    assert not page.get_by_role("link", name="Save").is_visible()
    assert page.locator("#result .primary").locator("visible=true").all_inner_texts() == ["Adjust"]
    keep(page, "result-library")
    assert page.get_by_role("button", name="Download").is_visible()


@pytest.mark.thorough
def test_a_restored_result_is_saved_permanently(open_page):
    page = at_second_of_three(open_page)
    page.go_back()
    page.get_by_role("link", name="Save").wait_for()
    page.reload()
    with page.expect_download():
        page.get_by_role("link", name="Save").click()
    written(page)
    page.reload()
    page.locator("#result .kept").wait_for()
    page.get_by_role("button", name="Next photo (2 of 3)").click()
    shown_width(page, 320)
    assert states(page) == ["Saved", "Ready to crop", "Not cropped"]


@pytest.mark.thorough
def test_a_dismissed_card_returns_the_focus_to_the_editor(open_page, library):
    page, _ = opened(open_page, library)
    press(page, "Crop")
    dismiss = page.locator(".toast").get_by_role("button", name="Dismiss")
    dismiss.focus()
    page.keyboard.press("Enter")
    dismiss.wait_for(state="detached")
    wait_until(page, "document.activeElement.id === 'editor'")


@pytest.mark.thorough
def test_a_card_leaves_after_a_while_but_not_under_the_pointer_or_with_the_focus(open_page, library):
    page, _ = opened(open_page, library)
    press(page, "Crop")
    press(page, "Undo crop")
    card = page.locator(".toast", has_text="The crop is in the trash")
    card.wait_for()
    # Tests keep cards; this one is about how long they stay.
    page.evaluate("document.adoptedStyleSheets = []")
    time = "document.querySelector('.toast').getAnimations().find(({ animationName }) => animationName === 'stay')"
    page.mouse.move(5, 5)
    wait_until(page, f"{time}.playState === 'running' && {time}.effect.getTiming().duration === 10000")
    card.hover()
    wait_until(page, f"{time}.playState === 'paused'")
    page.mouse.move(5, 5)
    wait_until(page, f"{time}.playState === 'running'")
    card.get_by_role("button", name="Dismiss").focus()
    wait_until(page, f"{time}.playState === 'paused'")
    page.locator("crop-view").focus()
    wait_until(page, f"{time}.playState === 'running'")
    page.evaluate(f"{time}.finish()")
    card.wait_for(state="detached")
