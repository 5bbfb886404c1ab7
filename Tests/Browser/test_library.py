"""The photo library on the page: albums, the grid, opening, errors."""

import re
from datetime import datetime, timedelta

import pytest
from albums import first_photo, names_in, open_first, press_crop, wait_for_first
from conftest import LOOKS
from editor import settle, still, wait_for, wait_for_photo, wait_until
from fake_library import FIRST_DAY, FakeLibrary
from test_page import assert_accessible, assert_fits, assert_shown

REFUSED = ("ERR_CONNECTION_REFUSED",)


@pytest.mark.thorough
@pytest.mark.parametrize("viewport, scheme", LOOKS)
def test_each_screen_of_the_library_fits_and_is_accessible(open_page, keep, library, viewport, scheme):
    """Takes long: four screens are checked for accessibility."""
    broken = library.ordered[4]
    broken.update(width=0, height=0, problem={"code": "truncated", "message": "the file ends early"})
    page = open_page(viewport, scheme, library=library)
    page.locator(".album img").first.wait_for()
    still(page)
    name = f"{viewport}-{scheme}"
    assert_shown(page, keep, f"library-{name}")
    if viewport != "desk":
        page.locator(".album", has_text="All").click()
        first_photo(page)
        still(page)
        assert_shown(page, keep, f"library-{name}-album")
    open_first(page)
    press_crop(page)
    still(page)
    assert_shown(page, keep, f"library-{name}-saved")
    page.get_by_role("link", name="Open", exact=True).click()
    page.get_by_role("button", name="Adjust").wait_for()
    still(page)
    assert_shown(page, keep, f"library-{name}-view")


def test_from_the_album_to_the_saved_crop_and_back(open_page, library):
    page = open_page(library=library)
    page.get_by_role("link", name=re.compile("Garden")).click()
    wanted = library.members("folder-0")[0]
    wait_for_first(page, wanted)
    open_first(page)
    assert page.url.endswith(f"#/photos/{wanted['id']}")
    assert page.evaluate("document.querySelector('crop-view').pictureSize") == {
        "width": wanted["width"], "height": wanted["height"],
    }
    press_crop(page)
    assert names_in(library, "cropped") == [wanted["name"].replace(".jpg", "-cropped.jpg")]
    page.get_by_role("button", name="Close photo").click()
    page.locator("a.photo").first.wait_for()
    assert page.url.endswith("#/albums/folder-0")
    # The count updates automatically.
    page.locator(".album", has_text="Cropped").get_by_text("1", exact=True).wait_for()


@pytest.mark.thorough
def test_a_photo_opens_before_its_preview(open_page, library):
    page = open_page(library=library)
    first_photo(page)
    page.route("**/preview?*", lambda route: None)  # never answered
    first_photo(page).click()
    wait_for_photo(page)
    assert page.evaluate("document.querySelector('crop-view').pictureSize.width") == library.ordered[0]["width"]
    assert page.get_by_role("button", name="Crop", exact=True).is_enabled()


@pytest.mark.thorough
def test_a_crop_on_the_thumbnail_stays_when_the_preview_is_loaded(open_page, library):
    page = open_page(library=library)
    first_photo(page)
    held = []
    page.route("**/preview?*", lambda route: held.append(route))
    first_photo(page).click()
    wait_for_photo(page)
    settle(page)
    page.get_by_role("button", name="Square").click()
    settle(page)
    framed = page.evaluate("document.querySelector('crop-view').recipe.rect")
    size = "document.querySelector('crop-view').picture.blob.size"
    before = page.evaluate(size)
    wait_for(page, lambda: held)
    library.route(held[0])
    wait_until(page, f"{size} > {before}")
    assert page.evaluate("document.querySelector('crop-view').recipe.rect") == framed


@pytest.mark.thorough
def test_a_missing_photo_is_reported(open_page, library):
    page = open_page(library=library)
    open_first(page)
    del library.photos[library.ordered[0]["id"]]
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_role("alert").get_by_text("no longer exists").wait_for()
    page.get_by_role("button", name="Back to photos").click()
    page.locator("a.photo").first.wait_for()


