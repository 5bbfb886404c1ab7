"""Browsing the library: months, albums, sources, navigation from photo to photo."""

import re
import zipfile

import pytest
from albums import first_photo, open_first
from editor import replace_original, settle, still, wait_for, wait_for_photo, wait_until
from fake_library import FakeLibrary
from test_page import assert_accessible, assert_fits, assert_shown

NO_CAMERA = "navigator.mediaDevices.enumerateDevices = async () => []"


def test_months_with_one_photo_share_a_row(open_page):
    library = FakeLibrary(5, spacing_hours=24 * 31)
    page = open_page(library=library)
    first_photo(page)
    months = page.locator(".month").all_inner_texts()
    assert months == ["July – November 2026"]
    tops = page.evaluate("[...document.querySelectorAll('a.photo')].map((link) => link.getBoundingClientRect().top)")
    assert len(tops) == 5 and len(set(tops)) == 1
    assert_accessible(page)


def test_the_recent_photos_are_an_album_only_where_there_are_others(open_page):
    few = open_page(library=FakeLibrary(20))
    first_photo(few)
    assert not few.locator("a.album", has_text="Recent").count()
    many = open_page(library=FakeLibrary(120))
    first_photo(many)
    assert many.locator("a.album", has_text="Recent").count() == 1


#: Notifies the page that cameras changed; true when it knows that a photo can be taken.
HEARD_OF_A_CAMERA = """() => new Promise((done) => {
  const { permissions, mediaDevices } = navigator;
  const query = permissions.query.bind(permissions);
  // The last thing that the page asks before it decides.
  permissions.query = async (wish) => {
    const devices = await mediaDevices.enumerateDevices();
    const answer = await query(wish);
    setTimeout(done, 0, devices.some(({ kind }) => kind === 'videoinput') && answer.state !== 'denied');
    return answer;
  };
  mediaDevices.dispatchEvent(new Event('devicechange'));
})"""


def test_a_laptop_with_a_webcam_offers_its_files_first(open_page):
    page = open_page(library=FakeLibrary(6))
    first_photo(page)
    assert page.evaluate(HEARD_OF_A_CAMERA)
    assert page.locator("#library .sources button.primary").inner_text() == "Open a file"
    assert page.locator("#library .sources button.secondary").inner_text() == "Take a photo"
    assert_accessible(page)


@pytest.mark.parametrize("viewport", ["phone", "tablet"])
def test_taking_a_photo_is_the_first_action_on_handheld_devices_with_a_camera(open_page, viewport):
    page = open_page(viewport, library=FakeLibrary(6))
    page.locator("#library .sources button.primary").get_by_text("Take a photo").wait_for()
    page.evaluate(NO_CAMERA)
    page.evaluate("navigator.mediaDevices.dispatchEvent(new Event('devicechange'))")
    page.locator("#library .sources button.primary").get_by_text("Open a file").wait_for()
    assert page.locator("#library .sources button.secondary").inner_text() == "Take a photo"
    assert_fits(page)
    assert_accessible(page)


@pytest.mark.parametrize("first", ["library", "start"])
def test_without_a_library_the_front_camera_is_first_otherwise_the_rear_one(open_page, first):
    page = open_page("phone", library=FakeLibrary(6) if first == "library" else None, permissions=["camera"])
    page.evaluate("""() => {
      window.asked = [];
      const { mediaDevices } = navigator;
      const ask = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = (wish) => { asked.push(wish.video.facingMode); return ask(wish); };
    }""")
    page.get_by_role("button", name="Take a photo").click()
    wait_until(page, "!document.querySelector('.shutter').disabled")
    assert page.evaluate("asked") == ["environment"]


