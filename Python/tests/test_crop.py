"""Single crops by the real program."""

from __future__ import annotations

import io
import os
import pickle

import numpy
import pytest
from conftest import encoded, pixels
from PIL import Image

import cropkit


def test_a_rectangle_on_the_block_grid_is_cropped_losslessly(photo, tmp_path):
    result = cropkit.crop(photo(), tmp_path / "part.jpg", rect=(16, 32, 64, 48))
    assert (result.width, result.height, result.lossless, result.format) == (64, 48, True, "jpeg")
    whole, part = Image.open(photo()), Image.open(tmp_path / "part.jpg")
    # Chroma at the edge is interpolated with neighbors that the crop does not have.
    inner = (slice(2, -2), slice(2, -2))
    assert (numpy.array(whole.crop((16, 32, 80, 80)))[inner] == numpy.array(part)[inner]).all()


def test_a_result_has_its_file_and_size(photo, tmp_path):
    result = cropkit.crop(photo(), tmp_path / "part.png", rect=(1, 2, 30, 20))
    assert result.output == str(tmp_path / "part.png")
    assert result.byte_count == (tmp_path / "part.png").stat().st_size
    assert (result.format, result.lossless, result.skipped, result.data) == ("png", False, False, None)


def test_snap_reports_the_actual_rectangle(photo, tmp_path):
    result = cropkit.crop(photo(), tmp_path / "part.jpg", rect=(17, 33, 10, 10), lossless="snap")
    assert result.rect == cropkit.Rect(16, 32, 10, 10)
    assert result.lossless
    assert result.requantized == (0, 0, 10, 10)
    result = cropkit.crop(photo(), tmp_path / "whole.jpg", rect=(17, 33, 10, 10), lossless="outward")
    assert result.rect == cropkit.Rect(16, 32, 16, 16)
    assert result.requantized is None


def test_bytes_become_bytes_of_the_format_asked_for():
    data = cropkit.crop_bytes(encoded(), aspect="1:1", max_side=100, format="webp")
    image = Image.open(io.BytesIO(data))
    assert (image.format, image.size) == ("WEBP", (100, 100))


def test_bytes_keep_their_format_by_default(photo, tmp_path):
    data = cropkit.crop_bytes(encoded(format="png"), rect=(0, 0, 9, 9))
    assert Image.open(io.BytesIO(data)).format == "PNG"
    data = cropkit.crop_bytes(encoded(), rect=(16, 16, 32, 32))
    cropkit.crop(photo(), tmp_path / "part.jpg", rect=(16, 16, 32, 32))
    assert data == (tmp_path / "part.jpg").read_bytes()


def test_bytes_can_come_from_a_file_and_go_into_one(photo, tmp_path):
    assert cropkit.crop_bytes(photo(), rect=(0, 0, 16, 16)) == cropkit.crop_bytes(encoded(), rect=(0, 0, 16, 16))
    cropkit.crop(encoded(), tmp_path / "part.jpg", rect=(0, 0, 16, 16))
    assert (tmp_path / "part.jpg").read_bytes() == cropkit.crop_bytes(encoded(), rect=(0, 0, 16, 16))


def test_decoded_pixels_are_those_of_the_picture():
    array = cropkit.crop_bytes(encoded(format="png"), rect=(5, 7, 31, 17), decode=True)
    assert array.dtype == numpy.uint8
    assert (array == pixels()[7:24, 5:36]).all()


def test_pixels_of_a_jpeg_are_not_re_encoded():
    array = cropkit.crop_bytes(encoded(), rect=(5, 7, 31, 17), decode=True)
    whole = numpy.array(Image.open(io.BytesIO(encoded())))
    assert (array == whole[7:24, 5:36]).all()


def test_a_recipe_determines_the_crop(photo, tmp_path):
    recipe = {"rect": {"x": 0, "y": 0, "width": 20, "height": 40}, "quarterTurns": 1}
    result = cropkit.crop(photo(), tmp_path / "part.png", recipe=recipe)
    part = numpy.array(Image.open(tmp_path / "part.png"))
    turned = numpy.rot90(numpy.array(Image.open(photo())), -1)
    assert (result.width, result.height) == (20, 40)
    assert (part == turned[:40, :20]).all()


def test_the_default_is_the_complete_image(photo, tmp_path):
    result = cropkit.crop(photo(), tmp_path / "copy.png")
    assert (result.width, result.height) == (320, 240)


