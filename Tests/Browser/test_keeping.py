"""The user's work is never lost: unsaved crops, earlier results."""

import pytest
from editor import (
    at, drag, open_photo, rect, set_style, settle, wait_for_photo, wait_for_preview, wait_until, written
)
from fake_library import FakeLibrary
from pictures import coordinates, png
from test_page import assert_accessible, assert_shown
from test_sources import shown_width

#: Unlike the sizes of the other tests' photos.
PHOTO = png(coordinates(330, 210))


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def framed(page, name="kept.png", data=PHOTO):
    """Opens a photo and draws a frame on it by hand."""
    open_photo(page, data, name=name)
    drag(page, at(page, 50, 50), at(page, 200, 150))
    assert rect(page) is not None
    stored(page)
    return rect(page)


def stored(page, count=1, database="cropkit-drafts", records="frames"):
    """Waits until the browser has stored this many crops or queues."""
    wait_until(page, """new Promise((done) => {
      const open = indexedDB.open('%s');
      open.onsuccess = () => {
        const database = open.result;
        if (!database.objectStoreNames.contains('%s')) {
          database.close();
          return done(-1);
        }
        const asked = database.transaction('%s').objectStore('%s').count();
        asked.onsuccess = () => { database.close(); done(asked.result); };
      };
    }).then((found) => found === %d)""" % (database, records, records, records, count))


@pytest.mark.thorough
def test_a_cleared_selection_is_restored_in_another_style(open_page):
    page = open_page()
    drawn = framed(page)
    page.evaluate("document.querySelector('crop-view').clear()")
    set_style(page, "Viewfinder")
    press(page, "Undo")
    settle(page)
    set_style(page, "Marquee")
    assert rect(page) == drawn


def is_nothing_kept(page):
    """The start offers no photo to continue with."""
    page.get_by_role("button", name="Open a photo").wait_for()
    page.get_by_role("heading", name="Not saved yet").wait_for(state="hidden")


def test_a_frame_is_restored_after_closing_and_after_a_reload(open_page, keep):
    page = open_page()
    drawn = framed(page)
    press(page, "Close photo")
    page.get_by_role("heading", name="Not saved yet").wait_for()
    assert_shown(page, keep, "drafts-start")
    page.get_by_role("button", name="Continue where you left off: kept.png").click()
    wait_for_photo(page)
    settle(page)
    assert rect(page) == drawn
    page.get_by_text("Unsaved crop restored").wait_for()
    assert_accessible(page)
    keep(page, "drafts-back")
    page.reload()
    wait_for_photo(page)
    settle(page)
    assert rect(page) == drawn
    page.get_by_role("button", name="Discard").click()
    settle(page)
    assert rect(page) == (0, 0, 330, 210)
    stored(page, 0)
    press(page, "Close photo")
    is_nothing_kept(page)


def keeps_ratio(page, ratio):
    """Whether a ratio is chosen, and still holds when the width changes."""
    assert page.get_by_role("button", name=ratio, exact=True).get_attribute("aria-pressed") == "true"
    page.get_by_label("Width in pixels").fill("96")
    page.get_by_label("Width in pixels").press("Enter")
    settle(page)
    wide, high = map(int, ratio.split(":"))
    assert rect(page)[2:] == (96, 96 * high // wide)


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["reload", "continue"])
def test_a_locked_ratio_is_restored(open_page, way):
    page = open_page()
    open_photo(page, PHOTO, name="kept.png", style=None)
    press(page, "3:2")
    settle(page)
    page.get_by_label("Width in pixels").fill("150")
    page.get_by_label("Width in pixels").press("Enter")
    settle(page)
    drawn = rect(page)
    stored(page)
    written(page)
    if way == "reload":
        page.reload()
    else:
        press(page, "Close photo")
        page.get_by_role("button", name="Continue where you left off: kept.png").click()
    wait_for_photo(page)
    settle(page)
    assert rect(page) == drawn
    keeps_ratio(page, "3:2")


@pytest.mark.thorough
def test_crops_are_discarded_one_at_a_time_and_that_can_be_undone(open_page, keep):
    page = open_page()
    framed(page, "first.png")
    press(page, "Close photo")
    open_photo(page, png(coordinates(340, 210)), name="second.png")
    drag(page, at(page, 50, 50), at(page, 200, 150))
    stored(page, 2)
    press(page, "Close photo")
    first = page.get_by_role("button", name="Continue where you left off: first.png")
    first.wait_for()
    page.get_by_role("button", name="Discard second.png").click()
    page.get_by_text("second.png was discarded").wait_for()
    stored(page, 1)
    assert_shown(page, keep, "drafts-discarded")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Continue where you left off: second.png").wait_for()
    stored(page, 2)
    page.get_by_role("button", name="Discard second.png").click()
    page.get_by_text("second.png was discarded").wait_for()
    stored(page, 1)
    page.reload()
    first.wait_for()
    assert page.get_by_role("button", name="Continue where you left off: second.png").count() == 0


