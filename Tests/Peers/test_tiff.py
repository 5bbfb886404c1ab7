"""Unusual TIFFs: channels, depths, compressions and samples of every kind."""

import struct
import subprocess

import numpy
import pytest
import tifffile
from conftest import crop, info, run
from PIL import Image

RANDOM = numpy.random.default_rng(5)


def samples(*shape, dtype="uint8", most=None):
    """Samples that are different everywhere."""
    most = numpy.iinfo(dtype).max if most is None else most
    return RANDOM.integers(0, most, shape, dtype=dtype, endpoint=True)


def pixels(path, mode):
    """Pillow's pixels."""
    with Image.open(path) as picture:
        return numpy.asarray(picture.convert(mode))


@pytest.mark.parametrize("bits", [1, 2, 4])
@pytest.mark.parametrize("compression", ["none", "lzw", "zip", "packbits", "zstd"])
@pytest.mark.parametrize("width", [70, 71])
@pytest.mark.parametrize("is_big", [False, True])
def test_low_bit_depths_are_kept(folder, bits, compression, width, is_big):
    gray = samples(60, 81, most=2**bits - 1)
    tifffile.imwrite(
        folder / "plain.tif", gray, bitspersample=bits, photometric="minisblack", bigtiff=is_big)
    words = ["-c", compression] + (["-8"] if is_big else [])
    subprocess.run(["tiffcp", *words, folder / "plain.tif", folder / "in.tif"], check=True)
    report = crop(folder / "in.tif", folder / "out.tif", "--rect", f"3,4,{width},50")
    assert report["lossless"]
    found = tifffile.imread(folder / "out.tif")
    # White is 255 if the result has 8 bits.
    scale = 255 // (2**bits - 1) if info(folder / "out.tif")["bitDepth"] == 8 and bits < 8 else 1
    assert (found == gray[4:54, 3:3 + width] * scale).all()


def test_images_of_one_bit_replaced_in_place_can_be_read(folder):
    path = folder / "in.tif"
    Image.fromarray(samples(60, 80, most=1) * 255).convert("1").save(path, compression="tiff_lzw")
    before = pixels(path, "L")
    run("crop", path, "--rect", "0,0,70,50", "--in-place")
    assert (pixels(path, "L") == before[:50, :70]).all()


@pytest.mark.parametrize("suffix", ["heic", "avif", "png", "webp", "jpg"])
@pytest.mark.parametrize("channels", [5, 8])
@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_extra_channels_are_dropped_and_reported(folder, suffix, channels, dtype):
    picture = numpy.full((300, 64, channels), 200, dtype)
    picture[..., 1] = 90
    if dtype == "uint16":
        picture *= 257
    picture[..., 3] = numpy.iinfo(dtype).max
    tifffile.imwrite(
        folder / "in.tif", picture, photometric="rgb", planarconfig="contig",
        extrasamples=["unassalpha"] + ["unspecified"] * (channels - 4))
    report = crop(folder / "in.tif", folder / f"out.{suffix}")
    assert "channels-dropped" in [warning["code"] for warning in report["warnings"]]
    # Pillow's plugins for HEIC and AVIF can't be in the same process.
    crop(folder / f"out.{suffix}", folder / "seen.png")
    difference = pixels(folder / "seen.png", "RGB").astype(int) - [200, 90, 200]
    assert abs(difference).max() <= 3


def test_extra_channels_of_a_tiff_are_kept_and_end_at_the_mask(folder):
    picture = samples(64, 64, 6)
    tifffile.imwrite(
        folder / "in.tif", picture, photometric="rgb", planarconfig="contig",
        extrasamples=["unassalpha", "unspecified", "unspecified"])
    crop(folder / "in.tif", folder / "out.tif", "--rect", "8,8,32,32")
    assert (tifffile.imread(folder / "out.tif") == picture[8:40, 8:40]).all()
    crop(folder / "in.tif", folder / "round.tif", "--rect", "8,8,32,32", "--shape", "ellipse")
    found = tifffile.imread(folder / "round.tif")
    assert (found[0, 0, 3:] == 0).all()
    assert (found[16, 16] == picture[24, 24]).all()


def test_extra_channels_of_gray_are_not_colors(folder):
    picture = samples(32, 48, 3)
    tifffile.imwrite(
        folder / "in.tif", picture, photometric="minisblack", planarconfig="contig",
        extrasamples=["unassalpha", "unspecified"])
    crop(folder / "in.tif", folder / "out.png")
    assert (pixels(folder / "out.png", "LA") == picture[..., :2]).all()


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
def test_a_mask_is_kept_if_the_source_is_compressed_as_jpeg(folder, mode):
    Image.new(mode, (64, 64), 120).save(folder / "in.tif", compression="jpeg")
    crop(folder / "in.tif", folder / "out.tif", "--shape", "ellipse")
    found = tifffile.imread(folder / "out.tif")
    assert found[0, 0, -1] == 0 and found[32, 32, -1] == 255


