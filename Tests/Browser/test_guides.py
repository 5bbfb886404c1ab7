"""Guides over the crop, sizes on paper, sheets of prints, and the result on the clipboard."""

import io
import zipfile

import pytest
from editor import open_coordinates, open_photo, open_targets, recipe, settle, state, wait_until
from PIL import Image
from pictures import coordinates, jpeg, noise, png
from test_page import assert_accessible, assert_fits

GUIDE = "document.querySelector('crop-view').guides"


def choose_guide(page, name):
    page.get_by_role("combobox", name="Guide", exact=True).select_option(label=name)
    settle(page)


def choose_size(page, name):
    page.get_by_role("button", name="Exact", exact=True).click()
    page.get_by_role("combobox", name="Print", exact=True).select_option(label=name)
    settle(page)


def areas(page):
    return page.evaluate("""document.querySelector('crop-view').core.scene()
      .filter(({ kind }) => kind === 'guideArea').length""")


def dpi(data):
    """The pixels per inch that a file states, rounded."""
    return tuple(round(float(number)) for number in Image.open(io.BytesIO(data)).info["dpi"])


def cropped(page):
    page.get_by_role("button", name="Crop", exact=True).click()
    page.locator("#result").wait_for()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save", exact=True).click()
    return waiting.value.path().read_bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", ["desk", "phone"])
def test_a_guide_is_chosen_with_the_grid_and_gives_the_crop_its_ratio(open_page, keep, viewport):
    page = open_coordinates(open_page, viewport)
    if viewport == "phone":
        page.get_by_role("tab", name="Grid", exact=True).click()
    choose_guide(page, "Passport photo: United States")
    assert page.evaluate(GUIDE) == "passport-us"
    assert (state(page, "ratioWidth"), state(page, "ratioHeight")) == (1, 1)
    wait_until(page, "document.querySelector('crop-view').core.scene().some(({ kind }) => kind === 'note')")
    assert areas(page) == 3
    hint = page.locator(".grid .explain")
    page.get_by_role("link", name="bg.usembassy.gov").wait_for()
    assert "Nothing is retouched" in hint.inner_text() and "November 30, 2026" in hint.inner_text()
    assert_accessible(page)
    assert_fits(page)
    keep(page, f"guide-{viewport}")
    choose_guide(page, "TikTok")
    assert (state(page, "ratioWidth"), state(page, "ratioHeight")) == (9, 16)
    assert "buttons and captions" in hint.inner_text()
    choose_guide(page, "Off")
    assert page.evaluate(GUIDE) == "" and areas(page) == 0
    assert hint.inner_text() == ""


def test_a_passport_size_shows_its_guide_and_is_stated_in_the_file(open_page, keep):
    page = open_page()
    open_photo(page, jpeg(coordinates(1500, 1200)[..., :3]), "me.jpg", style="Studio")
    choose_size(page, "Passport photo: 35 × 45 mm")
    assert page.evaluate(GUIDE) == "passport"
    assert (state(page, "ratioWidth"), state(page, "ratioHeight")) == (7, 9)
    assert page.get_by_text("413 × 531 pixels, printed at 300 dpi.").is_visible()
    assert page.locator(".fold", has_text="Size of the result").locator(".value").inner_text() == "35 × 45 mm"
    keep(page, "print-size")
    page.get_by_label("Pixels per inch (dpi)").fill("600")
    page.get_by_label("Pixels per inch (dpi)").press("Enter")
    settle(page)
    assert page.get_by_text("827 × 1,063 pixels, printed at 600 dpi.").is_visible()
    data = cropped(page)
    assert Image.open(io.BytesIO(data)).size == (827, 1063) and dpi(data) == (600, 600)


@pytest.mark.thorough
def test_a_crop_with_too_few_pixels_is_not_enlarged_and_the_user_is_told(open_page):
    page = open_coordinates(open_page, size=(300, 386))
    choose_size(page, "Passport photo: 35 × 45 mm")
    note = page.locator(".print-note")
    assert note.inner_text() == "300 dpi needs 413 × 531 pixels; the crop has 294 × 378. It isn’t enlarged: it prints at 213 dpi."
    assert "problem" in note.get_attribute("class")
    data = cropped(page)
    assert Image.open(io.BytesIO(data)).size == (294, 378) and dpi(data) == (213, 213)


@pytest.mark.thorough
def test_a_size_in_a_unit_with_a_bleed_has_a_cut_line(open_page):
    page = open_coordinates(open_page, size=(2400, 1800))
    page.get_by_role("button", name="Exact", exact=True).click()
    page.get_by_label("Unit", exact=True).select_option("in")
    for name, value in (("Width on paper", "4"), ("Height on paper", "6"), ("Bleed in millimeters", "3")):
        page.get_by_label(name).fill(value)
        page.get_by_label(name).press("Enter")
    settle(page)
    # 3 of 101.6 + 6 millimeters.
    assert page.evaluate(GUIDE) == "trim:2.79%"
    # 4 inches and 6 millimeters are 1270.87 pixels.
    assert page.locator(".print-note").inner_text().startswith("300 dpi needs 1,271 × 1,871 pixels")
    page.get_by_label("Unit", exact=True).select_option("cm")
    assert page.get_by_label("Width on paper").input_value() == "10.16"
    page.get_by_label("Unit", exact=True).select_option("px")
    settle(page)
    assert page.evaluate(GUIDE) == "" and recipe(page)["output"] is None
    assert page.get_by_label("Width of the result in pixels").is_visible()
    page.get_by_label("Unit", exact=True).select_option("mm")
    page.get_by_label("Width on paper").fill("0")
    page.get_by_label("Width on paper").press("Enter")
    assert page.get_by_text("Enter lengths above 0").is_visible()