@pytest.mark.parametrize("size", [(60, 40), "60x40"])
def test_a_size_is_a_pair_or_a_text(photo, tmp_path, size):
    result = cropkit.crop(photo(), tmp_path / "part.jpg", rect=(0, 0, 120, 80), size=size)
    assert (result.width, result.height) == (60, 40)


def test_a_rectangle_may_have_percentages_and_integral_floats(photo, tmp_path):
    result = cropkit.crop(photo(), tmp_path / "a.jpg", rect="10%,10%,50%,50%")
    assert (result.width, result.height) == (160, 120)
    result = cropkit.crop(photo(), tmp_path / "b.jpg", rect=(16.0, 16.0, 32.0, 32.0))
    assert (result.width, result.height) == (32, 32)


@pytest.mark.parametrize(
    "quad", [[(8, 4), (60, 8.5), (56, 50), (4, 40)], (8, 4, 60, 8.5, 56, 50, 4, 40), "8,4,60,8.5,56,50,4,40"]
)
def test_four_corners_are_pairs_numbers_or_a_text(photo, tmp_path, quad):
    result = cropkit.crop(photo(), tmp_path / "flat.png", quad=quad)
    assert (result.width, result.height, result.lossless) == (53, 42, False)
    corners = numpy.array([[8, 4], [60, 8], [56, 50], [4, 40]])
    result = cropkit.crop(photo(), tmp_path / "sheet.png", quad=corners, size="a4")
    assert abs(result.width / result.height - 297 / 210) < 0.03


def test_invalid_corners_are_rejected_by_name(photo, tmp_path):
    with pytest.raises(cropkit.CropError, match="edges cross"):
        cropkit.crop(photo(), tmp_path / "flat.png", quad="8,4,56,50,60,8,4,40")
    with pytest.raises(cropkit.CropError, match="four corners"):
        cropkit.crop(photo(), tmp_path / "flat.png", quad=[(1, 2), (3, 4)])


@pytest.mark.parametrize(
    ("how", "name"),
    [
        ({"aspect": float("nan")}, "aspect"),
        ({"margin": float("inf")}, "margin"),
        ({"recipe": {"tilt": float("nan")}}, "recipe"),
        ({"quality": numpy.int64(80)}, "quality"),
    ],
)
def test_a_value_that_json_lacks_fails_only_its_crop(photo, tmp_path, how, name):
    with cropkit.Pool(jobs=1) as pool:
        crops = [cropkit.Crop(photo(), tmp_path / "a.jpg", **how), cropkit.Crop(photo(), tmp_path / "b.jpg")]
        bad, good = pool.map(crops, errors="return")
    assert isinstance(bad, cropkit.CropError)
    assert bad.code == "usage"
    assert bad.message.startswith(f"{name}: ")
    assert isinstance(good, cropkit.Result)


@pytest.mark.parametrize("trim", [True, 24, 0])
def test_a_crop_is_on_a_canvas_whose_border_can_be_trimmed(photo, trim):
    whole = cropkit.crop_bytes(photo(), format="png")
    laid = cropkit.crop_bytes(whole, canvas="1:1", margin="10%", fill="#ff8800")
    image = Image.open(io.BytesIO(laid))
    assert image.width == image.height
    assert image.convert("RGB").getpixel((0, 0)) == (255, 136, 0)
    again = cropkit.crop_bytes(laid, trim=trim, decode=True)
    assert (again == cropkit.crop_bytes(whole, decode=True)).all()
    assert Image.open(io.BytesIO(cropkit.crop_bytes(laid, trim=False))).size == image.size


def test_a_rectangle_outside_is_rejected_with_the_program_s_message(photo, tmp_path):
    with pytest.raises(cropkit.CropError, match="the image is 320 × 240 pixels") as caught:
        cropkit.crop(photo(), tmp_path / "part.jpg", rect=(300, 0, 100, 100))
    assert caught.value.message.endswith('; the part inside is 300,0,20,100: use that, or outside="clamp"')
    assert (caught.value.code, caught.value.exit_status) == ("invalid-recipe", 64)
    assert caught.value.crop is not None
    assert caught.value.crop.output == tmp_path / "part.jpg"
    assert not (tmp_path / "part.jpg").exists()


def test_a_missing_image_has_a_separate_code(tmp_path):
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop(tmp_path / "none.jpg", tmp_path / "part.jpg", rect=(0, 0, 1, 1))
    assert (caught.value.code, caught.value.exit_status) == ("input-missing", 66)
    assert str(caught.value) == caught.value.message


