"""A queue of several photos: its frames and results are kept, and saved together."""

import zipfile

import pytest
from editor import rect, settle, wait_for_photo, wait_until, written
from PIL import Image
from test_keeping import is_nothing_kept, press, stored
from test_page import assert_accessible, assert_shown
from test_sources import choose, files, shown_width


def at_second_of_three(open_page, *options, **more):
    """Three photos: the first is cropped; the second has a frame and is open."""
    page = open_page(*options, **more)
    choose(page, files((300, 200), (320, 200), (340, 200)))
    shown_width(page, 300)
    press(page, "Crop")
    page.get_by_role("button", name="Next photo (2 of 3)").click()
    shown_width(page, 320)
    wait_for_photo(page)
    settle(page)
    page.evaluate("document.querySelector('crop-view').command('ratio', 1, 1)")
    settle(page)
    written(page)
    return page


def states(page):
    press(page, "All photos")
    dialog = page.get_by_role("dialog")
    found = [text.strip() for text in dialog.locator(".state").all_inner_texts()]
    dialog.get_by_role("button", name="Close").click()
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("is_changed", [True, False])
def test_a_queue_in_one_tab_outlives_discarding_it_in_another(open_page, is_changed):
    page = at_second_of_three(open_page)
    drawn = rect(page)
    other = page.context.new_page()
    other.goto(page.url.split("#")[0])
    other.get_by_role("button", name="Continue where you left off: photo-1.png and 2 more").click()
    shown_width(other, 320)
    other.get_by_role("button", name="Discard").click()
    settle(other)
    if is_changed:
        page.get_by_role("button", name="Rotate right").click()
        settle(page)
        drawn = rect(page)
    stored(page, 1, "cropkit-queues", "queues")
    written(page)
    page.reload()
    shown_width(page, 320)
    page.get_by_text("Your photos are back").wait_for()
    settle(page)
    assert rect(page) == drawn
    assert states(page) == ["Cropped, not saved", "Ready to crop", "Not cropped"]


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_a_queue_keeps_every_result_and_saves_all(open_page, keep, viewport):
    page = open_page(viewport)
    page.evaluate("delete Window.prototype.showDirectoryPicker; delete window.showDirectoryPicker")
    choose(page, files((300, 200), (320, 200), (340, 200)))
    shown_width(page, 300)
    press(page, "Crop")
    page.get_by_role("button", name="Next photo (2 of 3)").wait_for()
    # Enter on the focused button continues and discards nothing.
    page.keyboard.press("Enter")
    shown_width(page, 320)
    page.go_back()
    page.get_by_role("link", name="Save").wait_for()
    assert page.locator("#result h1").inner_text() == "photo-1-cropped.png"
    page.get_by_role("button", name="Next photo (2 of 3)").click()
    shown_width(page, 320)
    wait_for_photo(page)
    settle(page)
    page.evaluate("document.querySelector('crop-view').command('ratio', 1, 1)")
    settle(page)
    press(page, "All photos")
    dialog = page.get_by_role("dialog")
    states = [text.strip() for text in dialog.locator(".state").all_inner_texts()]
    assert states == ["Cropped, not saved", "Ready to crop", "Not cropped"]
    assert_accessible(page)
    keep(page, f"queue-all-{viewport}")
    dialog.get_by_role("button", name="Same ratio and size for all").click()
    with page.expect_download() as waiting:
        dialog.get_by_role("button", name="Save all").click()
    dialog.get_by_role("status").get_by_text("3 of 3 saved").wait_for()
    assert dialog.locator(".state").all_inner_texts() == ["Saved"] * 3
    assert waiting.value.suggested_filename == "Cropped photos.zip"
    with zipfile.ZipFile(waiting.value.path()) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [f"photo-{number}-cropped.png" for number in (1, 2, 3)]
        sizes = [Image.open(archive.open(name)).size for name in archive.namelist()]
    assert sizes == [(300, 200), (200, 200), (200, 200)]
    keep(page, f"queue-saved-{viewport}")


@pytest.mark.thorough
def test_a_queue_is_restored_after_a_reload_with_its_frames_and_results(open_page, keep):
    page = at_second_of_three(open_page)
    drawn = rect(page)
    made = []
    page.on("request", lambda request: "api/crop?" in request.url and made.append(request.url))
    page.reload()
    shown_width(page, 320)
    page.get_by_text("Your photos are back").wait_for()
    assert page.locator(".toasts").get_attribute("role") == "status"
    assert_accessible(page)
    keep(page, "queue-back")
    # It offers nothing about saved files.
    assert not page.get_by_role("button", name="More ways to save").is_visible()
    settle(page)
    assert rect(page) == drawn and drawn[2] == drawn[3] == 200
    page.get_by_text("2 of 3").first.wait_for()
    assert states(page) == ["Cropped, not saved", "Ready to crop", "Not cropped"]
    # The result still exists and is not made again.
    page.go_back()
    page.get_by_role("link", name="Save").wait_for()
    assert page.locator("#result h1").inner_text() == "photo-1-cropped.png"
    assert made == []
    # On the result's screen too.
    page.reload()
    page.get_by_role("link", name="Save").wait_for()
    page.get_by_role("button", name="Next photo (2 of 3)").click()
    shown_width(page, 320)
    settle(page)
    assert rect(page) == drawn


