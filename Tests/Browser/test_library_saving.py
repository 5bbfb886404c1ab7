"""Crops of a library's photo: saved next to it or replacing it, undone, opened again."""

import re

import pytest
from albums import adjust_first, first_photo, names_in, open_first, press_crop, wait_for_first
from editor import drag, settle, wait_for, wait_for_photo, wait_for_preview, wait_until


def test_a_saved_crop_reopens_with_its_frame(open_page, library):
    page = open_page(library=library)
    open_first(page)
    page.get_by_role("button", name="Square").click()
    settle(page)
    page.get_by_role("button", name="Rotate right").click()
    settle(page)
    left = page.evaluate("document.querySelector('crop-view').recipe")
    press_crop(page)
    page.get_by_role("button", name="Close photo").click()
    page.get_by_role("link", name=re.compile("Cropped")).click()
    wait_for_first(page, library.members("cropped")[0])
    adjust_first(page)
    page.get_by_text("You left off here").wait_for()
    assert page.evaluate("document.querySelector('crop-view').recipe") == left


@pytest.mark.thorough
def test_earlier_crops_of_a_photo_are_at_hand(open_page, library):
    page = open_page(library=library)
    open_first(page)
    press_crop(page)
    page.get_by_role("button", name="Square").click()
    settle(page)
    press_crop(page)
    wait_until(page, "document.querySelectorAll('.earlier a').length === 2")
    page.locator(".earlier a").last.click()
    page.get_by_text("You left off here").wait_for()
    rect = page.evaluate("document.querySelector('crop-view').recipe.rect")
    assert rect["width"] != rect["height"]
    # The other one is still offered.
    wait_until(page, "document.querySelectorAll('.earlier a').length === 1")


@pytest.mark.thorough
def test_a_clicked_button_stays_in_place_while_the_card_disappears(open_page, library):
    page = open_page(library=library)
    open_first(page)
    press_crop(page)
    page.locator(".earlier a").first.scroll_into_view_if_needed()
    page.locator(".panel").evaluate("(panel) => { panel.scrollTop = panel.scrollHeight; }")
    box = page.locator(".earlier a").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    # Waits about as long as a slow user or a busy machine.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    assert page.locator(".earlier a").first.bounding_box() == box
    page.mouse.up()
    page.get_by_text("You left off here").wait_for()


def test_undo_removes_the_crop_and_can_be_undone(open_page, library):
    page = open_page(library=library)
    open_first(page)
    press_crop(page)
    page.get_by_role("status").get_by_role("button", name="Undo crop").click()
    page.get_by_text("The crop is in the trash").wait_for()
    assert names_in(library, "cropped") == []
    page.get_by_role("button", name="Restore").click()
    page.get_by_text("Saved in Cropped").wait_for()
    assert len(names_in(library, "cropped")) == 1


@pytest.mark.thorough
def test_the_saved_crop_can_be_saved_elsewhere(open_page, library):
    page = open_page(library=library)
    open_first(page)
    press_crop(page)
    page.evaluate("""() => {
      window.showSaveFilePicker = async ({ suggestedName }) => {
        window.asked = suggestedName;
        throw new DOMException('', 'AbortError');
      };
    }""")
    page.get_by_role("button", name="Save as").click()
    wait_until(page, "window.asked?.endsWith('-cropped.jpg')")


def test_replacing_the_original_is_asked_and_can_be_undone(open_page, keep, library):
    photo = library.ordered[0]
    whole = (photo["width"], photo["height"])
    page = open_page(library=library)
    open_first(page)
    page.get_by_role("button", name="Square").click()
    settle(page)
    page.get_by_role("button", name="More ways to save").click()
    page.get_by_role("menuitem", name="Replace original").click()
    page.get_by_role("dialog").wait_for()
    keep(page, "library-replace")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert photo["version"] == "1"
    page.get_by_role("button", name="More ways to save").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    page.get_by_text("is now the crop").wait_for()
    size = page.evaluate("document.querySelector('crop-view').pictureSize")
    assert size["width"] == size["height"] == min(whole)
    page.get_by_role("status").get_by_role("button", name="Restore original").click()
    page.get_by_text("was restored").wait_for()
    size = page.evaluate("document.querySelector('crop-view').pictureSize")
    assert (size["width"], size["height"]) == whole


