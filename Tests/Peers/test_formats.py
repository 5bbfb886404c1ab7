"""Formats, pages and encoders, compared with Pillow."""

import os

import numpy as np
import pytest
from conftest import crop, info, run, shared
from metadata import tiff_of_many, traces
from PIL import Image, ImageOps

RUNS = 100 if os.environ.get("CROPKIT_SOAK") else 5
RECT = (6, 5, 40, 30)
WORDS = ["--rect", "6,5,40,30"]
FLIP = ["--flip", "horizontal"]
#: What each EXIF orientation does to the stored image.
TURNS = {1: [], 2: FLIP, 3: ["--rotate", 180], 4: [*FLIP, "--rotate", 180], 5: [*FLIP, "--rotate", 270],
         6: ["--rotate", 90], 7: [*FLIP, "--rotate", 90], 8: ["--rotate", 270]}


def scene(width=64, height=48):
    """Smooth colors that identify positions."""
    across, down = np.arange(width)[None, :], np.arange(height)[:, None]
    planes = [across * 4 + 0 * down, down * 5 + 0 * across, 255 - 2 * across - 2 * down]
    return np.stack(planes, 2).clip(0, 255).astype(np.uint8)


def cut(array, rect=RECT):
    left, top, width, height = rect
    return array[top : top + height, left : left + width].astype(int)


def opened(path):
    return np.array(Image.open(path).convert("RGB")).astype(int)


def sampling(path):
    """The subsampling factors of a JPEG."""
    return {(1, 1): "444", (2, 1): "422", (2, 2): "420", (1, 2): "440", (4, 1): "411"}[
        Image.open(path).layer[0][1:3]]


@pytest.mark.parametrize("asked", ["444", "422", "420"])
@pytest.mark.parametrize("source", ["in.png", "in.jpg"])
def test_a_jpeg_has_the_subsampling_that_was_asked_for(folder, source, asked):
    Image.fromarray(scene()).save(folder / source, quality=98, subsampling=0)
    # Scaled, so that the pixels are processed like those of all formats.
    crop(folder / source, folder / "out.jpg", *WORDS, "--size", "20x15", "--subsampling", asked,
         "--quality", "98")
    assert sampling(folder / "out.jpg") == asked
    wanted = Image.fromarray(cut(scene()).astype(np.uint8)).resize((20, 15), Image.LANCZOS)
    assert np.abs(opened(folder / "out.jpg") - np.array(wanted).astype(int)).mean() < 4


@pytest.mark.parametrize("name,kept,turned", [
    ("jpeg-422-iptc.jpg", "422", "440"), ("jpeg-440-restart-nokia.jpg", "440", "422"),
    ("jpeg-444-icc-xmp.jpg", "444", "444")])
def test_the_subsampling_of_the_source_is_kept_and_turns_along(folder, name, kept, turned):
    source = shared(name)
    crop(source, folder / "a.jpg", "--tilt", "3")
    assert sampling(folder / "a.jpg") == kept
    crop(source, folder / "b.jpg", "--tilt", "3", "--rotate", "90")
    assert sampling(folder / "b.jpg") == turned


def test_subsampled_jpegs_keep_their_profile(folder):
    source = shared("jpeg-444-icc-xmp.jpg")
    crop(source, folder / "a.jpg", "--tilt", "3", "--subsampling", "422")
    assert Image.open(folder / "a.jpg").info["icc_profile"] == Image.open(source).info["icc_profile"]


@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_progressive_is_progressive(folder, suffix):
    Image.fromarray(scene()).save(folder / "in.png")
    crop(folder / "in.png", folder / f"a.{suffix}", *WORDS, "--progressive")
    assert info(folder / f"a.{suffix}")["isProgressive"]


@pytest.mark.parametrize("suffix,most", [("jpg", 6), ("webp", 8), ("heic", 6), ("avif", 6), ("gif", 30)])
def test_lossy_encoding_stays_close(folder, suffix, most):
    Image.fromarray(scene()).save(folder / "in.png")
    crop(folder / "in.png", folder / f"a.{suffix}", *WORDS, "--quality", "95", "--subsampling", "444")
    crop(folder / f"a.{suffix}", folder / "b.png")
    assert np.abs(opened(folder / "b.png") - cut(scene())).mean() < most
    sizes = []
    for quality in ("20", "95"):
        crop(folder / "in.png", folder / f"q.{suffix}", *WORDS, "--quality", quality)
        sizes.append((folder / f"q.{suffix}").stat().st_size)
    assert suffix == "gif" or sizes[0] < sizes[1]


