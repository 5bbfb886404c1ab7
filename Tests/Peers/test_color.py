"""Colors after a crop, compared with Pillow's color management."""

import io
import struct

import numpy as np
import pytest
from colors import (
    ADOBE, BT2020, DISPLAY_P3, SRGB, centers, chunks, distance, matrix_profile, opened, patches, png,
    press_profile, srgb_curve, to_srgb,
)
from conftest import crop, info, shared
from PIL import Image, ImageCms

WIDE = {
    "Display P3": matrix_profile(DISPLAY_P3, srgb_curve),
    "Adobe RGB": matrix_profile(ADOBE, 563 / 256),
    "BT.2020": matrix_profile(BT2020, 2.4),
}
GRAY = matrix_profile(None, 1.8, gray=True)
PRESS = press_profile()
# Full quality without chroma subsampling, so that colors are compared, not encoders.
FINE = ["--quality", "100", "--subsampling", "444"]


def saved(folder, name, image, **words):
    path = folder / name
    image.save(path, **words)
    return path


def profile_of(path):
    """The ICC profile in a file."""
    return Image.open(path).info.get("icc_profile")


def close(path, wanted, most=2.0):
    found = centers(opened(path))
    assert distance(found, centers(wanted)) <= most, np.c_[found, centers(wanted)]


@pytest.mark.parametrize("space", WIDE)
@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.tif", "a.webp", "a.avif"])
def test_wide_colors_become_srgb_when_asked(folder, space, name):
    image = Image.fromarray(patches())
    words = {"a.jpg": {"quality": 100, "subsampling": 0}, "a.webp": {"lossless": True},
             "a.avif": {"quality": 100, "subsampling": "4:4:4"}}.get(name, {})
    source = saved(folder, name, image, icc_profile=WIDE[space], **words)
    wanted = to_srgb(Image.open(source).convert("RGB"), WIDE[space])
    crop(source, folder / "out.png", "--srgb")
    close(folder / "out.png", wanted)
    assert profile_of(folder / "out.png") is None


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.tif", "a.webp", "a.avif", "a.heic"])
def test_a_profile_is_kept_in_every_format_that_supports_one(folder, name):
    source = saved(folder, "in.png", Image.fromarray(patches()), icc_profile=WIDE["Display P3"])
    report = crop(source, folder / name, *FINE)
    assert "colors-converted" not in [w["code"] for w in report["warnings"]]
    if name != "a.heic":
        assert profile_of(folder / name) == WIDE["Display P3"]
        close(folder / name, patches(), most=6)
    assert "icc" in info(folder / name)["metadata"]


def test_a_format_without_profiles_gets_srgb_with_a_warning(folder):
    source = saved(folder, "in.png", Image.fromarray(patches()), icc_profile=WIDE["Adobe RGB"])
    report = crop(source, folder / "a.gif")
    assert "colors-converted" in [w["code"] for w in report["warnings"]]
    close(folder / "a.gif", to_srgb(Image.fromarray(patches()), WIDE["Adobe RGB"]))


def gif_of(folder, profile, frames=1):
    """A GIF with an ICC profile before its first frame."""
    images = [Image.fromarray(np.roll(patches(), n * 16, 1)).convert("P", palette=Image.Palette.ADAPTIVE)
              for n in range(frames)]
    images[0].save(folder / "in.gif", save_all=frames > 1, append_images=images[1:], duration=50)
    file = (folder / "in.gif").read_bytes()
    start = 13 + (3 << ((file[10] & 7) + 1) if file[10] & 0x80 else 0)
    parts = [profile[i : i + 255] for i in range(0, len(profile), 255)]
    blocks = b"".join(bytes([len(p)]) + p for p in parts) + b"\0"
    file = b"GIF89a" + file[6:start] + b"\x21\xff\x0bICCRGBG1012" + blocks + file[start:]
    (folder / "in.gif").write_bytes(file)
    return folder / "in.gif"


