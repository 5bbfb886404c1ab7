"""The metadata of results, as read by exiftool, and the metadata that they must not contain."""

import io
import shutil
import struct
import zlib

import numpy as np
import pytest
from conftest import crop, info, shared
from metadata import HIDDEN, exif, gif, iptc, jpeg, png_chunks, reported, traces, webp, with_chunks, xmp
from PIL import Image

pytestmark = pytest.mark.skipif(not shutil.which("exiftool"), reason="no exiftool")
NAMES = ["a.jpg", "a.png", "a.webp", "a.tif", "a.heic", "a.avif", "a.gif"]
SIZE = (48, 32)
# Every format to itself, to JPEG and PNG, and from them.
WAYS = [(a, b) for a in NAMES for b in NAMES if a == b or {a, b} & {"a.jpg", "a.png"}]


def picture(kind, **words):
    """An image in a format, without metadata."""
    rows = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    rows[..., 0] = np.arange(SIZE[0]) * 5
    rows[..., 1] = (np.arange(SIZE[1]) * 7)[:, None]
    file = io.BytesIO()
    Image.fromarray(rows).save(file, kind, **words)
    return file.getvalue()


def tiff(path):
    """A TIFF with XMP, IPTC, Photoshop resources, EXIF, and the hidden image as page and part."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2
    from metadata import photoshop

    tags = ImageFileDirectory_v2()
    tags[0x010E], tags[0x010F], tags[0x0110] = "A lake", "Maker of cameras", "Model"
    tags[0x8298] = "Somebody"
    tags.tagtype[700], tags[700] = 1, xmp()
    tags.tagtype[33723], tags[33723] = 7, iptc()
    tags.tagtype[34377], tags[34377] = 7, photoshop()
    tags.tagtype[52545], tags[52545] = 7, HIDDEN
    tags.tagtype[65000], tags[65000] = 7, HIDDEN
    inner = {0x9003: "2026:05:04 03:02:01", 0xA002: 48, 0xA003: 32, 0x927C: b"MAKER\0" + HIDDEN}
    place = {1: "N", 2: (48.0, 12.0, 30.0), 3: "E", 4: (16.0, 22.0, 11.0)}
    tags[0x8769], tags[0x8825] = inner, place
    image = Image.open(io.BytesIO(picture("PNG")))
    image.save(path, tiffinfo=tags)
    return path


def free(contents):
    """An unknown box."""
    return struct.pack(">I", len(contents) + 8) + b"free" + contents


MADE = {}


def source(folder, name):
    """An image in the format with everything that it can contain, and more."""
    path = folder / ("in-" + name)
    if name not in MADE:
        MADE[name] = made(folder, name)
    path.write_bytes(MADE[name])
    return path


def made(folder, name):
    match name:
        case "a.jpg":
            return jpeg(picture("JPEG", quality=90, subsampling=0))
        case "a.png":
            return with_chunks(picture("PNG"), png_chunks())
        case "a.webp":
            return webp(picture("WEBP", lossless=True), SIZE)
        case "a.gif":
            return gif(picture("GIF"))
        case "a.tif":
            return tiff(folder / "made.tif").read_bytes()
        case "a.avif":
            return picture("AVIF", exif=exif(), xmp=xmp()) + free(HIDDEN)
    # A HEIC is made here, then its metadata is added.
    (folder / "plain.png").write_bytes(with_chunks(picture("PNG"), png_chunks()))
    crop(folder / "plain.png", folder / "made.heic", "--rect", "0,0,48,32")
    file = (folder / "made.heic").read_bytes()
    assert not traces(file)
    marks = bytes.fromhex("d8fec3d61b0e483c92975828877ec481")
    for name, contents in ((b"uuid", marks + HIDDEN), (b"mpvd", HIDDEN), (b"free", HIDDEN)):
        file += struct.pack(">I", len(contents) + 8) + name + contents
    return file


def values(found, *names):
    """The values with these names in any group."""
    return [v for key, v in found.items() if key.split(":")[-1] in names]


@pytest.mark.parametrize(("name", "target"), WAYS)
def test_no_result_contains_anything_that_was_cut_off(folder, name, target):
    path = source(folder, name)
    assert traces(path.read_bytes()), "the test hides nothing"
    ways = [["--rect", "8,8,16,16"]]
    if name == target:
        # Through another code path, without a rectangle, without the location.
        ways += [["--rect", "1,1,15,17"], ["--tilt", "3"], [*ways[0], "--strip", "location"]]
    for words in ways:
        crop(path, folder / target, *words)
        assert traces((folder / target).read_bytes()) == [], words


@pytest.mark.parametrize(("name", "target"), WAYS)
def test_metadata_is_copied_and_corrected(folder, name, target):
    crop(source(folder, name), folder / target, "--rect", "8,8,20,16")
    found = reported(folder / target)
    assert info(folder / target)["orientation"] == 1
    assert not values(found, "Error", "Warning"), found
    assert values(found, "Orientation") in ([], ["Horizontal (normal)"], ["Horizontal (normal)"] * 2)
    # A GIF only supports XMP and comments.
    if "a.gif" not in (name, target):
        assert found["IFD0:Make"] == "Maker of cameras"
        assert found["IFD0:Copyright"] == "Somebody"
        assert found["ExifIFD:DateTimeOriginal"] == "2026:05:04 03:02:01"
        assert found["ExifIFD:ExifImageWidth"] == 20 and found["ExifIFD:ExifImageHeight"] == 16
        assert "48 deg 12'" in found["GPS:GPSLatitude"]
    if not (name == "a.heic" and target == "a.gif"):
        assert found["XMP-dc:Title"] == "Morning"
        assert str(found["XMP-exif:ExifImageWidth"]) == "20"
        assert values(found, "GPSLatitude")
    if name in ("a.jpg", "a.png", "a.tif") and target in ("a.jpg", "a.png", "a.tif"):
        assert "A caption" in values(found, "Caption-Abstract")
    if name in ("a.jpg", "a.gif") and target in ("a.jpg", "a.gif", "a.png"):
        assert "A comment" in values(found, "Comment"), found
    if (name, target) == ("a.png", "a.png"):
        assert found["PNG:Title"] == "Ein See" and found["PNG:Author"] == "Somebody"
        assert found["PNG:Description"] == "Frühling"


@pytest.mark.parametrize(("name", "target"), WAYS)
def test_locations_are_removed_on_request(folder, name, target):
    crop(source(folder, name), folder / target, "--rect", "8,8,20,16", "--strip", "location")
    found = reported(folder / target)
    assert not [k for k in found if "GPS" in k], found
    assert "Vienna" not in str(found)
    assert b"Vienna" not in (folder / target).read_bytes()
    assert b"48,12.5N" not in (folder / target).read_bytes()
    if "a.gif" not in (name, target):
        assert found["IFD0:Make"] == "Maker of cameras"


@pytest.mark.parametrize(("name", "target"), WAYS)
def test_all_metadata_is_removed_on_request(folder, name, target):
    crop(source(folder, name), folder / target, "--rect", "8,8,20,16", "--strip", "all")
    assert info(folder / target)["metadata"] == []
    found = reported(folder / target)
    assert not [k for k in found if k.startswith(("XMP", "IPTC", "GPS", "ExifIFD", "Photoshop"))]
    for word in ("Make", "Title", "Comment", "Copyright", "DateTimeOriginal"):
        assert not values(found, word)


@pytest.mark.parametrize("name", ["camera-canon-orient6-gps.jpg", "camera-nikon-gps-422.jpg",
                                  "heic-iphone-grid-irot3.heic", "png-icc-exif-xmp.png",
                                  "webp-exif-orientation-6.webp", "png-exif-orientation-6.png"])
def test_shared_pictures_keep_their_camera_in_every_format(folder, name):
    path = shared(name)
    before = reported(path)
    for target in NAMES[:-1]:
        crop(path, folder / target, "--rect", "16,16,64,48", "--lossless", "never")
        after = reported(folder / target)
        for key in ("IFD0:Make", "IFD0:Model", "ExifIFD:DateTimeOriginal", "ExifIFD:FNumber",
                    "ExifIFD:LensModel", "GPS:GPSLatitude"):
            assert after.get(key) == before.get(key), (target, key)
        assert after.get("IFD0:Orientation", "Horizontal (normal)") == "Horizontal (normal)"
        assert not values(after, "ThumbnailImage", "PreviewImage", "Error")


@pytest.mark.parametrize(("name", "stays"), [("heic-iphone-grid-irot3.heic", ["icc"]),
                                             ("avif-alpha-irot.avif", [])])
def test_an_uncropped_heic_is_copied_without_removed_metadata(folder, name, stays):
    path = shared(name)
    out = folder / name
    report = crop(path, out, "--strip", "all")
    assert report["lossless"]
    # The profile describes the colors; without it, they would change.
    assert info(out)["metadata"] == stays
    assert info(out)["shown"] == info(path)["shown"]
    assert "IFD0:Make" not in reported(out)
    for one, other in ((path, "before.png"), (out, "after.png")):
        crop(one, folder / other, "--rect", "100,200,64,48", "--strip", "all")
    assert (folder / "before.png").read_bytes() == (folder / "after.png").read_bytes()


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp", "a.gif"])
@pytest.mark.parametrize("policy", ["all", "location"])
def test_an_uncropped_image_is_copied_without_removed_metadata(folder, name, policy):
    path = source(folder, name)
    crop(path, folder / name, "--rect", "0,0,48,32", "--strip", policy)
    found = reported(folder / name)
    assert not [k for k in found if "GPS" in k]
    assert b"Vienna" not in (folder / name).read_bytes()
    if policy == "all":
        assert info(folder / name)["metadata"] == []
    if policy == "location" and name != "a.gif":
        assert found["IFD0:Make"] == "Maker of cameras"
    coded = {"a.jpg": b"\xff\xda", "a.png": b"IDAT", "a.webp": b"VP8L", "a.gif": b"\x2c\0\0\0\0"}
    before, after = path.read_bytes(), (folder / name).read_bytes()
    start = before.rindex(coded[name], 0, before.index(picture(
        {"a.jpg": "JPEG", "a.png": "PNG", "a.webp": "WEBP", "a.gif": "GIF"}[name],
        **({"quality": 90, "subsampling": 0} if name == "a.jpg" else
           {"lossless": True} if name == "a.webp" else {}))[-40:]) + 40)
    assert before[start : start + 40] in after


@pytest.mark.parametrize("source", ["in.png", "in.tif", "in.jpg"])
@pytest.mark.parametrize("words", [[], ["--tilt", "3"]])
def test_pixels_per_inch_are_kept(folder, source, words):
    Image.new("RGB", (64, 48), (9, 99, 200)).save(folder / source, dpi=(300, 150))
    for suffix in ("jpg", "png", "tif"):
        crop(folder / source, folder / f"out.{suffix}", "--rect", "20,20,9,9", *words)
        with Image.open(folder / f"out.{suffix}") as picture:
            assert [round(float(side)) for side in picture.info["dpi"]] == [300, 150]
    crop(folder / source, folder / "bare.jpg", "--rect", "20,20,9,9", "--tilt", "3", "--strip", "all")
    with Image.open(folder / "bare.jpg") as picture:
        assert picture.info.get("dpi", (72, 72)) != (300, 150)


@pytest.mark.parametrize("source", ["in.png", "in.tif", "in.jpg", "in.gif", "in.webp", "gray.png", "aspect.png", "unit.tif"])
@pytest.mark.parametrize("words", [[], ["--tilt", "3"]])
def test_pixels_per_inch_are_not_invented(folder, source, words):
    # Numbers without a unit only describe the aspect ratio of a pixel.
    more = {"aspect.png": {"pnginfo": None}, "unit.tif": {"tiffinfo": {282: 72.0, 283: 72.0, 296: 1}}}
    mode = "L" if source == "gray.png" else "P" if source == "in.gif" else "RGB"
    Image.new("RGB", (64, 48), (9, 99, 200)).convert(mode).save(folder / source, **more.get(source, {}))
    if source == "aspect.png":
        whole = (folder / source).read_bytes()
        shape = b"pHYs" + struct.pack(">IIB", 72, 72, 0)
        shape = struct.pack(">I", 9) + shape + struct.pack(">I", zlib.crc32(shape))
        (folder / source).write_bytes(whole[:33] + shape + whole[33:])
    assert info(folder / source)["density"] is None
    for suffix in ("jpg", "png", "tif", "webp", "heic", "avif"):
        crop(folder / source, folder / f"out.{suffix}", "--rect", "20,20,9,9", *words)
        assert info(folder / f"out.{suffix}")["density"] is None
        made = reported(folder / f"out.{suffix}")
        assert made.get("JFIF:ResolutionUnit", "None") == "None"
        assert not [k for k in made if "Resolution" in k and "JFIF" not in k or "PixelsPerUnit" in k]


def test_pixels_per_inch_turn_with_the_image(folder):
    Image.new("RGB", (64, 48), (9, 99, 200)).save(folder / "in.png", dpi=(300, 150))
    for suffix in ("jpg", "png", "tif"):
        crop(folder / "in.png", folder / f"out.{suffix}", "--rotate", "90", "--rect", "20,20,9,9")
        with Image.open(folder / f"out.{suffix}") as picture:
            assert [round(float(side)) for side in picture.info["dpi"]] == [150, 300]


def test_a_photo_without_exif_gets_an_orientation_only_if_it_is_turned(folder):
    (folder / "in.jpg").write_bytes(picture("JPEG"))
    for words, orientation in (([], None), (["--rotate", "90"], 6), (["--rotate", "90", "--bake"], None)):
        report = crop(folder / "in.jpg", folder / "out.jpg", "--rect", "0,0,16,32" if words else "0,0,32,16", *words)
        assert report["lossless"]
        assert Image.open(folder / "out.jpg").getexif().get(0x0112) == orientation
        assert (b"Exif" in (folder / "out.jpg").read_bytes()) == (orientation is not None)
