"""The page over a real folder of pictures: from the album to the file, and back."""

import os
import shutil

import pytest
from albums import first_photo, open_first, press_crop
from conftest import ROOT, serving
from editor import recipe, settle, wait_for_photo, wait_for_preview, wait_until
from PIL import Image
from pictures import gradient, jpeg

SIZE = (640, 480)


@pytest.fixture
def folder(tmp_path):
    """A folder with two albums; one photo of them is damaged."""
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
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CACHE", "DATA")}
    with serving("--library", str(folder), **homes) as address:
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


def test_a_crop_becomes_a_file_that_opens_where_it_was_left(page, folder):
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
    open_first(page)
    page.get_by_text("where you left off").wait_for()
    assert recipe(page) == left
    # Nothing is changed yet: the same crop is no second file.
    page.get_by_role("button", name="Crop", exact=True).click()
    page.get_by_text("Already saved").wait_for()
    assert len(cropped(folder)) == 1
    page.get_by_role("button", name="Turn right").first.click()
    settle(page)
    press_crop(page)
    assert len(cropped(folder)) == 2
    page.get_by_role("status").get_by_role("button", name="Move to trash").click()
    page.get_by_text("in the trash").wait_for()
    assert len(cropped(folder)) == 1


def test_the_original_is_replaced_and_brought_back(page, folder):
    photo = folder / "Lisbon" / "lisbon-0.jpg"
    before = photo.read_bytes()
    page.locator(".album", has_text="Lisbon").click()
    open_named(page, "lisbon-0.jpg")
    page.get_by_role("button", name="Square").click()
    settle(page)
    page.get_by_role("button", name="More ways to save").click()
    page.get_by_role("menuitem", name="Replace original").click()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    page.get_by_text("is now the crop").wait_for()
    with Image.open(photo) as image:
        assert image.size == (480, 480)
    page.get_by_role("status").get_by_role("button", name="Restore original").click()
    page.get_by_text("is as it was").wait_for()
    assert photo.read_bytes() == before


def test_what_happens_in_the_folder_shows_by_itself(page, folder):
    (folder / "Garden" / "new.jpg").write_bytes(jpeg(gradient(300, 200)))
    page.locator("a.photo[title='new.jpg'] img").wait_for()
    (folder / "Garden" / "garden-0.jpg").unlink()
    page.locator("a.photo[title='garden-0.jpg']").wait_for(state="detached")


#: Presses Crop, unless what is wrong was told before.
PRESS_CROP = """[...document.querySelectorAll('button.primary')]
  .find((button) => button.textContent === 'Crop' && button.checkVisibility())?.click()"""


def test_a_file_that_changed_or_went_is_said_so(page, folder):
    # The page is never told by the server: the crop itself, or a request before it, must notice.
    page.route("**/api/events", lambda route: route.fulfill(
        status=429, json={"code": "busy", "detail": "too many pages listen to this library"}))
    page.reload()
    first_photo(page)
    open_named(page, "lake-at-dusk.jpg")
    # All that is read of the file to show it has been read.
    wait_until(page, "document.querySelector('crop-view').writing")
    (folder / "lake-at-dusk.jpg").write_bytes(jpeg(gradient(300, 200)))
    page.evaluate(PRESS_CROP)
    page.get_by_role("alert").get_by_text("has changed since").wait_for()
    page.get_by_role("button", name="Open it again").click()
    wait_until(page, "document.querySelector('crop-view').pictureSize?.width === 300")
    wait_for_preview(page)
    (folder / "lake-at-dusk.jpg").unlink()
    page.evaluate(PRESS_CROP)
    page.get_by_role("alert").get_by_text("no longer there").wait_for()
    assert cropped(folder) == []


def test_a_broken_file_is_listed_with_its_reason(page):
    page.get_by_role("link", name="broken.jpg").click()
    page.get_by_role("alert").get_by_text("broken.jpg").wait_for()


def test_a_picture_that_was_taken_is_kept_in_the_album_camera(page, folder):
    page.context.grant_permissions(["camera"])
    page.get_by_role("button", name="Take a picture").click()
    wait_until(page, "!document.querySelector('.shutter').disabled")
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Use photo").click()
    wait_for_photo(page)
    [taken] = (folder / "Camera").iterdir()
    with Image.open(taken) as image:
        # Named as what it is: cameras give what they like.
        assert taken.suffix == {"JPEG": ".jpg", "PNG": ".png"}[image.format]
        assert min(image.size) >= 480
    wait_for_preview(page)
    press_crop(page)
    assert len(cropped(folder)) == 1