def test_a_broken_photo_shows_the_reason(open_page, library):
    broken = library.ordered[1]
    broken.update(width=0, height=0, problem={"code": "truncated", "message": "the file ends early"})
    page = open_page(library=library)
    page.get_by_role("link", name=f"{broken['name']} is incomplete").click()
    page.get_by_role("alert").get_by_text("Try the original file").wait_for()
    assert "#/photos" not in page.url


def test_the_grid_follows_changes_in_the_folder(open_page, library):
    page = open_page(library=library)
    first_photo(page)
    gone = library.ordered[0]
    library.vanish(gone["id"])
    page.locator(f"[data-id={gone['id']}]").wait_for(state="detached")
    added = library.add(900, datetime(2027, 1, 1))
    library.changed(added, "added")
    page.locator(f"[data-id={added['id']}]").wait_for()
    assert page.locator("a.photo[data-id]").first.get_attribute("data-id") == added["id"]


def months(page):
    """The headings from the top, with their numbers of photos; the view is larger than the library."""
    return page.evaluate("""() => {
      const top = (row) => row.getBoundingClientRect().top;
      const rows = [...document.querySelectorAll('.photo-grid [role=row]')].sort((a, b) => top(a) - top(b));
      const found = [];
      for (const row of rows) {
        if (row.className === 'month') found.push([row.textContent, 0]);
        else found.at(-1)[1] += row.children.length;
      }
      return found;
    }""")


def test_each_photo_stays_under_its_month_when_others_are_added(open_page):
    library = FakeLibrary(6, spacing_hours=24 * 20)
    page = open_page(library=library)
    first_photo(page)
    # Months that fit into one row share it.
    assert sum(count for _, count in months(page)) == 6 and months(page)[0][0].startswith("August")
    for number, day in [(900, datetime(2027, 1, 1)), (901, datetime(2026, 10, 5))]:
        library.changed(library.add(number, day), "added")
        page.locator(f"[data-id=p{number}]").wait_for()
    assert [count for _, count in months(page)] == [5, 3]
    assert months(page)[0][0].startswith("October 2026") and months(page)[0][0].endswith("January 2027")


@pytest.mark.thorough
def test_a_saved_crop_is_as_new_as_its_file(open_page):
    library = FakeLibrary(3, spacing_hours=24 * 40)
    page = open_page(library=library)
    first_photo(page)
    old = library.ordered[-1]["id"]
    page.locator(f"[data-id={old}]").click()
    wait_for_photo(page)
    settle(page)
    press_crop(page)
    page.get_by_role("button", name="Close photo").click()
    saved = library.members("cropped")[0]
    for _ in range(2):
        page.locator(f"[data-id={saved['id']}]").wait_for()
        assert [count for _, count in months(page)] == [4]
        assert page.locator("[data-index='0']").get_attribute("data-id") == saved["id"]
        assert "November 21" in page.locator(f"[data-id={saved['id']}]").get_attribute("aria-label")
        page.reload()


@pytest.mark.thorough
def test_many_simultaneous_changes_reload_the_list(open_page, library):
    page = open_page(library=library)
    first_photo(page)
    library.requests.clear()
    added = [library.add(1000 + n, FIRST_DAY + timedelta(minutes=n)) for n in range(200)]
    library.order()
    changes = [{"id": photo["id"], "change": "added"} for photo in added]
    for _ in range(3):
        library.tell("changed", {"albums": ["all"], "photos": changes})
    page.locator(f"[data-id={added[-1]['id']}]").wait_for()
    assert not [path for _, path, _ in library.requests if path in {f"/api/photos/{p['id']}" for p in added}]


def test_indexing_shows_how_far_it_is(open_page, keep, library):
    library.indexing = {"done": 1200, "total": 48000}
    page = open_page(library=library)
    page.get_by_text("1,200 of 48,000").wait_for()
    keep(page, "library-indexing")
    library.indexing = None
    library.tell("indexing", {"done": 48000, "total": 48000})
    page.get_by_text("of 48,000").wait_for(state="hidden")