def profile_of_gif(path):
    """The ICC profile in a GIF, block by block."""
    file = path.read_bytes()
    at, profile = file.index(b"\x21\xff\x0bICCRGBG1012") + 14, b""
    while file[at]:
        profile += file[at + 1 : at + 1 + file[at]]
        at += 1 + file[at]
    return profile


@pytest.mark.parametrize("frames", [1, 3])
def test_the_profile_of_a_gif_is_kept_and_used(folder, frames):
    source = gif_of(folder, WIDE["Adobe RGB"], frames)
    assert info(source)["profileName"] == "by hand"
    before = np.asarray(Image.open(source).convert("RGB"))
    wanted = to_srgb(Image.fromarray(before), WIDE["Adobe RGB"])
    report = crop(source, folder / "out.gif", "--rect", "0,0,288,8")
    assert report["warnings"] == [] and report["lossless"]
    assert profile_of_gif(folder / "out.gif") == WIDE["Adobe RGB"]
    made = Image.open(folder / "out.gif")
    assert getattr(made, "n_frames", 1) == frames
    assert np.array_equal(opened(folder / "out.gif"), before[:8])
    for name in ("out.png", "out.webp", "out.tif", "out.jpg"):
        page = [] if name in ("out.png", "out.webp") else ["--page", "1"]
        crop(source, folder / name, *FINE, *page)
        assert profile_of(folder / name) == WIDE["Adobe RGB"]
        close(folder / name, before, most=4 if name == "out.jpg" else 2)
    crop(source, folder / "srgb.png", "--srgb")
    assert profile_of(folder / "srgb.png") is None
    close(folder / "srgb.png", wanted)
    crop(source, folder / "srgb.gif", "--srgb", "--rect", "0,0,288,8")
    assert "icc" not in info(folder / "srgb.gif")["metadata"]
    assert distance(centers(np.repeat(opened(folder / "srgb.gif"), 2, 0)), centers(wanted)) <= 2
    # Scaled too, which needs more colors than a palette has.
    crop(source, folder / "small.gif", "--size", "144x8")
    assert profile_of_gif(folder / "small.gif") == WIDE["Adobe RGB"]
    # A copy keeps everything that is needed to show the colors correctly.
    crop(source, folder / "bare.gif", "--strip", "all")
    assert info(folder / "bare.gif")["metadata"] == ["icc"]


def test_an_invalid_profile_of_a_gif_is_ignored(folder):
    source = gif_of(folder, b"NONE" * 100)
    crop(source, folder / "out.png", "--srgb")
    close(folder / "out.png", np.asarray(Image.open(source).convert("RGB")))


@pytest.mark.parametrize("profile", [PRESS, None], ids=["profile", "none"])
@pytest.mark.parametrize("name", ["a.jpg", "a.tif"])
@pytest.mark.parametrize("target", ["out.png", "out.webp", "out.avif"])
def test_cmyk_becomes_srgb_with_a_warning(folder, name, profile, target):
    image = Image.fromarray(patches(4), "CMYK")
    words = {"quality": 100} if name == "a.jpg" else {}
    source = saved(folder, name, image, icc_profile=profile, **words)
    report = crop(source, folder / target, *FINE)
    assert "colors-converted" in [w["code"] for w in report["warnings"]]
    assert "CMYK" in " ".join(w["message"] for w in report["warnings"])
    wanted = to_srgb(Image.open(source), PRESS)
    # WebP subsamples chroma, but its patches are larger than that.
    close(folder / target, wanted, most=2 if target == "out.png" else 6)
    assert profile_of(folder / target) is None


@pytest.mark.parametrize("name", ["a.jpg", "a.tif"])
def test_cmyk_stays_cmyk_if_the_format_supports_it(folder, name):
    source = saved(folder, name, Image.fromarray(patches(4), "CMYK"), icc_profile=PRESS)
    before = Image.open(source)
    crop(source, folder / ("out" + name), "--rect", "8,8,200,8", "--lossless", "never", *FINE)
    after = Image.open(folder / ("out" + name))
    assert after.mode == "CMYK" and after.info["icc_profile"] == PRESS
    cut = np.asarray(before)[8:16, 8:208].astype(int)
    assert np.abs(np.asarray(after).astype(int) - cut).max() <= (0 if name == "a.tif" else 24)
    crop(source, folder / ("srgb" + name), "--srgb", *FINE)
    close(folder / ("srgb" + name), to_srgb(before, PRESS), most=3)


