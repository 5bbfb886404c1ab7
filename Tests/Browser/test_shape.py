"""Crops of other shapes: what is around them is shown before, and is the same with and without a server."""

import io

import numpy
import pytest
from albums import open_first
from editor import crop, decoded, open_photo, settle
from fake_library import FakeLibrary
from PIL import Image
from pictures import coordinates, jpeg, png
from test_page import assert_accessible

SOURCES = {
    "JPEG": ("photo.jpg", jpeg(coordinates(320, 240))),
    "PNG": ("photo.png", png(coordinates(320, 240))),
}


@pytest.fixture
def page(opened):
    return opened()


def open_ellipse(page, source):
    name, data = SOURCES[source]
    open_photo(page, data, name, style="Studio")
    page.get_by_role("button", name="Ellipse").click()
    settle(page)


def reported(page):
    """The text about the result before it is made."""
    return page.locator(".made .note").inner_text()


@pytest.mark.thorough
@pytest.mark.parametrize("source", SOURCES)
def test_around_an_ellipse_the_result_is_transparent_as_shown(page, source):
    open_ellipse(page, source)
    assert reported(page) == "Transparent PNG"
    assert_accessible(page)
    result = crop(page)
    assert result[1] == "photo-cropped.png"
    image = decoded(result)
    assert image.format == "PNG" and image.size == (320, 240)
    alpha = image.convert("RGBA").getchannel("A")
    assert alpha.getpixel((0, 0)) == alpha.getpixel((319, 239)) == 0
    assert alpha.getpixel((160, 120)) == 255


@pytest.mark.thorough
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name, color", [("White", 255), ("Black", 0)])
def test_around_an_ellipse_the_result_has_the_color_that_was_chosen(page, source, name, color):
    open_ellipse(page, source)
    page.get_by_role("button", name=name, exact=True).click()
    assert reported(page) == "JPEG with a background"
    result = crop(page)
    assert result[1] == "photo-cropped.jpg"
    image = decoded(result)
    assert image.format == "JPEG"
    # In a lossy file, the corner still has that color: the image is far away.
    assert all(abs(channel - color) <= 2 for channel in image.convert("RGB").getpixel((0, 0)))


@pytest.mark.thorough
def test_the_last_choice_of_format_or_background_counts(open_page):
    page = open_page()
    open_ellipse(page, "JPEG")
    page.get_by_role("button", name="Black", exact=True).click()
    page.get_by_role("button", name="WebP", exact=True).click()
    assert reported(page) == "Transparent WebP"
    page.get_by_role("button", name="JPEG", exact=True).click()
    assert reported(page) == "JPEG with a background"
    assert page.get_by_role("button", name="White", exact=True).get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Transparent", exact=True).click()
    assert reported(page) == "Transparent PNG"
    page.locator(".around input").fill("#3366cc")
    assert reported(page) == "JPEG with a background"
    red, green, blue = decoded(crop(page)).convert("RGB").getpixel((0, 0))
    assert abs(red - 0x33) < 4 and abs(green - 0x66) < 4 and abs(blue - 0xCC) < 4


@pytest.mark.thorough
def test_a_phone_shows_it_over_the_photo(open_page):
    page = open_page("phone")
    name, data = SOURCES["JPEG"]
    open_photo(page, data, name, style="Studio")
    page.get_by_role("tab", name="Shape").click()
    page.get_by_role("button", name="Ellipse").click()
    page.locator(".badge").get_by_text("Transparent PNG").wait_for()
    page.get_by_role("button", name="White", exact=True).click()
    page.locator(".badge").get_by_text("JPEG with a background").wait_for()
    assert_accessible(page)
    page.get_by_role("button", name="Rectangle").click()
    page.get_by_role("button", name="White", exact=True).wait_for(state="hidden")
    page.locator(".badge").get_by_text("Lossless").wait_for()


@pytest.mark.thorough
def test_a_replaced_photo_keeps_its_format_and_that_is_shown(open_page):
    library = FakeLibrary(3)
    page = open_page(library=library)
    open_first(page)
    page.get_by_role("button", name="Ellipse").click()
    settle(page)
    sent = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/replace") else None)
    page.get_by_role("button", name="More ways to save").click()
    page.get_by_role("menuitem", name="Replace original").click()
    page.get_by_role("dialog").get_by_text("stays a JPEG").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    page.get_by_text("is now the crop").wait_for()
    encoding = sent[0].post_data_json["encoding"]
    assert (encoding["format"], encoding["background"]) == ("jpeg", "#ffffff")


def hiding(seed):
    """A PNG whose pixels outside a circle of 50 pixels' radius about its center depend on `seed`."""
    array = coordinates(200, 200)
    y, x = numpy.mgrid[:200, :200]
    across = numpy.maximum(numpy.maximum(x - 100, 99 - x), 0)
    down = numpy.maximum(numpy.maximum(y - 100, 99 - y), 0)
    noise = numpy.random.default_rng(3).integers(0, 256, array.shape, numpy.uint8) ^ numpy.uint8(seed)
    return png(numpy.where((across**2 + down**2 > 50**2)[..., None], noise, array))


OPTIONS = [
    {}, {"maxSide": 37}, {"type": "image/webp"}, {"type": "image/webp", "maxSide": 60},
    {"type": "image/jpeg", "maxSide": 60}, {"margin": 7, "fill": "transparent"}, {"canvas": "50x60", "fill": "#123456"}]


@pytest.mark.parametrize("shape, tilt", [("ellipse", 0), ("ellipse", 5), ({"roundedRectangle": 50}, 0)])
def test_nothing_that_a_shape_hides_is_in_the_browser_s_result(open_page, unserved, shape, tilt):
    page = open_page(address=unserved, service_workers="block")
    recipe = {"rect": {"x": 50, "y": 50, "width": 100, "height": 100}, "tilt": tilt, "shape": shape}
    made = []
    for seed in (0, 255):
        open_photo(page, hiding(seed), style=None)
        made.append(page.evaluate("""async ([recipe, all]) => {
          const view = document.querySelector('crop-view');
          view.value = JSON.stringify(recipe);
          const results = [];
          for (const options of all) {
            const blob = await view.croppedBlob(options);
            results.push([...new Uint8Array(await blob.arrayBuffer())]);
          }
          return results;
        }""", [recipe, OPTIONS]))
    for options, one, other in zip(OPTIONS, *made):
        assert one == other, options
        pixels = numpy.asarray(Image.open(io.BytesIO(bytes(one))).convert("RGBA"))
        if "type" not in options and "canvas" not in options:
            assert pixels[0, 0, 3] == 0 and (pixels[pixels[..., 3] == 0] == 0).all()
        assert pixels[pixels.shape[0] // 2, pixels.shape[1] // 2, 3] == 255