def test_empty_albums_say_what_to_do(open_page, keep):
    page = open_page(library=FakeLibrary(0, folders=()))
    page.get_by_role("region", name="Photos").get_by_text("No photos in Pictures yet").wait_for()
    keep(page, "library-empty")
    assert_accessible(page)
    page.get_by_role("link", name=re.compile("Cropped")).click()
    page.get_by_text("Nothing cropped yet").wait_for()
    page.get_by_role("link", name="Samples and files").click()
    page.get_by_role("button", name="Open a photo").wait_for()


@pytest.mark.thorough
def test_a_phone_shows_below_the_albums_what_to_do_in_an_empty_library(open_page, keep):
    page = open_page("phone", library=FakeLibrary(0))
    page.get_by_text("Take a photo, or put photos into the folder.").filter(visible=True).wait_for()
    keep(page, "library-empty-phone")
    assert_accessible(page)
    assert_fits(page)
    filled = open_page("phone", library=FakeLibrary(2))
    filled.locator(".album", has_text="All").wait_for()
    assert not filled.get_by_text("Take a photo, or put photos into the folder.").filter(visible=True).count()


def test_an_unreachable_library_is_reported_and_comes_back(open_page, keep, library):
    page = open_page(library=library, expects=REFUSED)
    first_photo(page)
    library.is_gone = True
    reported = page.locator("#library").get_by_text("can’t be reached")
    reported.wait_for()
    keep(page, "library-unreachable")
    library.is_gone = False
    reported.wait_for(state="hidden")


def test_an_unreachable_photo_is_no_problem_once_the_library_is_back(open_page, library):
    page = open_page(library=library, expects=REFUSED)
    first_photo(page)
    library.is_gone = True
    page.locator("#library").get_by_text("can’t be reached").first.wait_for()
    first_photo(page).click()
    card = page.locator("#library").get_by_role("alert")
    card.get_by_text("can’t be reached").wait_for()
    library.is_gone = False
    card.wait_for(state="hidden")


def test_an_album_that_is_gone_is_called_an_album(open_page, library):
    page = open_page(library=library, path="#/albums/nowhere")
    page.get_by_role("alert").get_by_text("This album no longer exists").wait_for()


@pytest.mark.thorough
def test_a_page_without_an_event_stream_works_and_reconnects(open_page, library):
    library.is_crowded = True
    page = open_page(library=library)
    first_photo(page)
    # It has got several events, and continues.
    wait_for(page, lambda: [path for _, path, _ in library.requests].count("/api/events") > 2)
    assert not page.locator("#library").get_by_text("can’t be reached").is_visible()
    library.is_crowded = False
    library.vanish("p0")
    page.locator('a.photo[data-id="p0"]').wait_for(state="detached")


def test_the_address_of_a_photo_opens_it(open_page, library):
    page = open_page(library=library, path="#/photos/p7")
    wait_for_photo(page)
    assert page.get_by_role("heading", name="IMG_4007.jpg").is_visible()
    page.get_by_role("button", name="Close photo").click()
    first_photo(page)
    page = open_page(library=library, path="#/photos/nowhere")
    page.get_by_role("alert").get_by_text("no longer exists").wait_for()


@pytest.mark.thorough
def test_arabic_runs_from_right_to_left(open_page, keep, library):
    page = open_page("desk", library=library, locale="ar-EG")
    first_photo(page)
    still(page)
    assert_shown(page, keep, "library-arabic")
    box = page.locator(".albums").bounding_box()
    assert box["x"] > 900
    page.locator("a.photo").first.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.index") == "1"
    # A name that is too long is cut off at its end, according to its script.
    page.keyboard.press("Enter")
    wait_for_photo(page)
    assert page.evaluate("getComputedStyle(document.querySelector('#editor h1')).direction") == "ltr"