def chosen(page):
    return page.locator("[role=gridcell][aria-selected=true]").count()


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone", "tablet"])
def test_photos_are_found_by_name_and_by_date(open_page, keep, viewport):
    page = open_page(viewport, library=FakeLibrary(60))
    search = page.get_by_role("searchbox", name="Search names, albums and dates")
    search.fill("img_4007")
    page.get_by_text("Found: 1", exact=True).wait_for(state="attached")
    assert page.locator("a.photo[data-id]").count() == 1
    search.fill("october 2026")
    wait_until(page, "document.querySelector('.month')?.textContent === 'October 2026'")
    first_photo(page)
    assert_shown(page, keep, f"library-{viewport}-found")
    search.fill("2026-09-3")
    wait_until(page, "document.querySelector('.month')?.textContent === 'September 2026'")
    search.fill("nowhere")
    page.get_by_role("heading", name="Nothing found").wait_for()
    assert_accessible(page)
    search.fill("")
    page.get_by_role("heading", name="Nothing found").wait_for(state="hidden")


def test_photos_are_found_by_the_name_of_their_album(open_page):
    page = open_page(library=FakeLibrary(60))
    page.get_by_role("searchbox", name="Search names, albums and dates").fill("lisbon")
    page.get_by_text("Found: 20", exact=True).wait_for(state="attached")


def test_a_month_has_one_heading_however_the_clocks_of_its_photos_were_set(open_page):
    library = FakeLibrary(4, spacing_hours=1)
    # In the order of time, with the offsets of two places around the end of a month.
    for key, taken in {"p0": "2026-11-01T08:30:00+09:00", "p1": "2026-10-31T23:00:00+00:00",
                       "p2": "2026-11-01T07:30:00+09:00", "p3": "2026-10-31T22:00:00+00:00"}.items():
        library.photos[key]["captured"] = taken
    library.ordered = [library.photos[f"p{number}"] for number in range(4)]
    page = open_page(library=library)
    first_photo(page)
    page.evaluate("document.querySelector('.photo-grid').style.setProperty('--columns', '3')")
    headings = page.locator(".month").all_inner_texts()
    assert len(headings) == len(set(headings))


def test_photos_outside_all_folders_are_not_an_album_named_after_the_library(open_page):
    library = FakeLibrary(6)
    albums = library.albums
    library.albums = lambda: [*albums(), {"id": "root", "name": "Pictures", "kind": "root", "count": 2, "cover": "p1"}]
    page = open_page(library=library)
    page.get_by_role("link", name="In no album").wait_for()
    assert page.get_by_role("link", name="Pictures").count() == 0


def test_deleted_photos_are_listed_and_restored(open_page, keep):
    library = FakeLibrary(6)
    name = library.photos["p0"]["name"]
    library.post_trash("p0", {}, b"")
    page = open_page(library=library)
    first_photo(page)
    page.get_by_role("button", name="Recently deleted").click()
    dialog = page.get_by_role("dialog", name="Recently deleted")
    dialog.get_by_text(name).wait_for()
    assert_accessible(page)
    keep(page, "library-deleted")
    dialog.get_by_role("button", name=f"Restore {name}").click()
    dialog.get_by_text("There are no photos in the trash.").wait_for()
    assert "p0" in library.photos


def test_a_replaced_original_can_be_restored_when_the_photo_is_opened_again(open_page):
    library = FakeLibrary(6)
    page = open_page(library=library)
    open_first(page)
    width = library.photos["p0"]["width"]
    page.evaluate("document.querySelector('crop-view').command('ratio', 1, 1)")
    settle(page)
    replace_original(page)
    page.get_by_role("button", name="Close photo").click()
    open_first(page)
    page.get_by_role("button", name="More ways to save").click()
    page.get_by_role("menuitem", name="Restore original").click()
    page.get_by_text("was restored").wait_for()
    assert library.photos["p0"]["width"] == width


def test_an_open_menu_stays_open_when_another_action_is_added(open_page):
    library = FakeLibrary(3)
    library.before["p0"] = dict(library.photos["p0"]), library.files["p0"]
    page = open_page(library=library)
    first_photo(page)
    details = []
    page.route("**/api/photos/p0", lambda route: details.append(route))
    open_first(page)
    page.get_by_role("button", name="More ways to save").click()
    focused = "document.activeElement.textContent"
    page.keyboard.press("ArrowDown")
    action = page.evaluate(focused)
    added = page.get_by_role("menuitem", name="Restore original")
    assert details and added.count() == 0
    page.unroute("**/api/photos/p0")
    library.route(details[0])
    added.wait_for()
    assert action and page.evaluate(focused) == action


