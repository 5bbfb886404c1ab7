"""The page with a real folder of images: from the album to the file, and back."""

import os
import shutil

import pytest
from albums import adjust_first, first_photo, open_first, press_crop
from conftest import ROOT, serving
from editor import recipe, replace_original, settle, take_picture, wait_for_photo, wait_for_preview, wait_until
from PIL import Image
from pictures import gradient, jpeg

SIZE = (640, 480)


@pytest.fixture
def folder(tmp_path):
    """A folder with two albums; one of the photos is damaged."""
    pictures = tmp_path / "Pictures"
    for album in ("Garden", "Lisbon"):
        (pictures / album).mkdir(parents=True)
        for number in range(4):
            path = pictures / album / f"{album.lower()}-{number}.jpg"
            path.write_bytes(jpeg(gradient(*SIZE), orientation=6 if number == 3 else 1))
            os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    (pictures / "Garden" / "broken.jpg").write_bytes(jpeg(gradient(*SIZE))[:150])
    shutil.copy(ROOT / "Samples" / "lake-at-dusk.jpg", pictures)
    return pictures


@pytest.fixture
def page(open_page, folder, tmp_path):
    with serving("--library", str(folder), home=tmp_path) as address:
        page = open_page(address=address, service_workers="block")
        first_photo(page)
        yield page
        page.close()


def cropped(folder):
    return sorted(path.name for path in (folder / "Cropped").glob("*"))


def open_named(page, name):
    page.locator(f"a.photo[title='{name}']").click()
    page.get_by_role("heading", name=name).wait_for()
    wait_for_preview(page)


@pytest.mark.thorough
def test_a_crop_becomes_a_file_that_reopens_with_its_frame(page, folder):
    page.locator(".album", has_text="Garden").click()
    open_named(page, "garden-3.jpg")
    page.get_by_role("button", name="Square").click()
    settle(page)
    left = recipe(page)
    press_crop(page)
    assert cropped(folder) == ["garden-3-cropped.jpg"]
    with Image.open(folder / "Cropped" / "garden-3-cropped.jpg") as image:
        assert image.size == (480, 480)
    page.get_by_role("button", name="Close photo").click()
    page.locator(".album", has_text="Cropped").click()
    page.locator("a.photo[title='garden-3-cropped.jpg']").wait_for()
    adjust_first(page)
    page.get_by_text("You left off here").wait_for()
    assert recipe(page) == left
    # Nothing has changed: the same crop is not saved again.
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_text("Already saved").wait_for()
    assert len(cropped(folder)) == 1
    page.get_by_role("button", name="Rotate right").first.click()
    settle(page)
    press_crop(page)
    assert len(cropped(folder)) == 2
    page.get_by_role("status").get_by_role("button", name="Undo crop").click()
    page.get_by_text("in the trash").wait_for()
    assert len(cropped(folder)) == 1


@pytest.mark.thorough
def test_selected_photos_get_several_sizes_which_can_be_undone(page, folder):
    page.locator(".album", has_text="Garden").click()
    page.locator("a.photo[title='garden-0.jpg']").wait_for()
    page.get_by_role("button", name="Select", exact=True).click()
    for name in ("garden-0.jpg", "garden-1.jpg"):
        page.locator(f"a.photo[title='{name}']").click()
    page.get_by_role("button", name="Sizes", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Selected: 2").wait_for()
    for button in dialog.locator(".chips .chip").all():
        if button.get_attribute("aria-pressed") == "true":
            button.click()
    # Nothing is chosen.
    assert dialog.get_by_role("button", name="Save all").is_disabled()
    for name in ("Square", "Wide"):
        dialog.get_by_role("button", name=name, exact=True).click()
    dialog.get_by_role("button", name="Save all").click()
    page.get_by_text("4 sizes saved").wait_for()
    assert cropped(folder) == [f"garden-{number}-{size}.jpg" for number in (0, 1) for size in ("square", "wide")]
    with Image.open(folder / "Cropped" / "garden-0-square.jpg") as image:
        assert image.size == (480, 480)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Moved to the trash: 4").wait_for()
    assert cropped(folder) == []
    # The choice is remembered.
    for name in ("garden-0.jpg", "garden-1.jpg"):
        page.locator(f"a.photo[title='{name}']").click()
    page.get_by_role("button", name="Sizes", exact=True).click()
    assert dialog.locator(".chips [aria-pressed=true]").all_inner_texts() == ["Square", "Wide"]
    dialog.get_by_role("button", name="Cancel").click()


def test_the_original_is_replaced_and_restored(page, folder):
    photo = folder / "Lisbon" / "lisbon-0.jpg"
    before = photo.read_bytes()
    page.locator(".album", has_text="Lisbon").click()
    open_named(page, "lisbon-0.jpg")
    page.get_by_role("button", name="Square").click()
    settle(page)
    replace_original(page)
    with Image.open(photo) as image:
        assert image.size == (480, 480)
    page.get_by_role("status").get_by_role("button", name="Restore original").click()
    page.get_by_text("was restored").wait_for()
    assert photo.read_bytes() == before


@pytest.mark.thorough
def test_changes_in_the_folder_show_automatically(page, folder):
    (folder / "Garden" / "new.jpg").write_bytes(jpeg(gradient(300, 200)))
    page.locator("a.photo[title='new.jpg'] img").wait_for()
    (folder / "Garden" / "garden-0.jpg").unlink()
    page.locator("a.photo[title='garden-0.jpg']").wait_for(state="detached")


#: Clicks Crop, unless the error was already reported.
PRESS_CROP = """[...document.querySelectorAll('button.primary')]
  .find((button) => button.textContent === 'Crop' && button.checkVisibility())?.click()"""


@pytest.mark.thorough
def test_a_changed_or_missing_file_is_reported(page, folder):
    # The server sends no events: the crop, or a request before it, must detect the change.
    page.route("**/api/events", lambda route: route.fulfill(
        status=429, json={"code": "busy", "detail": "too many pages have this library open"}))
    page.reload()
    first_photo(page)
    with page.expect_response(lambda response: "/preview?" in response.url) as preview:
        open_named(page, "lake-at-dusk.jpg")
    # All bytes that are needed to show the file have been read.
    preview.value.finished()
    wait_until(page, "document.querySelector('crop-view').writing")
    (folder / "lake-at-dusk.jpg").write_bytes(jpeg(gradient(300, 200)))
    page.evaluate(PRESS_CROP)
    page.get_by_role("alert").get_by_text("has changed since").wait_for()
    page.get_by_role("button", name="Open it again").click()
    wait_until(page, "document.querySelector('crop-view').pictureSize?.width === 300")
    wait_for_preview(page)
    (folder / "lake-at-dusk.jpg").unlink()
    page.evaluate(PRESS_CROP)
    page.get_by_role("alert").get_by_text("no longer exists").wait_for()
    assert cropped(folder) == []


def test_a_broken_file_is_listed_with_its_reason(page):
    page.get_by_role("link", name="broken.jpg").click()
    page.get_by_role("alert").get_by_text("broken.jpg").wait_for()


@pytest.mark.thorough
def test_a_photo_from_the_camera_is_saved_in_the_album_camera(page, folder):
    page.context.grant_permissions(["camera"])
    take_picture(page)
    wait_for_photo(page)
    [taken] = (folder / "Camera").iterdir()
    with Image.open(taken) as image:
        # Named by its format, which depends on the camera.
        assert taken.suffix == {"JPEG": ".jpg", "PNG": ".png"}[image.format]
        assert min(image.size) >= 480
    wait_for_preview(page)
    press_crop(page)
    assert len(cropped(folder)) == 1
