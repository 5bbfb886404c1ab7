"""A photo of a gallery: opened from a link, cropped, saved back; and what happens to the crop if that fails."""

import pathlib
import re
import sys

import pytest
from conftest import ROOT, new_context, serving
from editor import settle, wait_for_photo, wait_until, written
from pictures import noise

sys.path.append(str(ROOT / "Tests/Peers"))
from immich_stub import KEY, Immich  # noqa: E402


@pytest.fixture
def immich():
    server = Immich()
    yield server
    server.stop()


@pytest.fixture
def address(immich, tmp_path):
    """A server with the gallery configured."""
    secret = tmp_path / "key"
    secret.write_text(KEY)
    secret.chmod(0o600)
    config = tmp_path / "server.toml"
    config.write_text(f'[immich]\nurl = "{immich.url}"\nkey-file = "key"\n')
    with serving("--library", "none", "--config", config) as address:
        yield address


def open_photo(open_page, address, key, **options):
    page = open_page(address=address, path=f"open/immich/{key}", **options)
    wait_for_photo(page)
    settle(page)
    return page


def crop(page):
    page.get_by_role("button", name="Crop", exact=True).click()


def choose(page, name):
    page.get_by_role("button", name="More ways to save").click()
    page.get_by_role("menuitem", name=name).click()


def test_a_photo_is_opened_framed_and_saved_on_its_stack(open_page, address, immich):
    key = immich.add(noise(640, 480), "IMG_7.jpg")
    page = open_photo(open_page, address, key)
    assert page.locator("#editor h1").inner_text() == "IMG_7.jpg"
    assert "from Immich" in page.locator("#editor header p").inner_text()
    page.get_by_role("button", name="Square").click()
    settle(page)
    crop(page)
    page.get_by_text("Saved in Immich").wait_for()
    (stack,) = immich.stacks.values()
    assert stack["assets"][1] == key
    assert immich.assets[stack["assets"][0]]["name"] == "IMG_7-cropped.jpg"
    # Saving again creates no second copy.
    crop(page)
    page.get_by_text("Already saved in Immich").wait_for()
    assert len(immich.assets) == 2
    assert KEY not in page.content()


@pytest.mark.thorough
def test_the_way_to_save_is_remembered_and_the_photo_reopens_with_its_crop(open_page, address, immich):
    key = immich.add(noise(640, 480))
    page = open_photo(open_page, address, key)
    page.get_by_role("button", name="Square").click()
    settle(page)
    page.get_by_role("button", name="Rotate right").click()
    settle(page)
    choose(page, "Save as an edit in Immich")
    page.get_by_text("Saved in Immich").wait_for()
    assert [edit["action"] for edit in immich.assets[key]["edits"]] == ["crop", "rotate"]
    left = page.evaluate("document.querySelector('crop-view').recipe")
    assert page.get_by_role("button", name="Crop", exact=True).get_attribute("title") == "Save as an edit in Immich"
    page.reload()
    wait_for_photo(page)
    settle(page)
    assert page.evaluate("document.querySelector('crop-view').recipe") == left
    # The main button saves another photo in the same way.
    page.get_by_role("button", name="Square").click()
    page.get_by_role("button", name="Rotate right").click()
    settle(page)
    crop(page)
    page.get_by_text("Saved in Immich").wait_for()
    assert immich.assets[key]["edits"][-1]["parameters"]["angle"] == 180 and len(immich.assets) == 1


@pytest.mark.thorough
def test_crops_that_immich_can_not_express_are_added_to_the_stack(open_page, address, immich):
    key = immich.add(noise(640, 480))
    page = open_photo(open_page, address, key)
    page.evaluate("document.querySelector('crop-view').command('tilt', 5)")
    settle(page)
    choose(page, "Save as an edit in Immich")
    page.get_by_text("Immich can't tilt").wait_for()
    page.get_by_role("alert").get_by_role("button", name="Save as a new photo in Immich").click()
    page.get_by_text("Saved in Immich").wait_for()
    assert immich.assets[key]["edits"] == [] and len(immich.stacks) == 1


@pytest.mark.thorough
def test_a_gallery_that_is_down_loses_no_crop(open_page, address, immich):
    key = immich.add(noise(640, 480), "IMG_7.jpg")
    page = open_photo(open_page, address, key, expects=("502",))
    page.get_by_role("button", name="Square").click()
    settle(page)
    immich.before = lambda call, handler: handler.cut()
    crop(page)
    page.get_by_text("wasn’t saved in the gallery").wait_for()
    # In this browser, users can't choose a folder.
    page.evaluate("window.showSaveFilePicker = undefined")
    with page.expect_download() as download:
        page.get_by_role("alert").get_by_role("button", name="Save to this device").click()
    assert pathlib.Path(download.value.path()).read_bytes()[:2] == b"\xff\xd8"
    page.get_by_role("button", name="Square").click()
    page.get_by_role("button", name="Rotate right").click()
    settle(page)
    left = page.evaluate("document.querySelector('crop-view').recipe")
    crop(page)
    page.get_by_text("wasn’t saved in the gallery").wait_for()
    # It still exists after a reload, and is saved when the gallery is back.
    immich.before = lambda call, handler: None
    page.reload()
    wait_for_photo(page)
    settle(page)
    assert page.evaluate("document.querySelector('crop-view').recipe") == left
    crop(page)
    page.get_by_text("Saved in Immich").wait_for()
    assert len(immich.assets) == 2


@pytest.mark.thorough
def test_a_photo_that_changed_in_the_meantime_is_reported(open_page, address, immich):
    key = immich.add(noise(640, 480))
    page = open_photo(open_page, address, key)
    page.get_by_role("button", name="Square").click()
    settle(page)
    immich.assets[key]["data"] = noise(320, 240)
    crop(page)
    page.get_by_text("has changed in the gallery").wait_for()
    assert len(immich.assets) == 1
    page.get_by_role("alert").get_by_role("button", name="Open it again").click()
    wait_until(page, "document.querySelector('crop-view').pictureSize?.width === 320")


@pytest.mark.thorough
def test_an_unsaved_crop_reports_that_the_gallery_s_own_has_changed_and_yields_to_it(open_page, address, immich):
    key = immich.add(noise(640, 480))
    page = open_photo(open_page, address, key)
    page.get_by_role("button", name="Square").click()
    settle(page)
    unsaved = page.evaluate("document.querySelector('crop-view').recipe")
    # Another device saves its crop.
    immich.assets[key]["edits"] = [
        {"id": "1", "action": "crop", "parameters": {"x": 10, "y": 20, "width": 300, "height": 200}}]
    written(page)
    page.reload()
    wait_for_photo(page)
    settle(page)
    page.get_by_text("The crop in Immich was changed later.").wait_for()
    assert page.evaluate("document.querySelector('crop-view').recipe") == unsaved
    page.get_by_role("button", name="Discard").click()
    wait_until(page, "document.querySelector('crop-view').recipe?.rect.width === 300")
    assert page.evaluate("document.querySelector('crop-view').recipe.rect") == {
        "x": 10, "y": 20, "width": 300, "height": 200}


def test_an_unconfigured_gallery_is_reported(open_page, server):
    page = open_page(path="open/dav/photo.jpg")
    page.get_by_text(re.compile("knows no such gallery")).wait_for()


@pytest.mark.thorough
def test_a_link_needs_a_device_that_is_signed_in(chromium, address, immich):
    key = immich.add(noise(640, 480))
    context = new_context(chromium)
    answer = context.request.get(f"{address}api/galleries/original?photo=immich:{key}")
    assert answer.status == 401 and immich.asked == []
    context.close()