@pytest.mark.thorough
def test_a_photo_that_changed_in_the_meantime_is_not_cropped(open_page, keep, library):
    page = open_page(library=library)
    open_first(page)
    library.ordered[0]["version"] = "9"
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("alert").get_by_text("has changed since").wait_for()
    keep(page, "library-changed")
    assert names_in(library, "cropped") == []
    page.get_by_role("button", name="Open it again").click()
    wait_for_preview(page)
    press_crop(page)


@pytest.mark.thorough
def test_cropping_and_undo_by_keyboard(open_page, library):
    page = open_page(library=library)
    first_photo(page).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for_photo(page)
    wait_until(page, "document.activeElement.localName === 'crop-view'")
    settle(page)
    # Enter on the photo crops; the card about the saved file is the next Tab stop after Crop.
    page.keyboard.press("Enter")
    page.get_by_text("Saved in Cropped").wait_for()
    page.get_by_role("button", name="Crop", exact=True).focus()
    for _ in range(5):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Undo crop"
    page.keyboard.press("Enter")
    page.get_by_text("The crop is in the trash").wait_for()


@pytest.mark.thorough
def test_the_keyboard_stays_where_it_was_while_a_crop_is_saved(open_page, library):
    page = open_page(library=library)
    open_first(page)
    wait_until(page, "document.activeElement.localName === 'crop-view'")
    places = []
    page.expose_function("fell", lambda: places.append("body"))
    page.evaluate("""() => {
      const look = () => {
        if (document.activeElement === document.body) fell();
        requestAnimationFrame(look);
      };
      look();
    }""")
    page.keyboard.press("Enter")
    page.get_by_text("Saved in Cropped").wait_for()
    wait_until(page, "document.activeElement.localName === 'crop-view'")
    page.get_by_role("button", name="Crop", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_text("Saved in Cropped").wait_for()
    wait_until(page, "document.activeElement.textContent === 'Crop'")
    # A button that is disabled after its action keeps the keyboard focus on the screen.
    page.get_by_role("button", name="Square").click()
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    wait_until(page, "document.querySelector('[aria-label=Undo]').disabled")
    settle(page)
    assert not places


def overlap(one, other):
    """Whether two boxes overlap."""
    return (one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
            and one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"])


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone", "small"])
def test_the_card_of_a_saved_file_covers_no_photo_disappears_and_can_be_shown_again(open_page, keep, library, viewport):
    page = open_page(viewport, library=library)
    if viewport != "desk":
        page.locator(".album-list:not(.others) .album").first.click()
    open_first(page)
    press_crop(page)
    settle(page)
    keep(page, f"saved-{viewport}")
    card = page.locator(".toast")
    assert not overlap(card.bounding_box(), page.locator("#editor .stage").bounding_box())
    assert page.get_by_role("button", name="Undo", exact=True).count() == 1
    # Continuing with the photo is enough.
    box = page.locator("#editor .stage").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    card.wait_for(state="detached")
    page.get_by_role("button", name="More ways to save").click()
    page.get_by_role("menuitem", name="Show what was saved").click()
    page.get_by_text("Saved in Cropped").wait_for()
    page.get_by_role("button", name="Undo crop").click()
    page.get_by_text("The crop is in the trash").wait_for()
    assert names_in(library, "cropped") == []


@pytest.mark.thorough
def test_cancelling_after_the_crop_was_saved_is_reported(open_page, library):
    page = open_page(library=library)
    open_first(page)
    # The new photo is in the library, but is never shown.
    asked = []
    page.route("**/api/photos/*/original", lambda route: asked.append(route.request.url))
    page.get_by_role("button", name="Crop", exact=True).click()
    # The page asks for it when it knows that the crop was saved.
    wait_for(page, lambda: any(photo["id"] in url for photo in library.members("cropped") for url in asked))
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Saved in Cropped").wait_for()
    page.get_by_role("status").get_by_role("button", name="Undo crop").click()
    page.get_by_text("The crop is in the trash.").wait_for()
    assert names_in(library, "cropped") == []


def test_a_frame_can_be_drawn_and_saved_by_hand(open_page, library):
    page = open_page(library=library)
    open_first(page)
    page.get_by_role("button", name="Draw", exact=True).click()
    settle(page)
    box = page.locator("crop-view").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    drag(page, middle, (middle[0] + 150, middle[1] + 100))
    rect = page.evaluate("document.querySelector('crop-view').recipe.rect")
    press_crop(page)
    saved = library.members("cropped")[0]
    assert (saved["width"], saved["height"]) == (rect["width"], rect["height"])