@pytest.mark.thorough
def test_a_link_is_followed_when_the_library_can_be_reached_again(open_page):
    library = FakeLibrary(5)
    library.is_gone = True
    page = open_page(library=library, path="#/photos/p1/view", expects=("ERR_CONNECTION_REFUSED",))
    page.get_by_text("CropKit can’t be reached.").first.wait_for()
    assert page.evaluate("location.hash") == "#/photos/p1/view"
    library.is_gone = False
    # By itself, too.
    page.locator("#result h1", has_text="IMG_4001").wait_for()


@pytest.mark.parametrize("when", ["commit", "domcontentloaded", "load"])
def test_a_link_is_followed_at_any_moment_of_the_start(open_page, when):
    library = FakeLibrary(5)
    page = open_page(library=library)
    address = page.url
    page.goto("about:blank")
    page.goto(address, wait_until=when)
    page.evaluate("location.hash = '#/photos/p1/view'")
    page.locator("#result h1", has_text="IMG_4001").wait_for()


def test_all_of_a_large_album_is_searched(open_page):
    page = open_page(library=FakeLibrary(2500))
    first_photo(page)
    page.get_by_role("searchbox").fill("IMG_6499")
    page.get_by_text("Found: 1", exact=True).wait_for(state="attached")


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_several_photos_are_cropped_to_one_ratio(open_page, keep, viewport):
    library = FakeLibrary(12)
    page = open_page(viewport, library=library, path="#/albums/all")
    first_photo(page)
    page.get_by_role("button", name="Select", exact=True).click()
    for at in (1, 3):
        page.locator("a.photo[data-id]").nth(at).click()
    page.get_by_text("Selected: 2").wait_for()
    assert chosen(page) == 2 and page.url.endswith("#/albums/all")
    assert_shown(page, keep, f"library-{viewport}-selected")
    page.get_by_role("button", name="Crop to a ratio").click()
    assert_accessible(page)
    page.get_by_role("menuitem", name="Square").click()
    page.get_by_text("Saved in Cropped: 2").wait_for()
    made = library.members("cropped")
    assert len(made) == 2 and all(photo["width"] == photo["height"] for photo in made)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Moved to the trash: 2").wait_for()
    assert library.members("cropped") == []
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Select", exact=True).wait_for()


def test_selected_photos_are_cropped_one_by_one_and_shown(open_page):
    library = FakeLibrary(12)
    page = open_page(library=library)
    first_photo(page)
    page.get_by_role("button", name="Select", exact=True).click()
    for at in (0, 1):
        page.locator("a.photo[data-id]").nth(at).click()
    page.get_by_role("button", name="Crop one by one").click()
    page.get_by_text("1 of 2", exact=True).wait_for()
    wait_for_photo(page)
    page.go_back()
    first_photo(page)
    page.get_by_role("button", name="Select", exact=True).click()
    page.locator("a.photo[data-id]").nth(0).click()
    page.get_by_role("button", name="Crop to a ratio").click()
    page.get_by_role("menuitem", name="Square").click()
    page.get_by_role("link", name="Show").click()
    wait_until(page, "location.hash === '#/albums/cropped' && document.querySelectorAll('a.photo[data-id]').length === 1")


def test_several_photos_go_to_the_trash_and_come_back(open_page):
    library = FakeLibrary(12)
    page = open_page(library=library)
    first_photo(page)
    page.get_by_role("button", name="Select", exact=True).click()
    page.locator("a.photo[data-id]").nth(0).click()
    page.locator("a.photo[data-id]").nth(2).click(modifiers=["Shift"])
    page.get_by_text("Selected: 3").wait_for()
    page.get_by_role("button", name="Move to trash").click()
    page.get_by_text("Moved to the trash: 3").wait_for()
    assert len(library.photos) == 9
    page.get_by_role("button", name="Restore", exact=True).click()
    wait_until(page, "document.querySelector('.selection .count').textContent === 'Selected: 0'")
    assert len(library.photos) == 12