@pytest.mark.parametrize("suffix", ["heic", "avif", "webp", "png", "tif", "gif"])
def test_a_shape_is_transparent_where_the_format_can_be(folder, suffix):
    Image.fromarray(scene()).save(folder / "in.png")
    crop(folder / "in.png", folder / f"a.{suffix}", *WORDS, "--shape", "ellipse")
    assert info(folder / f"a.{suffix}")["hasAlpha"]
    crop(folder / f"a.{suffix}", folder / "b.png")
    alpha = np.array(Image.open(folder / "b.png").convert("RGBA"))[..., 3]
    assert alpha[0, 0] == 0 and alpha[15, 20] == 255


def test_a_shape_shows_the_background_in_a_jpeg(folder):
    Image.fromarray(scene()).save(folder / "in.png")
    crop(folder / "in.png", folder / "a.jpg", *WORDS, "--shape", "ellipse", "--background",
         "#ff0000", "--quality", "100", "--subsampling", "444")
    assert np.abs(opened(folder / "a.jpg")[0, 0] - [255, 0, 0]).max() < 6


def test_a_lossless_drawing_stays_lossless_in_webp(folder):
    Image.fromarray(scene()).quantize(60).save(folder / "in.png")
    crop(folder / "in.png", folder / "a.webp", *WORDS)
    assert (opened(folder / "a.webp") == cut(opened(folder / "in.png"))).all()


def test_linear_light_keeps_brightness(folder):
    # Black and white columns: half the light is 188 of 255 in sRGB.
    columns = np.zeros((40, 40, 3), np.uint8)
    columns[:, ::2] = 255
    Image.fromarray(columns).save(folder / "in.png")
    for words, wanted in (([], 128), (["--linear"], 188)):
        crop(folder / "in.png", folder / "a.png", "--size", "10x10", *words)
        assert abs(opened(folder / "a.png")[3:7, 3:7].mean() - wanted) < 3


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("suffix", ["jpg", "png", "tif", "webp", "avif"])
def test_every_orientation_of_every_format_is_upright(folder, suffix, orientation):
    source = folder / f"in.{suffix}"
    exif = Image.Exif()
    exif[0x112] = orientation
    words = {"jpg": dict(quality=98, subsampling=0), "webp": dict(lossless=True),
             "avif": dict(quality=95, subsampling="4:4:4")}.get(suffix, {})
    if suffix == "avif" and ".avif" not in Image.registered_extensions():
        # Debian's Pillow can't write it before version 11.3.
        Image.fromarray(scene()).save(folder / "in.png")
        crop(folder / "in.png", folder / "upright.avif", "--quality", "95", "--subsampling", "444")
        crop(folder / "upright.avif", source, *TURNS[orientation])
    else:
        Image.fromarray(scene()).save(source, exif=exif, **words)
    # Pillow 9 turns a TIFF twice, and does not read every AVIF.
    upright = Image.open(source) if suffix == "jpg" else Image.fromarray(scene())
    upright.getexif()[0x112] = orientation
    upright = ImageOps.exif_transpose(upright).convert("RGB")
    array = np.array(upright).astype(int)
    most = {"jpg": 6, "avif": 12}.get(suffix, 0)
    for turns, mirrored in ((1, False), (2, True)):
        frame = np.rot90(array[:, ::-1] if mirrored else array, -turns)
        how = ["--rotate", str(90 * turns)] if turns else []
        how += ["--flip", "horizontal"] if mirrored else []
        crop(source, folder / "out.png", "--rect", "3,7,30,25", *how)
        found = opened(folder / "out.png")
        assert np.abs(found - cut(frame, (3, 7, 30, 25))).max() <= most, (turns, mirrored)


@pytest.mark.parametrize("suffix", ["jpg", "png", "tif", "webp", "gif", "heic", "avif"])
def test_the_answer_is_the_same_every_time(folder, suffix):
    Image.fromarray(scene()).save(folder / "in.png")
    answers = set()
    for turn in range(RUNS):
        crop(folder / "in.png", folder / f"{turn}.{suffix}", "--tilt", "5", "--max-side", "30", "--shape", "ellipse")
        answers.add((folder / f"{turn}.{suffix}").read_bytes())
    assert len(answers) == 1


def pages(folder, sizes=((64, 48), (64, 48), (64, 48))):
    """A TIFF whose pages differ."""
    path = folder / "in.tif"
    images = [Image.fromarray(np.roll(scene(*size), 9 * i, axis=1)) for i, size in enumerate(sizes)]
    images[0].save(path, save_all=True, append_images=images[1:], compression="tiff_lzw")
    return path


def tiff_pages(path):
    image = Image.open(path)
    found = []
    for index in range(image.n_frames):
        image.seek(index)
        found.append(np.array(image.convert("RGB")).astype(int))
    return found


