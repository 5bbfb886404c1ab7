"""Crops of other programs for a photo, and crops stored for other programs."""

import io

import pytest
from albums import open_first
from editor import open_photo, settle, wait_until
from PIL import Image
from pictures import coordinates
from test_page import assert_accessible

RECT = {"x": 60, "y": 80, "width": 300, "height": 200}
RECIPE = {"version": 1, "rect": RECT, "quarterTurns": 0, "mirrored": False, "tilt": 0,
          "shape": "rectangle", "output": None}


def cropped_in_lightroom(is_applied=False):
    """A JPEG of 600 × 450 with the fractions that Lightroom writes."""
    packet = f"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmp:CreatorTool="Adobe Lightroom 12.0" crs:HasCrop="True" crs:CropLeft="{60 / 600:f}"
      crs:CropTop="{80 / 450:f}" crs:CropRight="{360 / 600:f}" crs:CropBottom="{280 / 450:f}"
      crs:CropAngle="0" crs:AlreadyApplied="{is_applied}"/></rdf:RDF></x:xmpmeta>"""
    data = io.BytesIO()
    Image.fromarray(coordinates(600, 450)).save(data, "JPEG", xmp=packet.encode())
    return data.getvalue()


def rect(page):
    return page.evaluate("document.querySelector('crop-view').recipe.rect")


def test_a_file_opens_where_another_program_cropped_it(open_page):
    page = open_page()
    open_photo(page, cropped_in_lightroom(), "photo.jpg", style=None)
    page.get_by_text("Cropped in Lightroom").wait_for()
    assert rect(page) == RECT


def test_an_applied_crop_is_not_applied_again(open_page):
    page = open_page()
    open_photo(page, cropped_in_lightroom(is_applied=True), "photo.jpg", style=None)
    assert rect(page) != RECT
    assert page.get_by_text("Cropped in").count() == 0


def test_a_photo_of_the_library_opens_where_another_program_cropped_it(open_page, library, keep):
    library.marks["p0"] = {"program": "rawtherapee", "recipe": RECIPE, "isApplied": False}
    page = open_page(library=library)
    open_first(page)
    page.get_by_text("Cropped in RawTherapee").wait_for()
    wait_until(page, "document.querySelector('crop-view').recipe.rect.width === 300")
    assert rect(page) == RECT
    keep(page, "marked")


@pytest.mark.thorough
def test_a_crop_is_saved_for_another_program_by_keyboard(open_page, library, keep):
    page = open_page(library=library)
    open_first(page)
    page.get_by_role("button", name="Square").click()
    settle(page)
    wanted = rect(page)
    page.get_by_role("button", name="More ways to save").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    keep(page, "mark-menu")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Which program is the crop for?")
    dialog.wait_for()
    keep(page, "mark-dialog")
    assert_accessible(page)
    dialog.get_by_role("button", name="darktable").focus()
    page.keyboard.press("Enter")
    page.get_by_text("IMG_4000.jpg.xmp").wait_for()
    assert library.marks["p0"]["recipe"]["rect"] == wanted
    # The photo itself is unchanged.
    assert library.crops == {}
