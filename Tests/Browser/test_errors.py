"""Errors are reported with their cause, only where they occurred, and with a way to continue."""

import re

import pytest
from albums import first_photo
from editor import crop, decoded, open_coordinates, open_photo, serve_sources, settle, wait_for_photo, wait_until
from fake_library import FakeLibrary
from pictures import coordinates, gradient, jpeg, png
from test_page import assert_accessible

OFFLINE = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "Failed to load resource")
#: The start of a HEIC, which browsers can't show.
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200)
FILM = b"\0\0\0\x18ftypisom\0\0\0\0isommp41" + bytes(200)
DIRECTION = "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"


def choose(page, name, data):
    page.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "application/octet-stream", "buffer": data})


def alert(page):
    return page.locator("main:visible").get_by_role("alert")


def cut_short(data):
    return data[: len(data) * 2 // 3]


@pytest.mark.parametrize("name", ["IMG_1.heic", "scan.tif"])
def test_a_picture_that_the_browser_can_t_open_is_reported_without_a_server(open_page, unserved, name):
    page = open_page(address=unserved, service_workers="block")
    choose(page, name, HEIC if name.endswith("heic") else b"II*\0" + bytes(64))
    alert(page).get_by_text(f"This browser can’t open {name}").wait_for()
    assert_accessible(page)
    choose(page, "film.mp4", FILM)
    alert(page).get_by_text("This browser can’t open film.mp4").wait_for()


def test_a_heic_is_reported_as_such_without_a_connection(open_page):
    page = open_page(expects=OFFLINE, service_workers="block")
    page.locator(".tile img").first.wait_for()
    page.context.set_offline(True)
    choose(page, "IMG_1.heic", HEIC)
    alert(page).get_by_text("needs CropKit’s server").wait_for()
    # For formats that browsers show, the message is about the connection.
    choose(page, "photo.png", b"\x89PNG" + bytes(64))
    alert(page).get_by_text("CropKit can’t be reached").wait_for()


def test_leaving_a_screen_clears_its_messages(open_page):
    page = open_page(library=FakeLibrary(8), permissions=["camera"])
    first_photo(page)
    choose(page, "notes.jpg", b"no picture")
    alert(page).get_by_text("notes.jpg").wait_for()
    first_photo(page).click()
    wait_for_photo(page)
    assert alert(page).count() == 0
    page.get_by_role("button", name="Close photo").click()
    first_photo(page)
    assert alert(page).count() == 0
    # The same if no photo was opened in between.
    choose(page, "notes.jpg", b"no picture")
    alert(page).get_by_text("notes.jpg").wait_for()
    page.get_by_role("link", name="Samples and files").click()
    page.get_by_role("button", name="Open a photo").wait_for()
    assert alert(page).count() == 0
    page.go_back()
    first_photo(page)
    assert alert(page).count() == 0


def test_the_readable_part_of_a_damaged_jpeg_can_be_cropped(open_page, keep):
    page = open_page()
    # Browsers ignore a misplaced marker.
    whole = jpeg(gradient(640, 480))
    middle = len(whole) * 2 // 3
    open_photo(page, whole[:middle] + b"\xff\xd3" + whole[middle:], "photo.jpg", style="Studio")
    page.get_by_role("button", name="Crop", exact=True).click()
    alert(page).get_by_text("photo.jpg is incomplete").wait_for()
    keep(page, "error-readable")
    assert_accessible(page)
    alert(page).get_by_role("button", name="Crop the readable part").click()
    page.get_by_role("link", name="Save").wait_for()
    assert decoded(crop_again(page)).size == (640, 480)


def crop_again(page):
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save").click()
    with open(waiting.value.path(), "rb") as file:
        return file.read(), waiting.value.suggested_filename


@pytest.mark.parametrize("name, write", [("photo.jpg", jpeg), ("photo.png", png)])
def test_the_readable_part_of_a_truncated_picture_can_be_opened(open_page, name, write):
    page = open_page()
    choose(page, name, cut_short(write(gradient(640, 480))))
    alert(page).get_by_text(f"{name} is incomplete").wait_for()
    assert_accessible(page)
    alert(page).get_by_role("button", name="Open the readable part").click()
    wait_for_photo(page)
    assert page.evaluate("document.querySelector('crop-view').pictureSize.width") == 640
    assert decoded(crop(page)).size == (640, 480)


def test_a_completely_unreadable_file_offers_no_action(open_page):
    page = open_page()
    choose(page, "photo.png", b"\x89PNG\r\n\x1a\n" + bytes(64))
    alert(page).wait_for()
    if alert(page).get_by_role("button", name="Open the readable part").count():
        alert(page).get_by_role("button", name="Open the readable part").click()
    # The only action left is to dismiss it.
    wait_until(page, "document.querySelectorAll('main:not([hidden]) [role=alert] button').length === 1")


def test_a_damaged_photo_of_the_library_is_opened_as_a_file(open_page):
    library = FakeLibrary(6)
    key = library.ordered[2]["id"]
    library.files[key] = (None, cut_short(jpeg(gradient(640, 480))))
    library.ordered[2].update(width=0, height=0, problem={"code": "truncated", "message": "it ends early"})
    page = open_page(library=library)
    first_photo(page)
    page.locator(".photo.broken").click()
    alert(page).get_by_role("button", name="Open the readable part").click()
    wait_for_photo(page)
    settle(page)
    assert page.evaluate("document.querySelector('crop-view').pictureSize.width") == 640
    assert page.url.endswith("#/edit")


def test_names_are_shown_and_saved_without_direction_controls(open_page):
    page = open_page()
    open_photo(page, png(coordinates(60, 40)), "trip\u202egpj.exe\u2066\u200f.png", style="Studio")
    assert page.locator("#editor h1").inner_text() == "tripgpj.exe.png"
    assert crop(page)[1] == "tripgpj.exe-cropped.png"
    assert not re.search(DIRECTION, page.locator("body").inner_text() + page.title())
    page.get_by_role("button", name="Keep editing").first.click()
    page.locator("#editor").wait_for()
    choose(page, "bad\u202etxt.png", b"")
    alert(page).wait_for()
    assert not re.search(DIRECTION, alert(page).inner_text())


def test_a_fault_of_the_page_is_not_explained_as_a_lost_connection_or_a_large_picture(open_page):
    page = open_page()
    serve_sources(page)
    assert page.evaluate("""async () => {
      const { explain } = await import('./sources/App/server/explain.js');
      const { received } = await import('./sources/App/server/library-api.js');
      const { CropError } = await import('./sources/Element/errors.js');
      const broken = await received(Promise.reject(new TypeError('network error'))).catch((error) => error);
      return [new TypeError('x'), new RangeError('y'), new CropError('too-large', 'z'), broken]
        .map((error) => explain(error, 'a.jpg').code);
    }""") == ["", "", "too-large", "offline"]


#: Bitmaps that are decoded when a test says so.
DECODER = """
  const decoding = [];
  const made = [];
  window.createImageBitmap = (source, { resizeWidth: width, resizeHeight: height }) => new Promise((resolve) => {
    const bitmap = { width, height, isClosed: false, close() { this.isClosed = true; } };
    decoding.push(() => { made.push(bitmap); resolve(bitmap); });
  });
  const { Picture } = await import('./sources/Element/picture.js');
  const blob = new Blob([], { type: 'image/jpeg' });
  const picture = new Picture(blob, 4000, 3000);
"""


def test_a_late_preview_does_not_replace_a_finer_one(open_page):
    page = open_page()
    serve_sources(page)
    assert page.evaluate(f"""async () => {{ {DECODER}
      const [coarse, fine] = [picture.prepare(500), picture.prepare(1000)];
      decoding[1]();
      const isFiner = await fine;
      decoding[0]();
      return [isFiner, await coarse, picture.bitmap.width, made.map(({{ isClosed }}) => isClosed)];
    }}""") == [True, False, 1000, [False, True]]


def test_a_preview_that_comes_after_closing_is_freed(open_page):
    page = open_page()
    serve_sources(page)
    assert page.evaluate(f"""async () => {{ {DECODER}
      const late = picture.prepare(500);
      picture.close();
      decoding[0]();
      return [await late, picture.bitmap, made[0].isClosed];
    }}""") == [False, None, True]


def test_of_two_versions_the_one_requested_later_stays(open_page):
    page = open_page()
    serve_sources(page)
    assert page.evaluate(f"""async () => {{ {DECODER}
      const first = picture.prepare(500);
      decoding[0]();
      await first;
      const [old, young] = [new Blob([], {{ type: 'image/jpeg' }}), new Blob([], {{ type: 'image/jpeg' }})];
      const refining = [picture.refine(old, 500), picture.refine(young, 500)];
      decoding[2]();
      const isNew = await refining[1];
      decoding[1]();
      return [isNew, await refining[0], picture.blob === young, made.map(({{ isClosed }}) => isClosed)];
    }}""") == [True, False, True, [True, False, True]]


def test_lines_with_impossible_numbers_are_drawn_once(open_page):
    page = open_page()
    serve_sources(page)
    assert page.evaluate("""async () => {
      const { drawScene } = await import('./sources/Element/scene.js');
      const { Role } = await import('./sources/Element/interface.js');
      const ctx = document.createElement('canvas').getContext('2d');
      const line = (lineWidth) => ({ kind: 'line', role: Role.grid, lineWidth, from: { x: 0, y: 0 }, to: { x: 10, y: 10 } });
      let count = 0;
      ctx.lineTo = () => { count += 1; };
      const look = { isLayered: false, frame: {}, label: {}, handle: {} };
      drawScene(ctx, [line(NaN), line(1), line(1)], 1, look);
      return count;
    }""") == 3
