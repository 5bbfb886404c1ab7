"""Images in all supported Python types, and names that are URLs."""

from __future__ import annotations

import io
import pickle
import re
from pathlib import Path

import numpy
import pytest
from conftest import encoded, pixels
from PIL import Image, ImageCms

import cropkit

BOX = (5, 7, 31, 17)
PART = (slice(7, 24), slice(5, 36))


@pytest.mark.parametrize("form", [bytearray, memoryview, io.BytesIO, lambda data: memoryview(bytearray(data))])
def test_bytes_may_have_any_form(form):
    assert cropkit.crop_bytes(form(encoded()), rect=BOX) == cropkit.crop_bytes(encoded(), rect=BOX)


def test_an_open_file_is_read_from_where_it_is(photo, tmp_path):
    with open(photo(), "rb") as file:
        assert cropkit.crop_bytes(file, rect=BOX) == cropkit.crop_bytes(encoded(), rect=BOX)
    with pytest.raises(TypeError, match="binary mode"):
        cropkit.Crop(io.StringIO("text"), rect=BOX)
    file = io.BytesIO(b"before" + encoded())
    file.seek(6)
    crop = cropkit.Crop(file, tmp_path / "part.jpg", rect=BOX)
    file.close()
    with cropkit.Pool(jobs=1) as pool:
        assert pool.crop(crop).width == 31


@pytest.mark.parametrize(
    "array",
    [
        pixels(),
        pixels()[:, :, 0],
        pixels()[:, :, :1],
        pixels()[::-1, ::2, ::-1],
        numpy.dstack([pixels(), pixels()[:, :, 0]]),
        pixels().astype(numpy.uint16) * 257,
        (pixels()[:, :, 1].astype(">u2") * 200),
    ],
    ids=["rgb", "gray", "one channel", "strided", "rgba", "16 bits", "gray of 16 bits"],
)
def test_an_array_is_cropped_pixel_for_pixel(array):
    part = cropkit.crop_bytes(array, rect=BOX)
    assert part[:4] == b"\x89PNG"
    if array.dtype.itemsize == 2 and array.ndim == 3:
        # Pillow only reads eight bits per channel.
        assert (numpy.array(Image.open(io.BytesIO(part))) == array[PART] // 257).all()
    else:
        assert (cropkit.crop_bytes(array, rect=BOX, decode=True) == array[PART].squeeze()).all()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_a_pillow_image_is_cropped_pixel_for_pixel(mode):
    image = Image.fromarray(pixels())
    image = Image.fromarray(pixels()[:, :, 0].astype(numpy.uint16) * 200) if mode == "I;16" else image.convert(mode)
    part = Image.open(io.BytesIO(cropkit.crop_bytes(image, rect=BOX, format="png")))
    wanted = image.crop((5, 7, 36, 24))
    wanted = wanted if mode == "I;16" else wanted.convert("RGBA")
    part = part if mode == "I;16" else part.convert("RGBA")
    assert (numpy.array(part) == numpy.array(wanted)).all()


def test_a_pillow_image_is_cropped_as_pillow_shows_it():
    file = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(pixels()).save(file, "jpeg", quality=95, exif=exif)
    image = Image.open(file)
    part = cropkit.crop_bytes(image, rect=BOX, decode=True)
    assert (part == numpy.array(image)[PART]).all()


def test_a_cmyk_image_becomes_a_picture():
    image = Image.fromarray(pixels()).convert("CMYK")
    assert Image.open(io.BytesIO(cropkit.crop_bytes(image, rect=BOX, format="jpeg"))).size == (31, 17)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (numpy.zeros((4, 4)), "uint8 or uint16"),
        (numpy.zeros((4, 4, 5), numpy.uint8), "1 to 4"),
        (numpy.zeros((0, 4), numpy.uint8), "no pixels"),
        (numpy.zeros(4, numpy.uint8), "height, width"),
        (Image.new("F", (4, 4)), "convert"),
    ],
)
def test_unsupported_pixels_are_rejected(source, words):
    with pytest.raises(ValueError, match=words):
        cropkit.Crop(source)


def test_pixels_are_passed_on_uncompressed(tmp_path):
    crop = cropkit.Crop(pixels(), rect=BOX)
    assert pixels().tobytes() in crop.input
    assert cropkit.info(pixels()).bit_depth == 8
    again = pickle.loads(pickle.dumps(crop))
    with cropkit.Pool(jobs=1) as pool:
        assert [pool.crop(one).format for one in (crop, again)] == ["png", "png"]
        assert pool.crop(cropkit.Crop(pixels(), format="webp")).format == "webp"
        assert pool.crop(cropkit.Crop(pixels(), tmp_path / "a.jpg")).format == "jpeg"
        assert pool.crop(cropkit.Crop(pixels(), tmp_path / "a")).format == "png"
        # Bytes of a TIFF are a file.
        assert pool.crop(cropkit.Crop(bytes(bytearray(crop.input)), rect=BOX)).format == "tiff"