def test_shared_cmyk_images_become_srgb(folder):
    for name in ["cmyk-noprofile.jpg", "cmyk-restart-100x100.jpg"]:
        source = shared(name)
        crop(source, folder / "out.png")
        wanted = np.asarray(to_srgb(Image.open(source), PRESS)).astype(int)
        found = np.asarray(Image.open(folder / "out.png")).astype(int)
        # Two decoders of a JPEG differ by a step or two.
        assert np.abs(found - wanted).mean() < 1


def test_gray_stays_gray_and_becomes_that_of_srgb_when_asked(folder):
    gray = Image.fromarray(patches(1)[..., 0])
    wanted = to_srgb(gray, GRAY)
    for name in ["a.png", "a.jpg", "a.tif"]:
        source = saved(folder, name, gray, icc_profile=GRAY)
        crop(source, folder / ("kept" + name), *FINE)
        assert Image.open(folder / ("kept" + name)).mode == "L"
        assert profile_of(folder / ("kept" + name)) == GRAY
        crop(source, folder / ("srgb" + name), "--srgb", *FINE)
        assert Image.open(folder / ("srgb" + name)).mode == "L"
        close(folder / ("srgb" + name), wanted)
    # WebP only supports color, which this profile does not fit.
    report = crop(folder / "a.png", folder / "out.webp", *FINE)
    assert "colors-converted" in [w["code"] for w in report["warnings"]]
    close(folder / "out.webp", wanted)


@pytest.mark.parametrize("channels", [3, 4])
def test_sixteen_bits_are_converted_as_sixteen_bits(folder, channels):
    pixels = np.concatenate([patches()] + ([np.full(patches().shape[:2] + (1,), 200, np.uint8)] if channels == 4 else []), 2)
    import zlib
    packed = (b"iCCP", b"p3\0\0" + zlib.compress(WIDE["Display P3"]))
    (folder / "in.png").write_bytes(png(pixels.astype(np.uint16) * 257, packed, depth=16))
    crop(folder / "in.png", folder / "out.png", "--srgb")
    header = chunks((folder / "out.png").read_bytes())[0][1]
    assert header[8] == 16
    close(folder / "out.png", to_srgb(Image.fromarray(patches()), WIDE["Display P3"]))
    crop(folder / "in.png", folder / "kept.png")
    assert profile_of(folder / "kept.png") == WIDE["Display P3"]


def test_a_palette_keeps_its_profile_and_is_converted_when_asked(folder):
    image = Image.fromarray(patches()).convert("P", palette=Image.Palette.ADAPTIVE)
    source = saved(folder, "in.png", image, icc_profile=WIDE["Adobe RGB"])
    crop(source, folder / "kept.png", "--rect", "0,0,288,8")
    kept = Image.open(folder / "kept.png")
    assert kept.mode == "P" and kept.info["icc_profile"] == WIDE["Adobe RGB"]
    assert np.array_equal(np.asarray(kept.convert("RGB")), opened(source)[:8])
    crop(source, folder / "out.png", "--srgb")
    close(folder / "out.png", to_srgb(Image.open(source).convert("RGB"), WIDE["Adobe RGB"]))


def places(primaries, white=(0.3127, 0.3290)):
    numbers = [*white, *(n for place in primaries for n in place)]
    return struct.pack(">8I", *(round(100_000 * n) for n in numbers))