@pytest.mark.parametrize("mode", ["LA", "RGBA"])
def test_alpha_is_kept_if_the_source_is_compressed_as_jpeg(folder, mode):
    source = Image.new(mode, (64, 64), (9, 70) if mode == "LA" else (9, 9, 9, 70))
    source.save(folder / "in.tif", compression="jpeg")
    crop(folder / "in.tif", folder / "out.tif", "--rect", "0,0,32,32")
    assert (tifffile.imread(folder / "out.tif")[..., -1] == 70).all()


def ycbcr(path):
    Image.new("YCbCr", (32, 32), (100, 90, 60)).save(path, compression="raw")


def icc_lab(path):
    tifffile.imwrite(path, samples(32, 32, 3), photometric="icclab", planarconfig="contig")


def lab_with_alpha(path):
    tifffile.imwrite(
        path, samples(32, 32, 4), photometric="cielab", planarconfig="contig",
        extrasamples=["unassalpha"])


def gray_planes(path):
    tifffile.imwrite(
        path, samples(2, 32, 32), photometric="minisblack", planarconfig="separate",
        extrasamples=["unassalpha"])


def half_floats(path):
    tifffile.imwrite(path, samples(32, 32).astype("float16"), photometric="minisblack")


@pytest.mark.parametrize("make", [ycbcr, icc_lab, lab_with_alpha, gray_planes, half_floats])
def test_unsupported_colors_are_rejected_by_name(folder, make):
    make(folder / "in.tif")
    error = crop(folder / "in.tif", folder / "out.png", status=69)["error"]
    assert error["code"] == "unsupported-feature"
    assert not (folder / "out.png").exists()


@pytest.mark.parametrize("dtype", ["uint32", "int8", "int16", "int32", "float32"])
@pytest.mark.parametrize("suffix", ["png", "jpg", "heic"])
def test_samples_without_a_range_are_kept_in_tiffs(folder, dtype, suffix):
    gray = samples(32, 40).astype(dtype)
    tifffile.imwrite(folder / "in.tif", gray, photometric="minisblack")
    crop(folder / "in.tif", folder / "out.tif", "--rect", "4,4,20,20")
    assert (tifffile.imread(folder / "out.tif") == gray[4:24, 4:24]).all()
    error = crop(folder / "in.tif", folder / f"out.{suffix}", status=69)["error"]
    assert error["code"] == "unsupported-feature"


@pytest.mark.parametrize("dtype, value", [("int8", -100), ("int16", -1000), ("float32", 0.75)])
@pytest.mark.parametrize("words", [["--max-side", "20"], ["--max-side", "20", "--linear"], ["--tilt", "5"]])
def test_samples_without_a_range_are_resized(folder, dtype, value, words):
    tifffile.imwrite(folder / "in.tif", numpy.full((32, 40), value, dtype), photometric="minisblack")
    crop(folder / "in.tif", folder / "out.tif", *words)
    found = tifffile.imread(folder / "out.tif")
    assert found.dtype == dtype and (found == value).all()


@pytest.mark.parametrize("dtype, words", [
    ("uint32", ["--max-side", "20"]), ("int32", ["--tilt", "5"]), ("uint32", ["--shape", "ellipse"]),
    ("float32", ["--shape", "ellipse"])])
def test_what_would_change_samples_without_a_range_is_rejected(folder, dtype, words):
    tifffile.imwrite(folder / "in.tif", numpy.full((32, 40), 2**31 - 1, dtype), photometric="minisblack")
    error = crop(folder / "in.tif", folder / "out.tif", *words, status=69)["error"]
    assert error["code"] == "unsupported-feature"


def test_floating_point_light_keeps_its_transparency(folder):
    picture = numpy.full((16, 16, 4), 0.5, "float32")
    picture[:8, :, 3] = 1
    tifffile.imwrite(
        folder / "in.tif", picture, photometric="rgb", planarconfig="contig",
        extrasamples=["unassalpha"])
    crop(folder / "in.tif", folder / "out.png")
    found = pixels(folder / "out.png", "RGBA")
    # Half of the light is 188 of 255 in sRGB (IEC 61966-2-1).
    assert abs(found[..., :3].astype(int) - 188).max() <= 1
    assert (found[:8, :, 3] == 255).all() and abs(found[8:, :, 3].astype(int) - 128).max() <= 1