@pytest.mark.thorough
def test_a_closed_queue_can_be_continued_or_cleared(open_page, keep):
    page = at_second_of_three(open_page)
    drawn = rect(page)
    press(page, "Close photo")
    page.get_by_role("button", name="Continue where you left off: photo-1.png and 2 more").wait_for()
    assert_shown(page, keep, "queue-start")
    # Another page in the same browser continues with it.
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Continue where you left off: photo-1.png and 2 more").click()
    shown_width(other, 320)
    settle(other)
    assert rect(other) == drawn
    other.get_by_text("Your photos are back").wait_for()
    other.get_by_role("button", name="Discard").click()
    is_nothing_kept(other)
    other.reload()
    is_nothing_kept(other)


def test_unchanged_photos_are_not_stored_when_they_are_closed(open_page):
    page = open_page()
    choose(page, files((300, 200), (320, 200)))
    shown_width(page, 300)
    wait_for_photo(page)
    written(page)
    # A reload does not close it.
    page.reload()
    shown_width(page, 300)
    press(page, "Close photo")
    is_nothing_kept(page)


def test_a_saved_queue_is_not_stored_any_more(open_page):
    page = at_second_of_three(open_page)
    page.evaluate("delete Window.prototype.showDirectoryPicker; delete window.showDirectoryPicker")
    press(page, "All photos")
    page.get_by_role("button", name="Same ratio and size for all").click()
    with page.expect_download():
        page.get_by_role("button", name="Save all").click()
    page.get_by_role("status").get_by_text("3 of 3 saved").wait_for()
    press(page, "Close")
    press(page, "Close photo")
    is_nothing_kept(page)


FOLDER = """window.showDirectoryPicker = async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('chosen', { create: true });
  await folder.getFileHandle('photo-1-cropped.png', { create: true });
  return folder;
};"""
LISTED = """(async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('chosen');
  const found = [];
  for await (const [name, handle] of folder.entries()) found.push([name, (await handle.getFile()).size]);
  return found.sort();
})()"""


def test_a_queue_is_saved_in_a_folder_and_replaces_nothing_there(open_page, keep):
    page = at_second_of_three(open_page)
    page.evaluate(FOLDER)
    press(page, "All photos")
    page.get_by_role("button", name="Save all").click()
    page.get_by_role("status").get_by_text("2 of 2 saved").wait_for()
    found = page.evaluate(LISTED)
    assert [name for name, _ in found] == [
        "photo-1-cropped (2).png", "photo-1-cropped.png", "photo-2-cropped.png"]
    assert [size > 0 for _, size in found] == [True, False, True]
    keep(page, "queue-folder")


def test_a_folder_that_can_t_be_written_loses_nothing(open_page):
    page = at_second_of_three(open_page)
    page.evaluate("""window.showDirectoryPicker = async () => ({
      getFileHandle: async (name, options) => {
        throw new DOMException('', options?.create ? 'NoModificationAllowedError' : 'NotFoundError');
      } })""")
    press(page, "All photos")
    page.get_by_role("button", name="Save all").click()
    page.get_by_role("status").get_by_text("The photo couldn’t be saved there.").wait_for()
    states = page.get_by_role("dialog").locator(".state").all_inner_texts()
    assert states == ["Cropped, not saved", "Ready to crop", "Not cropped"]
    # The other way to save is next to it.
    with page.expect_download() as waiting:
        press(page, "Download as one file")
    assert waiting.value.suggested_filename == "Cropped photos.zip"


def test_saving_all_can_be_cancelled_and_keeps_finished_crops(open_page):
    page = at_second_of_three(open_page)
    held = []
    page.route("**/api/crop?**", lambda route: held.append(route))
    press(page, "All photos")
    page.evaluate("delete Window.prototype.showDirectoryPicker; delete window.showDirectoryPicker")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Save all").click()
    dialog.get_by_text("1 of 2 done").wait_for()
    wait_until(page, "document.querySelector('crop-view').inert")
    dialog.get_by_role("button", name="Cancel").click()
    dialog.get_by_role("button", name="Close").wait_for()
    assert dialog.locator(".state").all_inner_texts() == ["Cropped, not saved", "Ready to crop", "Not cropped"]
    for route in held:
        route.abort()