def test_several_photos_are_one_download(open_page):
    page = open_page(library=FakeLibrary(12))
    first_photo(page)
    page.get_by_role("button", name="Select", exact=True).click()
    for at in (0, 1):
        page.locator("a.photo[data-id]").nth(at).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename == "Photos.zip"
    with zipfile.ZipFile(waiting.value.path()) as archive:
        assert sorted(archive.namelist()) == ["IMG_4000.jpg", "IMG_4001.jpg"]
        assert archive.testzip() is None


def test_photos_are_chosen_by_the_keyboard(open_page):
    page = open_page(library=FakeLibrary(12))
    first_photo(page)
    page.get_by_role("button", name="Select", exact=True).press("Enter")
    page.locator("a.photo[data-id]").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_text("Selected: 2").wait_for()
    page.keyboard.press("Space")
    page.get_by_text("Selected: 1").wait_for()
    assert chosen(page) == 1
    # Also after a click beside the photos.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+a")
    page.get_by_text("Selected: 12").wait_for()


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_the_next_photo_and_the_one_before_are_one_step_away(open_page, viewport):
    library = FakeLibrary(5)
    library.ordered[1].update(width=0, height=0, problem={"code": "truncated", "message": "it ends early"})
    page = open_page(viewport, library=library, path="#/albums/all")
    first_photo(page).click()
    wait_for_photo(page)
    settle(page)
    names = [photo["name"] for photo in library.ordered]
    # A photo that can't be shown is skipped.
    assert page.get_by_role("button", name="Previous photo").is_disabled()
    assert_accessible(page)
    if viewport == "phone":
        page.get_by_role("button", name="Next photo").tap()
    else:
        page.keyboard.press("PageDown")
    wait_until(page, f"document.querySelector('#editor h1').textContent === {names[2]!r}")
    wait_for_photo(page)
    assert_accessible(page)
    page.keyboard.press("PageUp")
    wait_until(page, f"document.querySelector('#editor h1').textContent === {names[0]!r}")
    # Going back leads to the album, however many photos were viewed.
    page.get_by_role("button", name="Close photo").click()
    first_photo(page)
    assert page.url.endswith("#/albums/all")


def test_photos_are_viewed_one_after_another(open_page):
    library = FakeLibrary(5)
    page = open_page(library=library)
    first_photo(page)
    page.evaluate("location.hash = '#/photos/p1/view'")
    page.locator("#result h1", has_text="IMG_4001").wait_for()
    page.get_by_role("button", name="Next photo").click()
    page.locator("#result h1", has_text="IMG_4002").wait_for()
    assert page.url.endswith("#/photos/p2/view")
    assert_accessible(page)


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_search_results_have_one_place_per_photo(open_page, viewport):
    page = open_page(viewport, library=FakeLibrary(600), path="#/albums/all")
    first_photo(page)
    # Far down, where most of the album is not loaded yet.
    page.evaluate("document.querySelector('.scroller').scrollTop = 1e6")
    still(page)
    for text, count in (("img_40", 100), ("img_400", 10), ("img_4007", 1), ("img_459", 10), ("img_4", 600)):
        page.get_by_role("searchbox").fill(text)
        page.get_by_text(f"Found: {count}", exact=True).wait_for(state="attached")
        still(page)
        assert page.locator("a.photo:not([data-id])").count() == 0, text
        if count <= 10:
            assert page.locator("a.photo").count() == count
        assert page.locator(".scroller").evaluate("(scroller) => scroller.scrollTop") == 0


