"""What a new user tries first: boxes of detectors, recipes of forms, properties, targets, other libraries' names."""

from __future__ import annotations

import json

import numpy
import pytest
from conftest import encoded
from PIL import Image, ImageDraw

import cropkit

RECIPE = {"rect": {"x": 16, "y": 0, "width": 160, "height": 80}}


def test_a_box_partly_outside_is_cut_to_the_picture_if_asked(photo):
    box = (-3.5, 200.25, 64, 100)
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes(photo(), rect=box)
    assert caught.value.exit_status == 64
    with pytest.raises(cropkit.CropError):
        cropkit.crop_bytes(photo(), rect=box, outside="error")
    with cropkit.Pool(jobs=1) as pool:
        result = pool.crop(cropkit.Crop(photo(), rect=box, outside="clamp"))
    assert result.rect == (0, 200, 61, 40)
    assert [warning.code for warning in result.warnings] == ["clamped"]


@pytest.mark.parametrize("value", ["clip", True, 3])
def test_outside_is_one_of_two_words(value):
    with pytest.raises(cropkit.CropError, match="'error' or 'clamp'"):
        cropkit.crop_bytes(encoded(), rect=(0, 0, 9, 9), outside=value)


@pytest.mark.parametrize("recipe", [RECIPE, json.dumps(RECIPE), json.dumps(RECIPE).encode()])
def test_a_recipe_is_a_mapping_or_its_text_and_may_be_limited(recipe):
    with cropkit.Pool(jobs=1) as pool:
        assert pool.crop(cropkit.Crop(encoded(), recipe=recipe)).rect == (16, 0, 160, 80)
        small = pool.crop(cropkit.Crop(encoded(), recipe=recipe, max_side=40))
        assert (small.width, small.height) == (40, 20)
        exact = pool.crop(cropkit.Crop(encoded(), recipe=recipe, size=(80, 40)))
        assert (exact.width, exact.height) == (80, 40)


@pytest.mark.parametrize(("recipe", "words"), [("{", "not JSON"), ("[]", "a JSON object"), ("3", "a JSON object")])
def test_a_text_that_is_no_recipe_is_named(recipe, words):
    with pytest.raises(cropkit.CropError, match=words):
        cropkit.crop_bytes(encoded(), recipe=recipe)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("aspekt", "aspect"), ("qualty", "quality"), ("box", "rect"), ("resize", "size"), ("turn", "rotate")],
)
def test_a_wrong_name_is_answered_with_the_right_one(name, meant):
    with pytest.raises(TypeError, match=f"no option {name} .did you mean {meant}"):
        cropkit.Crop("a.jpg", **{name: 1})


def test_a_name_like_no_other_gets_no_suggestion():
    with pytest.raises(TypeError, match=r"no option zzzz$"):
        cropkit.Crop("a.jpg", zzzz=1)


def test_a_value_of_a_wrong_type_is_named():
    with pytest.raises(cropkit.CropError, match="rect: 5 is of type int; expected x, y, width and height"):
        cropkit.crop_bytes(encoded(), rect=5)


def test_a_number_that_is_empty_is_an_error_that_names_its_option():
    with pytest.raises(cropkit.CropError, match=r"^rect: "):
        cropkit.crop_bytes(encoded(), rect=("", "0", "16", "16"))


def test_messages_have_the_names_of_python():
    with pytest.raises(cropkit.CropError, match=r"^max_side and width can't be used together"):
        cropkit.crop_bytes(encoded(), aspect="1:1", max_side=9, width=9)


@pytest.mark.parametrize("format", ["jpeg", "png"])
def test_info_reads_files_and_bytes(tmp_path, format):
    data = encoded(format=format)
    path = tmp_path / "--a.jpg"
    path.write_bytes(data)
    for source in (path, str(path), data):
        info = cropkit.info(source)
        assert (info.format, info.width, info.height, info.byte_count) == (format, 320, 240, len(data))
        assert info.fields["shown"] == {"width": 320, "height": 240}


def test_info_names_what_it_can_t_read(tmp_path):
    with pytest.raises(cropkit.CropError, match=r"missing\.jpg: no such file") as caught:
        cropkit.info(tmp_path / "missing.jpg")
    assert caught.value.exit_status == 66
    with pytest.raises(cropkit.CropError, match=r"^the input's bytes: ") as caught:
        cropkit.info(b"no picture")
    with pytest.raises(cropkit.CropError, match="it is a folder"):
        cropkit.info(tmp_path)
    with pytest.raises(cropkit.CropError, match=r'limits\["pixels"\]'):
        cropkit.info(encoded(), limits={"pixels": 100})