@pytest.mark.thorough
def test_a_frame_is_restored_by_the_browser_s_navigation(open_page):
    page = open_page()
    drawn = framed(page)
    page.go_back()
    page.get_by_role("button", name="Open a photo").wait_for()
    page.go_forward()
    wait_for_photo(page)
    settle(page)
    assert rect(page) == drawn
    # Another file is opened; going back leads to the first.
    open_photo(page, png(coordinates(500, 100)), name="other.png")
    page.go_back()
    shown_width(page, 330)
    settle(page)
    assert rect(page) == drawn


@pytest.mark.thorough
def test_the_same_file_under_another_name_has_its_frame(open_page):
    page = open_page()
    drawn = framed(page)
    open_photo(page, png(coordinates(500, 100)), name="other.png", style=None)
    open_photo(page, PHOTO, name="renamed.png", style=None)
    assert rect(page) == drawn


def in_another_tab(page, data=PHOTO):
    """Opens the page again in the same browser, with a photo."""
    other = page.context.new_page()
    other.goto(page.url.split("#")[0])
    open_photo(other, data, name="kept.png", style=None)
    return other


def choose_ratio(page, name):
    press(page, name)
    settle(page)
    return rect(page)


@pytest.mark.thorough
@pytest.mark.parametrize("is_changed", [True, False])
def test_a_crop_in_one_tab_outlives_a_reset_in_another(open_page, is_changed):
    page = open_page()
    open_photo(page, PHOTO, name="kept.png", style=None)
    drawn = choose_ratio(page, "Square")
    stored(page)
    other = in_another_tab(page)
    assert rect(other) == drawn
    press(page, "Reset")
    settle(page)
    if is_changed:
        drawn = choose_ratio(other, "16:9")
    stored(other)
    written(other)
    other.reload()
    wait_for_photo(other)
    settle(other)
    assert rect(other) == drawn


@pytest.mark.thorough
def test_a_listed_photo_can_be_continued_or_is_not_listed_any_more(open_page):
    page = open_page()
    framed(page)
    press(page, "Close photo")
    page.reload()
    way = page.get_by_role("button", name="Continue where you left off: kept.png")
    way.wait_for()
    other = in_another_tab(page)
    press(other, "Reset")
    is_nothing_kept(page)
    choose_ratio(other, "Square")
    stored(page)
    page.reload()
    way.wait_for()
    remove(page, "frames", "files")
    way.click()
    is_nothing_kept(page)
    # A crop without its photo can't be continued.
    choose_ratio(other, "16:9")
    stored(page)
    remove(page, "files")
    page.reload()
    is_nothing_kept(page)


def remove(page, *stores):
    """Removes crops, their photos or both, as a browser without space does."""
    page.evaluate("""(stores) => new Promise((done) => {
      const open = indexedDB.open('cropkit-drafts');
      open.onsuccess = () => {
        const change = open.result.transaction(stores, 'readwrite');
        for (const store of stores) change.objectStore(store).clear();
        change.oncomplete = () => { open.result.close(); done(); };
      };
    })""", stores)


@pytest.mark.thorough
def test_saved_work_is_no_longer_stored(open_page):
    page = open_page()
    framed(page)
    press(page, "Crop")
    with page.expect_download():
        page.get_by_role("link", name="Save").click()
    stored(page, 0)


@pytest.mark.thorough
def test_without_storage_leaving_asks_for_confirmation(open_page):
    page = open_page()
    page.add_init_script("indexedDB.open = () => { throw new Error('no room'); };")
    page.reload()
    open_photo(page, PHOTO)
    drag(page, at(page, 50, 50), at(page, 200, 150))
    asked = page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    assert asked
    # In this page, it is still available.
    press(page, "Close photo")
    page.get_by_role("button", name="Continue where you left off: photo.png").wait_for()


