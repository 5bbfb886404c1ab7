"""Shortcuts work whenever the focus is outside of a text field, and are listed."""

import pytest
from editor import open_coordinates, open_photo, recipe, settle, wait_until
from pictures import coordinates, png
from test_page import assert_accessible


def ratio(page):
    rect = recipe(page)["rect"]
    return rect["width"] / rect["height"]


PLACES = {
    "a button of the panel": lambda page: page.get_by_role("button", name="Thirds").click(),
    "the panel's ground": lambda page: page.locator(".panel .ratio h2").click(),
    "the header": lambda page: page.locator("#editor .bar .title").click(),
    "the ruler": lambda page: page.locator(".ruler").click(),
    "the photo": lambda page: page.locator("crop-view").focus(),
    "nothing": lambda page: page.evaluate("document.activeElement.blur()"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("place", PLACES)
def test_shortcuts_work_wherever_the_keyboard_is(open_page, place):
    page = open_coordinates(open_page)
    page.evaluate("document.querySelector('crop-view').command('ratio', 1, 1)")
    settle(page)
    PLACES[place](page)
    settle(page)
    page.keyboard.press("Control+z")
    assert ratio(page) == pytest.approx(4 / 3)
    page.keyboard.press("Control+Shift+Z")
    assert ratio(page) == 1
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+y")
    assert ratio(page) == 1
    for key, turns in (("r", 1), ("Shift+R", 0)):
        page.keyboard.press(key)
        assert recipe(page)["quarterTurns"] == turns
    page.keyboard.press("h")
    assert recipe(page)["mirrored"]
    page.keyboard.press("+")
    settle(page)
    assert page.evaluate("document.querySelector('crop-view').state.zoom") > 1.2
    page.keyboard.press("0")


@pytest.mark.thorough
def test_typing_into_a_field_triggers_no_shortcut(open_page):
    page = open_coordinates(open_page)
    page.evaluate("document.querySelector('crop-view').command('ratio', 1, 1)")
    field = page.get_by_label("Width in pixels")
    field.click()
    for key in ("r", "h", "0", "Control+z", "?"):
        page.keyboard.press(key)
    assert ratio(page) == 1
    assert (recipe(page)["quarterTurns"], recipe(page)["mirrored"]) == (0, False)
    assert page.get_by_role("dialog").count() == 0


@pytest.mark.thorough
def test_the_browser_keeps_its_shortcuts(open_page):
    page = open_coordinates(open_page)
    page.get_by_role("button", name="Thirds").click()
    taken = page.evaluate("""() => ['r', '0', '+'].filter((key) => !document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true })))""")
    assert taken == []


@pytest.mark.thorough
def test_a_question_mark_lists_the_shortcuts(open_page, keep):
    page = open_coordinates(open_page)
    page.get_by_role("button", name="Thirds").click()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    dialog.get_by_text("Rotate right").wait_for()
    keep(page, "shortcuts")
    assert_accessible(page)
    # Nothing happens behind it.
    page.keyboard.press("r")
    assert recipe(page)["quarterTurns"] == 0
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent") == "Thirds"
    page.locator("#editor .bar").get_by_role("button", name="Keyboard shortcuts").click()
    dialog.wait_for()


@pytest.mark.thorough
def test_a_phone_turns_and_mirrors_in_one_tap(open_page, keep):
    page = open_coordinates(open_page, "phone")
    keep(page, "phone-quick")
    page.get_by_role("button", name="Rotate left").locator("visible=true").tap()
    assert recipe(page)["quarterTurns"] == 3
    page.get_by_role("button", name="Flip horizontally", exact=True).locator("visible=true").tap()
    assert recipe(page)["mirrored"]
    page.get_by_role("tab", name="Grid").tap()
    page.get_by_role("button", name="Rotate left").locator("visible=true").tap()
    assert recipe(page)["quarterTurns"] != 3


@pytest.mark.thorough
def test_single_keys_can_be_switched_off_and_stay_off(open_page, keep):
    page = open_coordinates(open_page)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    dialog.get_by_label("Single-key shortcuts").uncheck()
    keep(page, "shortcuts-off")
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Thirds").focus()
    for key in ("r", "h", "?"):
        page.keyboard.press(key)
    assert (recipe(page)["quarterTurns"], recipe(page)["mirrored"]) == (0, False)
    assert dialog.count() == 0
    # Combinations with another modifier are not shortcuts, and the list did not move.
    page.evaluate("document.querySelector('crop-view').command('ratio', 1, 1)")
    page.keyboard.press("Control+z")
    assert ratio(page) == pytest.approx(4 / 3)
    page.reload()
    open_photo(page, png(coordinates(600, 450)), style="Studio")
    page.get_by_role("button", name="Thirds").focus()
    page.keyboard.press("r")
    assert recipe(page)["quarterTurns"] == 0
    page.locator("#editor .bar").get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_label("Single-key shortcuts").check()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.keyboard.press("r")
    assert recipe(page)["quarterTurns"] == 1


FOCUSED = "document.activeElement !== document.body && document.activeElement?.checkVisibility()"


@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_the_keyboard_focus_is_never_lost(open_page, viewport):
    page = open_coordinates(open_page, viewport)

    def pressed(name, role="button"):
        found = page.get_by_role(role, name=name, exact=True).locator("visible=true").first
        found.focus()
        page.keyboard.press("Enter")
        wait_until(page, FOCUSED)

    if viewport == "phone":
        pressed("More")
    pressed("Redraw")
    if viewport == "phone":
        wait_until(page, "document.querySelector('#tab-more').ariaExpanded === 'false'")
    page.keyboard.press("Escape")
    if viewport == "phone":
        pressed("More")
    for name in ("Whole photo", "Rotate right", "Undo", "Reset", "Crop"):
        pressed(name)
    page.get_by_role("link", name="Save").wait_for()
    wait_until(page, "document.activeElement.textContent === 'Save'")
    pressed("Keep editing")
    wait_until(page, "document.activeElement.localName === 'crop-view'")
    pressed("Close photo")
    page.get_by_role("button", name="Open a photo").wait_for()
    settle(page)
    assert page.evaluate(FOCUSED)


@pytest.mark.thorough
def test_the_list_of_shortcuts_starts_at_its_top_and_is_in_the_bar(open_page):
    page = open_coordinates(open_page)
    page.set_viewport_size({"width": 1280, "height": 420})
    page.set_viewport_size({"width": 1280, "height": 640})
    page.locator("#editor .bar").get_by_role("button", name="Keyboard shortcuts").click()
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    dialog.wait_for()
    assert dialog.evaluate("(dialog) => dialog.scrollHeight > dialog.clientHeight && dialog.scrollTop === 0")