P3_POINTS = (b"cICP", bytes([12, 13, 0, 1]))
CODINGS = {
    "linear": ([(b"gAMA", struct.pack(">I", 100_000))], matrix_profile(SRGB, 1)),
    "gamma 1.8, Adobe RGB": (
        [(b"gAMA", struct.pack(">I", 55_556)), (b"cHRM", places(ADOBE))],
        matrix_profile(ADOBE, 1.8)),
    "Display P3": ([P3_POINTS], matrix_profile(DISPLAY_P3, srgb_curve)),
    "code points before a profile": (
        [P3_POINTS, (b"iCCP", b"x\0\0" + __import__("zlib").compress(WIDE["Adobe RGB"]))],
        matrix_profile(DISPLAY_P3, srgb_curve)),
    "sRGB before gamma": (
        [(b"sRGB", b"\0"), (b"gAMA", struct.pack(">I", 100_000))],
        matrix_profile(SRGB, srgb_curve)),
    "a profile before gamma": (
        [(b"iCCP", b"x\0\0" + __import__("zlib").compress(WIDE["Adobe RGB"])),
         (b"gAMA", struct.pack(">I", 100_000))], WIDE["Adobe RGB"]),
    "Adobe RGB by numbers": (
        [(b"gAMA", struct.pack(">I", 45_470)), (b"cHRM", places(ADOBE))], WIDE["Adobe RGB"]),
    "the usual gamma": (
        [(b"gAMA", struct.pack(">I", 45_455)), (b"cHRM", places(SRGB))],
        matrix_profile(SRGB, srgb_curve)),
}


@pytest.mark.parametrize("name", CODINGS)
def test_a_png_may_describe_its_colors_in_other_ways(folder, name):
    coding, profile = CODINGS[name]
    (folder / "in.png").write_bytes(png(patches(), *coding))
    wanted = to_srgb(Image.fromarray(patches()), profile)
    crop(folder / "in.png", folder / "srgb.png", "--srgb")
    close(folder / "srgb.png", wanted)
    # A JPEG has no such chunks: a profile with the same meaning replaces them, and another program
    # understands it.
    crop(folder / "in.png", folder / "out.jpg", *FINE)
    kept = profile_of(folder / "out.jpg")
    image = Image.open(folder / "out.jpg")
    close_to = to_srgb(image, kept) if kept else image
    assert distance(centers(close_to), centers(wanted)) <= 4
    # A PNG keeps its own description.
    crop(folder / "in.png", folder / "out.png", "--rect", "0,0,288,8", "--strip", "all")
    said = {n: c for n, c in chunks((folder / "out.png").read_bytes())}
    before = {n: c for n, c in chunks((folder / "in.png").read_bytes())}
    first = next(n for n in (b"cICP", b"iCCP", b"sRGB", b"gAMA") if n in before)
    assert first in said
    if first != b"iCCP":
        assert said[first] == before[first] and b"iCCP" not in said
    assert np.array_equal(opened(folder / "out.png"), opened(folder / "in.png")[:8])


def test_gray_of_another_gamma_becomes_that_of_srgb(folder):
    (folder / "in.png").write_bytes(png(patches(1), (b"gAMA", struct.pack(">I", 100_000))))
    wanted = to_srgb(Image.fromarray(patches(1)[..., 0]), matrix_profile(None, 1, gray=True))
    for name in ["out.png", "out.webp"]:
        crop(folder / "in.png", folder / name, "--srgb", *FINE)
        close(folder / name, wanted)