@pytest.mark.thorough
def test_leaving_a_queue_without_storage_asks_for_confirmation(open_page):
    page = open_page()
    page.add_init_script("indexedDB.open = () => { throw new Error('no room'); };")
    page.reload()
    choose(page, files((300, 200), (320, 200)))
    shown_width(page, 300)
    press(page, "Crop")
    page.get_by_role("button", name="Next photo (2 of 2)").click()
    shown_width(page, 320)
    assert page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    press(page, "Close photo")
    page.get_by_role("dialog").get_by_text("The crops are not saved yet.").wait_for()
    press(page, "Cancel")
    assert page.locator("#editor").is_visible()
    press(page, "Close photo")
    press(page, "Leave")
    page.get_by_role("button", name="Open a photo").wait_for()


@pytest.mark.thorough
def test_undoing_to_the_saved_crop_in_a_queue_leaves_it_saved(open_page):
    page = at_second_of_three(open_page)
    page.evaluate("delete Window.prototype.showDirectoryPicker; delete window.showDirectoryPicker")
    press(page, "All photos")
    dialog = page.get_by_role("dialog")
    with page.expect_download():
        dialog.get_by_role("button", name="Save all").click()
    dialog.get_by_role("status").get_by_text("2 of 2 saved").wait_for()
    dialog.get_by_role("button", name="Close").click()
    for is_reopened in [False, True]:
        if is_reopened:
            page.reload()
            shown_width(page, 320)
            wait_for_photo(page)
            settle(page)
        press(page, "16:9")
        settle(page)
        assert states(page) == ["Saved", "Ready to crop", "Not cropped"]
        press(page, "Undo")
        settle(page)
        assert states(page) == ["Saved", "Saved", "Not cropped"]


@pytest.mark.thorough
def test_a_discarded_queue_can_be_restored(open_page):
    page = at_second_of_three(open_page)
    drawn = rect(page)
    press(page, "Close photo")
    page.get_by_role("button", name="Discard photo-1.png").click()
    stored(page, 0, "cropkit-queues", "queues")
    page.get_by_role("button", name="Undo").click()
    stored(page, 1, "cropkit-queues", "queues")
    page.get_by_role("button", name="Continue where you left off: photo-1.png and 2 more").click()
    shown_width(page, 320)
    settle(page)
    assert rect(page) == drawn


def thumbs(page):
    return page.locator(".filmstrip .thumb")


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone", "small"])
def test_the_filmstrip_shows_every_photo_with_its_frame_and_opens_it(open_page, keep, viewport):
    page = at_second_of_three(open_page, viewport)
    wait_until(page, "document.querySelectorAll('.filmstrip .look img').length === 3")
    assert thumbs(page).evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))") == [
        "photo-1.png, Cropped, not saved", "photo-2.png, Ready to crop", "photo-3.png, Not cropped"]
    # The square frame of the second one, in the middle; the third one has none yet.
    frame = page.locator(".filmstrip .frame")
    wait_until(page, "!document.querySelectorAll('.filmstrip .frame')[1].hidden")
    assert frame.nth(1).evaluate("({ style }) => [style.left, style.top, style.width, style.height]") == [
        "18.75%", "0%", "62.5%", "100%"]
    assert frame.nth(2).is_hidden()
    assert_shown(page, keep, f"filmstrip-{viewport}")
    # It is above the photo, whose handles can be reached.
    strip = page.locator(".queue").bounding_box()
    assert strip["y"] + strip["height"] <= page.locator("#editor crop-view").bounding_box()["y"]
    page.get_by_role("button", name="photo-3.png").click()
    shown_width(page, 340)
    wait_until(page, "document.querySelectorAll('.thumb')[2].getAttribute('aria-pressed') === 'true'")
    page.get_by_role("button", name="photo-1.png").click()
    shown_width(page, 300)


@pytest.mark.thorough
def test_the_filmstrip_turns_with_the_crop_and_shows_a_tilt(open_page):
    page = at_second_of_three(open_page)
    wait_until(page, "document.querySelectorAll('.filmstrip .look img').length === 3")
    page.get_by_role("button", name="Rotate right").click()
    settle(page)
    whole = page.locator(".filmstrip .whole").nth(1)
    wait_until(page, "document.querySelectorAll('.filmstrip .whole')[1].clientHeight"
                     " > document.querySelectorAll('.filmstrip .whole')[1].clientWidth")
    assert "rotate(90deg)" in whole.locator("img").get_attribute("style")


@pytest.mark.thorough
def test_the_filmstrip_is_one_tab_stop(open_page):
    page = at_second_of_three(open_page)
    assert thumbs(page).evaluate_all("(all) => all.map((one) => one.tabIndex)") == [-1, 0, -1]
    thumbs(page).nth(1).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    shown_width(page, 340)


@pytest.mark.thorough
def test_what_the_same_crop_does_is_said(open_page):
    page = at_second_of_three(open_page)
    press(page, "All photos")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Photos without a crop get this ratio and size, centered.").wait_for()
    dialog.get_by_text("Photos without a crop are cropped at the same place.").wait_for()
    assert_accessible(page)