def test_a_pillow_image_keeps_its_profile_and_its_transparent_color():
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    image = Image.fromarray(pixels())
    image.info["icc_profile"] = profile
    assert Image.open(io.BytesIO(cropkit.crop_bytes(image, rect=BOX))).info["icc_profile"] == profile
    image = Image.fromarray(pixels()).quantize(16)
    image.info["transparency"] = int(numpy.array(image)[10, 10])
    part = Image.open(io.BytesIO(cropkit.crop_bytes(image, rect=BOX))).convert("RGBA")
    assert (numpy.array(part) == numpy.array(image.convert("RGBA"))[PART]).all()


def test_an_unsupported_input_is_rejected_with_the_supported_types():
    with pytest.raises(TypeError, match="a Pillow image or a NumPy array, not int"):
        cropkit.Crop(7)


@pytest.mark.parametrize("name", [Path("s3a://bucket/a.jpg"), "hdfs:/a.jpg", "local://a.jpg", "file://host/a.jpg"])
def test_a_url_of_neither_a_file_nor_an_object_is_rejected(photo, tmp_path, monkeypatch, name):
    source = photo()
    monkeypatch.chdir(tmp_path)
    for input, output in ((source, name), (name, "part.jpg")):
        with pytest.raises(cropkit.CropError, match="not the URL of an object") as caught:
            cropkit.crop(input, output, rect=BOX)
        assert caught.value.code == "usage"
    assert [path.name for path in tmp_path.iterdir()] == ["photo.jpg"]


def test_the_address_of_a_file_is_its_path(photo, tmp_path):
    cropkit.crop(f"file://{photo('a b.jpg')}".replace(" ", "%20"), f"file:{tmp_path}/part.jpg", rect=BOX)
    assert (tmp_path / "part.jpg").exists()
    assert cropkit.crop_bytes(str(photo()), rect=BOX)


def test_errors_name_arguments_instead_of_options(photo, tmp_path):
    cropkit.crop(photo(), tmp_path / "a --force.jpg", rect=BOX)
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop(photo(), tmp_path / "a --force.jpg", rect=BOX)
    assert str(caught.value).startswith(f"{tmp_path}/a --force.jpg: ")
    assert "use force=True to overwrite it" in str(caught.value)
    with pytest.raises(cropkit.CropError, match=r'raise limits\["pixels"\]'):
        cropkit.crop_bytes(photo(), rect=BOX, limits={"pixels": 1000})
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop(photo(), photo(), rect=BOX, force=True)
    assert str(caught.value) == f"{photo()}: is the input of another crop; choose another output"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"max_bytes": "10kB"}, "max_bytes: "),
        ({"quality": "high"}, "quality: "),
        ({"max_side": "big"}, "max_side: "),
    ],
)
def test_an_invalid_option_has_its_python_name(photo, words, told):
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes(photo(), rect=BOX, **words)
    assert caught.value.code == "usage"
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"jobs": 0}, "jobs must be a whole number from 1 to 256, not 0"),
        ({"jobs": 257}, "jobs must be a whole number from 1 to 256, not 257"),
        (
            {"limits": {"pixels": "many"}},
            """limits["pixels"] must be a whole number, such as 40000000 or 40M, not 'many'""",
        ),
        ({"limits": {"seconds": 1.5}}, 'limits["seconds"] must be a whole number, such as 30, not 1.5'),
        (
            {"limits": {"bytes": "9999999999G"}},
            """limits["bytes"] must be a number of bytes, such as 200000, 200K or 1.5M, not '9999999999G'""",
        ),
        (
            {"limits": {"pixels": "9" * 5000}},
            f"""limits["pixels"] must be a whole number, such as 40000000 or 40M, not {"9" * 5000!r}""",
        ),
        ({"limits": {"memory": 0}}, 'limits["memory"] must be a number of bytes, such as 200000, 200K or 1.5M, not 0'),
        (
            {"limits": {"pixel": "1"}},
            "there is no limit 'pixel'; expected one of pixels, output, bytes, memory, scans, seconds",
        ),
    ],
)
def test_a_pool_rejects_invalid_arguments(words, told):
    with pytest.raises(ValueError, match=f"^{re.escape(told)}$"):
        cropkit.Pool(**words)


@pytest.mark.parametrize("amount", [1, "1", "2k", "1.5M", "0.001K", "8G", numpy.int64(7)])
def test_the_program_accepts_the_amounts_that_a_pool_does(amount):
    with cropkit.Pool(limits={"bytes": amount, "scans": amount}) as pool, pytest.raises(cropkit.CropError) as caught:
        pool.crop(cropkit.Crop(b"", rect=BOX))
    assert caught.value.code == "empty"


def test_the_package_has_a_version():
    assert cropkit.__version__
    with pytest.raises(AttributeError, match="no attribute 'color'"):
        _ = cropkit.color