def test_avif_and_heic_describe_colors_by_code_points(folder):
    """AVIF from another encoder, its `nclx` box changed to Display P3."""
    image = Image.fromarray(patches())
    image.save(folder / "in.avif", quality=100, subsampling="4:4:4")
    file = (folder / "in.avif").read_bytes()
    at = file.index(b"nclx") + 4
    file = file[:at] + struct.pack(">HH", 12, 13) + file[at + 4 :]
    (folder / "in.avif").write_bytes(file)
    assert info(folder / "in.avif")["colorCoding"]["codePoints"]["primaries"] == 12
    wanted = to_srgb(Image.open(folder / "in.avif").convert("RGB"), WIDE["Display P3"])
    crop(folder / "in.avif", folder / "out.png", "--srgb")
    close(folder / "out.png", wanted, most=3)
    crop(folder / "in.avif", folder / "kept.png")
    assert ImageCms.getProfileDescription(
        ImageCms.ImageCmsProfile(io.BytesIO(profile_of(folder / "kept.png")))
    ).strip() == "Display P3"
    crop(folder / "in.avif", folder / "out.avif", "--rect", "0,0,288,8")
    reported = info(folder / "out.avif")
    assert reported.get("profileName") is None
    assert [reported["colorCoding"]["codePoints"][key] for key in ("primaries", "transfer")] == [12, 13]


def test_highlights_above_sdr_are_clipped_and_reported(folder):
    (folder / "in.png").write_bytes(png(patches(), (b"cICP", bytes([9, 16, 0, 1]))))
    report = crop(folder / "in.png", folder / "out.jpg", "--srgb", *FINE)
    assert "light-cut-off" in [w["code"] for w in report["warnings"]]
    # 203 cd/m², the white of paper, is 0.5807 of the curve (BT.2408, table 1): 148 of 255.
    pixels = np.full((16, 16, 3), 148, np.uint8)
    (folder / "white.png").write_bytes(png(pixels, (b"cICP", bytes([9, 16, 0, 1]))))
    crop(folder / "white.png", folder / "white-out.png", "--srgb")
    assert opened(folder / "white-out.png").min() >= 253


def test_a_profile_that_does_not_fit_is_ignored(folder):
    source = saved(folder, "in.png", Image.fromarray(patches()), icc_profile=PRESS)
    crop(source, folder / "out.png", "--srgb")
    close(folder / "out.png", patches())


@pytest.mark.parametrize("name, ending", [
    ("in.jpg", "png"), ("in.tif", "png"), ("in.jpg", "tif"), ("in.tif", "webp"), ("in.jpg", "gif"),
    ("in.tif", "jxl")])
@pytest.mark.parametrize("words", [[], ["--srgb"]])
def test_a_gray_profile_of_colors_is_left_out(folder, name, words, ending):
    saving = {"quality": 100, "subsampling": 0} if name == "in.jpg" else {}
    source = saved(folder, name, Image.fromarray(patches()), icc_profile=GRAY, **saving)
    fine = ["--quality", "100"] if ending == "webp" else []
    report = crop(source, folder / f"out.{ending}", *words, *fine)
    assert ["icc"] in [warning.get("dropped") for warning in report["warnings"]]
    crop(folder / f"out.{ending}", folder / "seen.png")
    close(folder / "seen.png", patches(), 6.0)


def test_a_gray_profile_of_an_animation_is_left_out(folder):
    frames = [Image.fromarray(patches()), Image.fromarray(255 - patches())]
    frames[0].save(
        folder / "in.webp", save_all=True, append_images=frames[1:], lossless=True, icc_profile=GRAY)
    crop(folder / "in.webp", folder / "out.webp", "--srgb", "--lossless", "never", "--quality", "100")
    result = Image.open(folder / "out.webp")
    for index, wanted in enumerate(frames):
        result.seek(index)
        found = centers(np.asarray(result.convert("RGB")))
        assert distance(found, centers(wanted)) <= 6, index


@pytest.mark.parametrize("name", ["icc-displayp3-apple-gainmap.jpg", "icc-adobergb-canon7d.jpg",
                                  "gray-gamma22.jpg", "jpeg-444-icc-xmp.jpg"])
def test_shared_pictures_with_profiles_become_srgb(folder, name):
    source = shared(name)
    crop(source, folder / "out.png", "--srgb")
    image = Image.open(source)
    wanted = np.asarray(to_srgb(image, image.info["icc_profile"])).astype(int)
    found = opened(folder / "out.png").astype(int)
    assert np.abs(found - wanted).mean() < 0.7
    assert np.quantile(np.abs(found - wanted), 0.999) <= 4