@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_a_photo_opened_by_its_address_has_its_neighbors(open_page, viewport):
    page = open_page(viewport, library=FakeLibrary(8), path="#/photos/p3")
    wait_for_photo(page)
    page.get_by_role("button", name="Next photo").click()
    page.locator("#editor h1", has_text="IMG_4004").wait_for(state="attached")
    wait_for_photo(page)
    page.keyboard.press("PageUp")
    page.locator("#editor h1", has_text="IMG_4003").wait_for(state="attached")


class Held(FakeLibrary):
    """A library that keeps the page waiting for certain calls until they are released."""

    def __init__(self, count, pattern):
        super().__init__(count)
        self.pattern, self.held = pattern, []

    def route(self, route):
        if self.pattern and re.search(self.pattern, route.request.url):
            self.held.append(route)
        else:
            super().route(route)

    def release(self):
        held, self.held, self.pattern = self.held, [], None
        for route in held:
            super().route(route)


#: What the page waits for when a link is followed.
MOMENTS = {
    "before everything": "/api/", "before the samples": "/api/samples", "before the albums": "/api/albums$",
    "before the photos": "/api/albums/all/photos", "before another photo": "/api/photos/p3",
    "before several others": "/api/photos/p4",
}


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("address", "shown", "text"), [
    ("#/photos/p1/view", "#result h1", "IMG_4001"), ("#/photos/p1", "#editor h1", "IMG_4001"),
    ("#/queue/p2.p1", "#editor h1", "IMG_4002"), ("#/albums/folder-1", "#library [aria-current]", "Lisbon 2024"),
    ("#/photos/p1/targets", "#targets h1", "IMG_4001"),
])
def test_a_link_is_followed_whatever_the_page_waits_for(open_page, moment, address, shown, text):
    library = Held(5, MOMENTS[moment])
    before = {"before another photo": "#/photos/p3/view", "before several others": "#/queue/p4.p3"}.get(moment, "")
    page = open_page(library=library, path=before)
    wait_for(page, lambda: library.held)
    page.evaluate("""(address) => new Promise((resolve) => {
      addEventListener('popstate', resolve, { once: true });
      location.hash = address;
    })""", address)
    library.release()
    page.locator(shown, has_text=text).first.wait_for(state="attached")
    # What was waited for does not lead elsewhere.
    still(page)
    assert page.locator(shown, has_text=text).first.is_visible() or shown.endswith("h1")
    assert "/queue/" in address or page.evaluate("location.hash") == address


def test_a_shared_photo_does_not_undo_a_link(open_page):
    page = open_page(library=FakeLibrary(5))
    page.evaluate("""async () => {
      const open = caches.open.bind(caches);
      const release = new Promise((resolve) => { globalThis.release = resolve; });
      caches.open = (name) => release.then(() => open(name));
      location.hash = '#/shared';
      await new Promise((done) => setTimeout(done));
      location.hash = '#/photos/p1';
      globalThis.release();
    }""")
    page.locator("#editor h1", has_text="IMG_4001").wait_for(state="attached")
    wait_for_photo(page)
    assert page.evaluate("location.hash") == "#/photos/p1"


def test_a_request_that_reads_survives_a_broken_connection(open_page):
    library = FakeLibrary(5)
    broken = []

    def break_once(route):
        if route.request.url in broken:
            return route.fallback()
        broken.append(route.request.url)
        return route.abort("connectionreset")

    page = open_page(library=library, expects=("ERR_CONNECTION_RESET",))
    page.route("**/api/photos/p1*", break_once)
    page.evaluate("location.hash = '#/photos/p1/view'")
    page.locator("#result h1", has_text="IMG_4001").wait_for()
    assert broken


def test_the_name_of_a_viewed_photo_fits_on_a_phone(open_page):
    page = open_page("phone", library=FakeLibrary(5))
    page.evaluate("location.hash = '#/photos/p1/view'")
    page.locator("#result h1", has_text="IMG_4001").wait_for()
    assert page.locator("#result .title > *").evaluate_all(
        "(lines) => lines.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)")
    page.get_by_role("button", name="Next photo").click()
    page.locator("#result h1", has_text="IMG_4002").wait_for()
    assert_fits(page)
    assert_accessible(page)