@pytest.mark.parametrize("words", [[], ["--max-side", "16"], ["--tilt", "5"], ["--shape", "ellipse"],
                                   ["--canvas", "40x40"]])
@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_lab_has_the_same_colors_after_every_step(folder, words, suffix):
    lab = numpy.full((32, 32, 3), (200, 20, 256 - 30), "uint8")
    tifffile.imwrite(folder / "in.tif", lab, photometric="cielab", planarconfig="contig")
    report = crop(folder / "in.tif", folder / f"out.{suffix}", *words)
    if not words and suffix == "tif":
        assert (tifffile.imread(folder / "out.tif") == lab).all()
        return
    assert "colors-converted" in [warning["code"] for warning in report["warnings"]]
    found = pixels(folder / f"out.{suffix}", "RGB")
    # L* = 78.4, a* = 20, b* = -30, with the white of D65 (IEC 61966-2-1).
    middle = found[found.shape[0] // 2, found.shape[1] // 2].astype(int)
    assert abs(middle - (204, 184, 250)).max() <= 2, middle


@pytest.mark.parametrize("words", [[], ["--size", "16x16"], ["--tilt", "5", "--srgb"]])
def test_lab_of_eight_bits_becomes_colors(folder, words):
    lab = numpy.zeros((32, 32, 3), "uint8")
    lab[..., 0] = 136
    tifffile.imwrite(folder / "in.tif", lab, photometric="cielab", planarconfig="contig")
    crop(folder / "in.tif", folder / "out.png", *words)
    # L* of 53.3 is sRGB's 127.5.
    assert abs(pixels(folder / "out.png", "RGB").astype(int) - 127).max() <= 2


@pytest.mark.parametrize(("pages", "back"), [(1, 0), (2, 0), (2, 1), (3, 1)])
def test_cyclic_pages_are_read_once_and_reported(folder, pages, back):
    colors = [(9, 99, 200), (200, 9, 99), (99, 200, 9)][:pages]
    images = [Image.new("RGB", (32, 24), color) for color in colors]
    source = folder / "in.tif"
    images[0].save(source, save_all=True, append_images=images[1:], compression="tiff_lzw")
    file, directories, place = bytearray(source.read_bytes()), [], 4
    while directory := struct.unpack("<I", file[place : place + 4])[0]:
        directories.append(directory)
        place = directory + 2 + 12 * struct.unpack("<H", file[directory : directory + 2])[0]
    file[place : place + 4] = struct.pack("<I", directories[back])
    source.write_bytes(file)
    assert info(source)["pageCount"] == pages
    for page in range(1, pages + 1):
        report = crop(source, folder / "out.png", "--page", page, "--rect", "5,5,20,10")
        assert [w["code"] for w in report["warnings"]] == ["pages-in-circle"]
        with Image.open(folder / "out.png") as made:
            assert made.getcolors() == [(200, colors[page - 1])]
    crop(source, folder / "all.tif", "--page", "all", "--rect", "5,5,20,10")
    with Image.open(folder / "all.tif") as made:
        assert made.n_frames == pages
    run("crop", source, "-o", folder / "none.png", "--page", pages + 1, status=64)


@pytest.mark.parametrize("words,rects", [
    (["--inset", "10%"], [(6, 4, 54, 36), (9, 5, 81, 45)]),
    (["--rect", "50%,0,50%,50%"], [(30, 0, 60, 20), (45, 0, 90, 25)]),
    (["--rect", "5,6,-7,-8"], [(5, 6, 53, 32), (5, 6, 83, 42)]),
    (["--aspect", "1:1", "--gravity", "west"], [(0, 0, 40, 40), (0, 0, 50, 50)]),
    (["--rotate", "90", "--inset", "10,0,0,0"], [(0, 0, 60, 30), (0, 0, 90, 40)]),
])
def test_amounts_refer_to_each_page(folder, words, rects):
    random = numpy.random.default_rng(7)
    pages = [Image.fromarray(random.integers(0, 256, (height, width, 3), numpy.uint8))
             for width, height in ((60, 40), (90, 50))]
    pages[0].save(folder / "in.tif", save_all=True, append_images=pages[1:], compression="tiff_lzw")
    crop(folder / "in.tif", folder / "out.tif", "--page", "all", *words)
    made = Image.open(folder / "out.tif")
    assert made.n_frames == 2
    for index, (page, rect) in enumerate(zip(pages, rects)):
        made.seek(index)
        wanted = numpy.asarray(page.crop(rect))
        assert (numpy.asarray(made) == (numpy.rot90(wanted, -1) if "--rotate" in words else wanted)).all(), index