def test_info_reads_objects(files, options):
    files.pipe_file("bucket/a.jpg", encoded())
    assert cropkit.info("s3://bucket/a.jpg", storage_options=options).width == 320


def test_targets_are_made_and_named(photo, tmp_path):
    made = cropkit.targets(
        photo(), tmp_path / "out", [{"name": "square", "ratio": "1:1"}, {"name": "wide", "ratio": "2:1"}],
        focus=(0.1, 0.5), format="png",
    )  # fmt: skip
    assert [one.target for one in made] == ["square", "wide"]
    assert [(one.width, one.height) for one in made] == [(240, 240), (320, 160)]
    assert made[0].rect == (0, 0, 240, 240)
    assert Image.open(made[0].output).format == "PNG"
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.targets(photo(), tmp_path / "out", [{"name": "square", "ratio": "1:1"}], format="png")
    assert caught.value.code == "output-exists"
    for name in ("social", "instagram", "youtube", "web", "print"):
        assert len(cropkit.targets(photo(), tmp_path / name, name)) > 3


def test_the_corners_of_a_sheet_are_found():
    image = Image.new("RGB", (800, 600), "black")
    ImageDraw.Draw(image).polygon([(100, 80), (700, 120), (660, 520), (140, 480)], "white")
    with cropkit.Pool(jobs=1) as pool:
        found = pool.crop(cropkit.Crop(image, quad="auto"))
        (warning,) = found.warnings
        assert warning.code == "corners-found"
        numbers = warning.message.rpartition(" ")[2]
        for place, wanted in zip(numbers.split(","), (100, 80, 700, 120, 660, 520, 140, 480), strict=True):
            assert abs(int(place) - wanted) <= 4
        given = pool.crop(cropkit.Crop(image, quad=numbers))
    assert given.data == found.data
    with pytest.raises(cropkit.CropError, match="no sheet, painting or screen") as caught:
        cropkit.crop_bytes(Image.new("RGB", (64, 64)), quad="auto")
    assert caught.value.code == "invalid-recipe"


def test_targets_report_each_error_and_take_no_rectangle(photo, tmp_path):
    outside = {"rect": {"x": 0, "y": 0, "width": 999, "height": 999}}
    both = [{"name": "a", "ratio": "1:1", "recipe": outside}, {"name": "b", "ratio": "1:1"}]
    first, second = cropkit.targets(photo(), tmp_path, both, errors="return")
    assert isinstance(first, cropkit.CropError)
    assert second.target == "b"
    with pytest.raises(TypeError, match="rect is not allowed"):
        cropkit.targets(photo(), tmp_path, both, rect=(0, 0, 9, 9))


def test_decoding_refuses_a_format_that_pillow_can_t_read(monkeypatch):
    array = cropkit.crop_bytes(encoded(), rect=(0, 0, 16, 16), decode=True, format="webp")
    assert array.shape == (16, 16, 3)
    assert array.dtype == numpy.uint8
    monkeypatch.delitem(Image.OPEN, "WEBP")
    with pytest.raises(ValueError, match="can't read webp"):
        cropkit.crop_bytes(encoded(), rect=(0, 0, 16, 16), decode=True, format="webp")


def test_a_rectangle_may_have_names():
    with cropkit.Pool(jobs=1) as pool:
        assert pool.crop(cropkit.Crop(encoded(), rect=RECIPE["rect"])).rect == (16, 0, 160, 80)
    for rect in ({"x": 0, "y": 0}, {"left": 0, "top": 0, "right": 9, "bottom": 9}):
        with pytest.raises(cropkit.CropError, match="a rectangle is x, y, width and height"):
            cropkit.crop_bytes(encoded(), rect=rect)


def test_a_number_of_bytes_may_be_an_amount():
    assert len(cropkit.crop_bytes(encoded(), format="jpeg", lossless="never", max_bytes="9K")) <= 9 << 10
    with pytest.raises(cropkit.CropError, match="max_bytes: '3 KB' is not allowed; expected a number of bytes"):
        cropkit.crop_bytes(encoded(), max_bytes="3 KB")


def test_several_images_are_for_a_pool():
    with pytest.raises(TypeError, match=r"cropkit\.Pool"):
        cropkit.crop_bytes(["a.jpg", "b.jpg"], aspect="1:1")
