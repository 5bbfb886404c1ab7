"""What a person does with the page for the first time, with the number of taps that it takes."""

import io
import mimetypes

import numpy
import pytest
from albums import first_photo
from conftest import ROOT
from editor import settle, wait_for_photo, wait_until
from fake_library import FakeLibrary
from PIL import Image
from pictures import gradient, jpeg, png
from test_perspective import sheet_on_a_desk

pytestmark = pytest.mark.thorough


class Person:
    """Taps or clicks, and counts."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def press(self, name, role="button", within=None, **options):
        """Presses a button that is in view, by its name."""
        target = (within or self.page).get_by_role(role, name=name, **{"exact": True, **options})
        target.locator("visible=true").first.click()
        self.taps += 1

    def open(self, *files):
        """Opens files by the start page's button, which shows the system's dialog."""
        with self.page.expect_file_chooser() as chooser:
            self.press("Open a photo")
        chooser.value.set_files([
            file if not isinstance(file, tuple)
            else {"name": file[0], "mimeType": mimetypes.guess_type(file[0])[0], "buffer": file[1]} for file in files])
        wait_for_photo(self.page)
        settle(self.page)

    def saved(self):
        """Crops and saves; the image."""
        self.press("Crop")
        self.page.get_by_role("link", name="Save", exact=True).wait_for()
        with self.page.expect_download() as waiting:
            self.press("Save", "link")
        return Image.open(waiting.value.path()), waiting.value


PHOTO = ("photo.jpg", jpeg(gradient(1200, 800)))
VIEWPORTS = ["phone", "desk"]


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_a_square_avatar_takes_four_taps(open_page, viewport):
    person = Person(open_page(viewport, folded=True))
    person.open(PHOTO)
    person.press("Square")
    settle(person.page)
    image, _ = person.saved()
    assert image.size == (800, 800) and person.taps == 4


def test_an_a4_page_from_a_photo_takes_four_taps_on_a_phone(open_page):
    person = Person(open_page("phone", folded=True))
    person.open(("sheet.png", png(sheet_on_a_desk()[0])))
    person.press("Straighten document")
    wait_until(person.page, "document.querySelector('crop-view').recipe?.quad !== undefined")
    settle(person.page)
    image, _ = person.saved()
    # The paper, whose white is everywhere.
    assert numpy.asarray(image.convert("L")).mean() > 170 and person.taps == 4


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_six_sizes_for_social_media_take_three_taps(open_page, viewport):
    person = Person(open_page(viewport, folded=True))
    person.open(PHOTO)
    person.press("Sizes")
    wait_until(person.page, "document.querySelectorAll('.target canvas').length === 7")
    settle(person.page)
    with person.page.expect_download():
        person.press("Save all")
    person.page.get_by_text("6 sizes saved").wait_for()
    assert person.taps == 3


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_a_replaced_original_is_back_after_three_taps(open_page, viewport):
    library = FakeLibrary(3)
    photo = library.photos["p0"]
    library.before["p0"] = dict(photo), library.files["p0"]
    photo.update(width=photo["width"] // 2, version="2")
    page = open_page(viewport, library=library, path="#/albums/all", folded=True)
    person = Person(page)
    first_photo(page).click()
    person.taps += 1
    wait_for_photo(page)
    person.press("More ways to save")
    person.press("Restore original", "menuitem")
    page.get_by_text("was restored").wait_for()
    assert person.taps == 3


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_ten_photos_one_by_one_take_two_taps_each(open_page, viewport):
    page = open_page(viewport, folded=True)
    # Where a folder can be chosen, the system asks for it.
    page.evaluate("delete Window.prototype.showDirectoryPicker; delete window.showDirectoryPicker")
    person = Person(page)
    person.open(*[(f"photo-{number}.jpg", jpeg(gradient(300 + number, 200))) for number in range(10)])
    for number in range(9):
        person.press("Crop")
        person.press(f"Next photo ({number + 2} of 10)")
        wait_until(page, f"document.querySelector('crop-view')?.pictureSize?.width === {301 + number}")
        wait_for_photo(page)
        settle(page)
    person.press("Crop")
    with page.expect_download():
        person.press("Save all")
    page.get_by_text("10 of 10 saved").wait_for()
    assert person.taps == 1 + 2 * 10


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_a_photo_for_mail_below_a_megabyte_takes_seven_taps(open_page, viewport):
    data = io.BytesIO()
    Image.open(ROOT / "Samples" / "lake-at-dusk.jpg").save(data, "WEBP", quality=90)
    person = Person(open_page(viewport, folded=True))
    page = person.page
    person.open(("photo.webp", data.getvalue()))
    if viewport == "phone":
        person.press("More")
    page.get_by_role("button", name="Output").click()
    person.taps += 1
    person.press("JPEG")
    slider = page.get_by_role("slider", name="Quality").locator("visible=true")
    slider.scroll_into_view_if_needed()
    wait_until(page, "/^About/.test(document.querySelector('#editor .estimate').textContent)")
    # The slider is dragged until the estimate is small enough.
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    person.taps += 1
    wait_until(page, "/^About \\d+(.\\d+)? ?kB/i.test(document.querySelector('#editor .estimate').textContent)")
    if viewport == "phone":
        person.press("More")
    image, download = person.saved()
    assert image.format == "JPEG" and download.path().stat().st_size < 1_000_000
    assert person.taps <= 7 + (viewport == "phone")


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_a_horizon_is_straight_after_four_taps(open_page, viewport):
    person = Person(open_page(viewport, folded=True))
    page = person.page
    person.open(ROOT / "Samples" / "tilted-harbour.jpg")
    ruler = page.locator("#editor .ruler").bounding_box()
    x, y = ruler["x"] + ruler["width"] / 2, ruler["y"] + ruler["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=6)
    page.mouse.up()
    person.taps += 1
    settle(page)
    assert page.evaluate("document.querySelector('crop-view').recipe.tilt") != 0
    person.saved()
    assert person.taps == 4


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_a_white_margin_takes_four_taps(open_page, viewport):
    person = Person(open_page(viewport, folded=True))
    person.open(PHOTO)
    person.press("Fit")
    settle(person.page)
    image, _ = person.saved()
    assert image.getpixel((2, 2)) == (255, 255, 255) and image.width > 1200 and person.taps == 4


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_a_crop_is_in_the_clipboard_after_three_taps(open_page, viewport):
    page = open_page(viewport, folded=True, permissions=["clipboard-read", "clipboard-write"])
    person = Person(page)
    person.open(PHOTO)
    person.press("Crop")
    person.press("Copy")
    page.get_by_text("Copied").wait_for(state="attached")
    assert person.taps == 3