@pytest.mark.thorough
def test_clicking_crop_twice_makes_one_file(open_page):
    page = open_page()
    framed(page)
    made = []
    page.on("request", lambda request: "api/crop?" in request.url and made.append(request.url))
    for _ in range(2):
        press(page, "Crop")
        page.get_by_role("link", name="Save").wait_for()
        page.get_by_role("button", name="Keep editing").first.click()
        page.get_by_role("button", name="Crop", exact=True).wait_for()
    assert len(made) == 1
    drag(page, at(page, 100, 100), at(page, 110, 110))
    press(page, "Crop")
    page.get_by_role("link", name="Save").wait_for()
    assert len(made) == 2


@pytest.fixture
def library():
    return FakeLibrary(count=6)


def opened(open_page, library):
    page = open_page(library=library, path="#/photos/p1")
    wait_until(page, "document.querySelector('crop-view')?.complete"
               " && document.querySelector('crop-view').state !== null")
    wait_for_photo(page)
    set_style(page, "Marquee")
    drag(page, at(page, 400, 400), at(page, 1500, 1500))
    return page, rect(page)


@pytest.mark.thorough
def test_a_frame_on_a_photo_of_the_library_is_restored(open_page, library):
    page, drawn = opened(open_page, library)
    stored(page)
    page.reload()
    page.get_by_text("Unsaved crop restored").wait_for()
    assert rect(page) == drawn


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_unsaved_work_is_listed_on_the_start_screen(open_page, keep, library, viewport):
    page = open_page(viewport, library=library)
    page.locator(".album img").first.wait_for()
    framed(page)
    press(page, "Close photo")
    page.get_by_role("heading", name="Not saved yet").wait_for()
    assert_shown(page, keep, f"library-{viewport}-not-saved")
    page.locator(".album", has_text="All").click()
    page.locator("a.photo[data-id]").first.wait_for()
    # On a phone, the photos have the complete screen.
    assert page.get_by_role("heading", name="Not saved yet").is_visible() == (viewport == "desk")


@pytest.mark.thorough
def test_a_crop_of_a_photo_of_the_library_outlives_a_reset_in_another_tab(open_page, library):
    page, drawn = opened(open_page, library)
    stored(page)
    other = page.context.new_page()
    other.route("**/api/**", library.route)
    other.goto(page.url)
    other.get_by_text("Unsaved crop restored").wait_for()
    assert rect(other) == drawn
    press(page, "Square")
    settle(page)
    press(page, "Reset")
    settle(page)
    stored(other)
    written(other)
    other.reload()
    other.get_by_text("Unsaved crop restored").wait_for()
    assert rect(other) == drawn


@pytest.mark.thorough
def test_undoing_to_the_saved_crop_leaves_nothing_to_restore(open_page, library):
    page, _ = opened(open_page, library)
    press(page, "Square")
    settle(page)
    press(page, "Crop")
    page.get_by_text("Saved in Cropped").wait_for()
    stored(page, 0)
    press(page, "16:9")
    settle(page)
    stored(page)
    press(page, "Undo")
    settle(page)
    stored(page, 0)
    # Redo still works.
    press(page, "Redo")
    settle(page)
    stored(page)


@pytest.mark.thorough
def test_a_crop_in_the_trash_is_ready_to_be_saved_again(open_page, library):
    page = open_page(library=library, path="#/queue/p1.p2")
    page.get_by_text("1 of 2").wait_for()
    wait_for_preview(page)
    drawn = choose_ratio(page, "Square")
    press(page, "Crop")
    page.get_by_text("Saved in Cropped").wait_for()
    stored(page, 0)
    mark = page.locator(".filmstrip .thumb[aria-pressed=true] .mark")
    assert mark.get_attribute("data-state") == "saved"
    page.get_by_role("status").get_by_role("button", name="Undo crop").click()
    page.get_by_text("The crop is in the trash").wait_for()
    stored(page)
    assert mark.get_attribute("data-state") == "framed"
    page.get_by_role("button", name="Restore").click()
    page.get_by_text("Saved in Cropped").wait_for()
    stored(page, 0)
    assert mark.get_attribute("data-state") == "saved"
    assert rect(page) == drawn


@pytest.mark.thorough
def test_undoing_a_replacement_restores_the_frame(open_page, library):
    page, drawn = opened(open_page, library)
    press(page, "More ways to save")
    page.get_by_role("menuitem", name="Replace original").click()
    press(page, "Replace")
    page.get_by_text("is now the crop").wait_for()
    page.locator(".toast").get_by_role("button", name="Restore original").click()
    page.get_by_text("was restored").wait_for()
    settle(page)
    assert rect(page) == drawn