@pytest.mark.parametrize("words", [[], ["--rotate", "90"], ["--size", "20x15"]])
def test_all_pages_of_a_tiff_are_cropped(folder, words):
    source = pages(folder)
    report = crop(source, folder / "out.tif", *WORDS, *words, "--page", "all")
    assert "frames-dropped" not in [w["code"] for w in report["warnings"]]
    found = tiff_pages(folder / "out.tif")
    assert len(found) == 3 and info(folder / "out.tif")["pageCount"] == 3
    for index, page in enumerate(found):
        crop(source, folder / "one.tif", *WORDS, *words, "--page", index + 1)
        assert (page == tiff_pages(folder / "one.tif")[0]).all()
        if not words:
            assert (page == cut(tiff_pages(source)[index])).all()


def test_kinds_of_pages_may_differ(folder):
    images = [Image.fromarray(scene()), Image.fromarray(scene()).convert("L"),
              Image.fromarray(scene()).convert("CMYK"), Image.fromarray(scene()).quantize(50)]
    images[0].save(folder / "in.tif", save_all=True, append_images=images[1:])
    crop(folder / "in.tif", folder / "out.tif", *WORDS, "--page", "all")
    image = Image.open(folder / "out.tif")
    for index, old in enumerate(images):
        image.seek(index)
        assert np.abs(np.array(image.convert("RGB")).astype(int) - cut(np.array(old.convert("RGB")))).max() <= 1


def test_pages_that_do_not_fit_are_named(folder):
    source = pages(folder, ((64, 48), (30, 20)))
    words = ["crop", source, "-o", folder / "out.tif", *WORDS]
    run(*words, "--page", "all", status=64)
    assert not (folder / "out.tif").exists()
    run(*words, "--page", "3", status=64)
    run(*words, "--page", "2", status=64)
    crop(source, folder / "out.tif", "--rect", "1,2,20,15", "--page", "all")
    assert [p.shape for p in tiff_pages(folder / "out.tif")] == [(15, 20, 3)] * 2


def test_the_shared_tiff_of_three_pages(folder):
    source = shared("tiff-multipage-3.tif")
    crop(source, folder / "out.tif", "--rect", "1,2,6,5", "--page", "all")
    for old, new in zip(tiff_pages(source), tiff_pages(folder / "out.tif"), strict=True):
        assert (new == cut(old, (1, 2, 6, 5))).all()


def test_a_copy_of_pages_is_refused_where_a_later_one_is_damaged(folder):
    images = [Image.fromarray(np.roll(scene(), 9 * i, axis=1)) for i in range(3)]
    images[0].save(folder / "in.tif", save_all=True, append_images=images[1:], compression="tiff_adobe_deflate")
    report = crop(folder / "in.tif", folder / "copy.tif")
    assert report["lossless"] and report["warnings"] == []
    assert (folder / "copy.tif").read_bytes() == (folder / "in.tif").read_bytes()
    file = bytearray((folder / "in.tif").read_bytes())
    with Image.open(folder / "in.tif") as image:
        image.seek(2)
        (place,) = image.tag_v2[273]
    # A block of a type that deflate does not have.
    file[place + 2 : place + 10] = b"\xff" * 8
    (folder / "bad.tif").write_bytes(file)
    error = crop(folder / "bad.tif", folder / "none.tif", status=65)["error"]
    assert "page 3" in error["message"] and not (folder / "none.tif").exists()


def test_frames_become_pages(folder):
    frames = [Image.fromarray(np.roll(scene(), 9 * i, axis=1)).quantize(200) for i in range(4)]
    frames[0].save(folder / "in.gif", save_all=True, append_images=frames[1:], duration=50)
    crop(folder / "in.gif", folder / "out.tif", *WORDS, "--page", "all")
    for old, new in zip(tiff_pages(folder / "in.gif"), tiff_pages(folder / "out.tif"), strict=True):
        assert (new == cut(old)).all()


def test_a_copy_of_a_tiff_without_metadata_holds_no_other_picture(folder):
    pixels = scene()
    (folder / "in.tif").write_bytes(tiff_of_many(pixels))
    assert len(traces((folder / "in.tif").read_bytes())) == 3
    for words in ([], ["--page", "1"]):
        crop(folder / "in.tif", folder / "out.tif", "--strip", "all", *words)
        assert traces((folder / "out.tif").read_bytes()) == []
        assert info(folder / "out.tif")["metadata"] == []
        made = Image.open(folder / "out.tif")
        assert made.n_frames == 1 and np.array_equal(np.array(made), pixels)