@pytest.mark.thorough
def test_another_ratio_or_size_is_no_print_any_more(open_page):
    page = open_coordinates(open_page, size=(1500, 1200))
    choose_size(page, "10 × 15 cm")
    assert page.locator(".print-note").inner_text() != ""
    page.get_by_role("button", name="Square", exact=True).click()
    settle(page)
    assert page.locator(".print-note").inner_text() == ""
    page.get_by_role("button", name="Undo", exact=True).click()
    settle(page)
    assert page.locator(".print-note").inner_text() != ""
    page.get_by_role("button", name="Rotate right", exact=True).click()
    settle(page)
    assert page.get_by_label("Width on paper").input_value() == "15"


def test_the_density_alone_is_stated_without_a_loss(open_page):
    page = open_page()
    data = noise(640, 480)
    open_photo(page, data, "plain.jpg", style="Studio")
    page.get_by_role("button", name="Exact", exact=True).click()
    page.get_by_label("Pixels per inch (dpi)").fill("240")
    page.get_by_label("Pixels per inch (dpi)").press("Enter")
    settle(page)
    page.get_by_label("Pixels per inch (dpi)").fill("x")
    page.get_by_label("Pixels per inch (dpi)").press("Enter")
    assert page.get_by_text("Enter a whole number from 1 to 65535").is_visible()
    made = cropped(page)
    assert dpi(made) == (240, 240) and Image.open(io.BytesIO(made)).size == (640, 480)
    assert page.get_by_text("not re-encoded").is_visible()


@pytest.mark.thorough
def test_a_sheet_of_prints_has_the_size_of_its_paper(open_page, keep):
    page = open_page()
    open_photo(page, jpeg(coordinates(1500, 1200)[..., :3]), "me.jpg", style="Studio")
    choose_size(page, "Passport photo: 35 × 45 mm")
    page.get_by_role("combobox", name="Paper", exact=True).select_option("10x15cm")
    page.get_by_role("button", name="Print sheet").click()
    page.locator("#result").wait_for()
    assert page.locator("#result h1").inner_text() == "me-cropped-sheet.jpg"
    keep(page, "print-sheet")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Save", exact=True).click()
    data = waiting.value.path().read_bytes()
    assert sorted(Image.open(io.BytesIO(data)).size) == [1181, 1772] and dpi(data) == (300, 300)


@pytest.mark.thorough
def test_targets_on_paper_show_their_guide_and_are_printed_as_a_sheet(open_page):
    page = open_page()
    open_photo(page, jpeg(coordinates(1500, 1200)[..., :3]), "me.jpg", style=None)
    open_targets(page)
    screen = page.locator("#targets")
    screen.get_by_role("button", name="Passport photo: United States").click()
    for other in ("Square", "Portrait", "Story", "Wide", "Link preview", "Banner"):
        screen.locator(".list").get_by_role("button", name=other, exact=True).click()
    page.locator(".target", has=page.locator(".name:text-is('Passport photo: United States')")).click()
    settle(page)
    assert page.evaluate("document.querySelector('#targets crop-view').guides") == "passport-us"
    assert screen.get_by_text("2 × 2 in").first.is_visible()
    screen.get_by_role("combobox", name="Paper", exact=True).select_option("4x6in")
    with page.expect_download() as waiting:
        screen.get_by_role("button", name="Print sheet").click()
    sheet = waiting.value.path().read_bytes()
    assert waiting.value.suggested_filename == "me-cropped-passport-us-sheet.jpg"
    assert sorted(Image.open(io.BytesIO(sheet)).size) == [1200, 1800] and dpi(sheet) == (300, 300)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save all").click()
    with zipfile.ZipFile(waiting.value.path()) as archive:
        [name] = archive.namelist()
        data = archive.read(name)
    assert Image.open(io.BytesIO(data)).size == (600, 600) and dpi(data) == (300, 300)


def test_the_keys_that_copy_text_copy_the_result(open_page):
    page = open_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_photo(page, png(coordinates(60, 45)), style="Studio")
    page.evaluate("navigator.clipboard.writeText('before')")
    page.keyboard.press("Control+c")
    page.get_by_role("button", name="Crop", exact=True).click()
    page.locator("#result").wait_for()
    status = "document.querySelector('#result [role=status]').textContent"
    assert page.evaluate("navigator.clipboard.readText()") == "before"
    # Selected text is copied as text.
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#result h1'))")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == "photo-cropped.png"
    page.evaluate("getSelection().removeAllRanges()")
    page.keyboard.press("Control+c")
    wait_until(page, f"{status} === 'Copied'")
    assert page.evaluate("""navigator.clipboard.read().then(([item]) => item.getType('image/png'))
      .then(createImageBitmap).then(({ width, height }) => [width, height])""") == [60, 45]