def test_bytes_that_are_not_an_image_are_rejected():
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes(b"no picture at all", aspect="1:1")
    assert caught.value.exit_status in (65, 69)


def test_no_file_is_overwritten_by_default(photo, tmp_path):
    (tmp_path / "part.jpg").write_bytes(b"mine")
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop(photo(), tmp_path / "part.jpg", rect=(0, 0, 16, 16))
    assert caught.value.code == "output-exists"
    assert (tmp_path / "part.jpg").read_bytes() == b"mine"
    cropkit.crop(photo(), tmp_path / "part.jpg", rect=(0, 0, 16, 16), force=True)
    assert (tmp_path / "part.jpg").read_bytes() != b"mine"


def test_a_result_has_the_time_of_its_input_on_request(photo, tmp_path):
    source = photo()
    os.utime(source, (1_000_000_000, 1_000_000_000))
    for keeps in (False, True):
        cropkit.crop(source, tmp_path / "part.jpg", rect=(0, 0, 16, 16), force=True, keep_time=keeps)
        assert ((tmp_path / "part.jpg").stat().st_mtime == 1_000_000_000) == keeps


def test_the_original_is_never_the_output(photo):
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop(photo(), photo(), rect=(0, 0, 16, 16), force=True)
    assert caught.value.code == "output-is-input"
    assert photo().read_bytes() == encoded()


def test_an_unknown_option_is_a_type_error(photo):
    with pytest.raises(TypeError, match="color"):
        cropkit.Crop(photo(), color="red")
    with pytest.raises(cropkit.CropError, match="x, y, width and height") as caught:
        cropkit.crop_bytes(photo(), rect=(1, 2, 3))
    assert caught.value.code == "usage"


def test_a_name_that_is_not_utf_8_is_an_error_with_advice(tmp_path):
    with pytest.raises(cropkit.CropError, match="pass the bytes"):
        cropkit.crop_bytes(str(tmp_path / "\udcff.jpg"), aspect="1:1")


def test_names_are_relative_to_the_current_folder(photo, tmp_path, monkeypatch):
    photo()
    monkeypatch.chdir(tmp_path)
    with cropkit.Pool(jobs=1) as pool:
        (tmp_path / "folder").mkdir()
        monkeypatch.chdir(tmp_path / "folder")
        pool.crop(cropkit.Crop("../photo.jpg", "-part é\n.jpg", aspect="1:1"))
    assert (tmp_path / "folder" / "-part é\n.jpg").exists()


def test_a_missing_program_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("CROPKIT_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(cropkit.ProgramError) as caught:
        cropkit.crop_bytes(encoded(), aspect="1:1")
    assert caught.value.code == "program-failed"


def test_crops_and_errors_can_be_sent_to_other_processes():
    crop = pickle.loads(pickle.dumps(cropkit.Crop("a.jpg", None, rect=(0, 0, 1, 1), quality=80)))
    assert repr(crop) == "Crop('a.jpg', None, rect=(0, 0, 1, 1), quality=80)"
    error = pickle.loads(pickle.dumps(cropkit.CropError("corrupt", "a.jpg: is damaged", 65, crop)))
    assert (error.code, error.exit_status, str(error)) == ("corrupt", 65, "a.jpg: is damaged")


def test_the_crop_of_another_program_is_applied(photo, tmp_path):
    sidecar = tmp_path / "photo.jpg.pp3"
    sidecar.write_text("[Crop]\nEnabled=true\nX=16\nY=32\nW=64\nH=48\n")
    result = cropkit.crop(photo(), tmp_path / "part.jpg", crop_from=sidecar)
    assert (result.rect, result.lossless) == (cropkit.Rect(16, 32, 64, 48), True)
    packet = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:HasCrop="True" '
        'crs:CropLeft="0.05" crs:CropTop="0.1" crs:CropRight="0.25" crs:CropBottom="0.3"/></rdf:RDF></x:xmpmeta>'
    )
    inside = io.BytesIO()
    Image.open(photo()).save(inside, "jpeg", xmp=packet.encode())
    assert Image.open(io.BytesIO(cropkit.crop_bytes(inside.getvalue(), crop_from="xmp"))).size == (64, 48)
    with pytest.raises(cropkit.CropError) as refused:
        cropkit.crop_bytes(encoded(), crop_from="xmp")
    assert refused.value.code == "invalid-recipe"
