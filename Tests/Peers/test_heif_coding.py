"""How HEIC and AVIF are re-encoded: colors by code points, and a quality that follows the source's."""

import io
import struct

import imagecodecs
import numpy as np
import pillow_heif
import pytest
from colors import chunks, png
from conftest import crop, info, shared
from heif import av1, hevc, nclx, single
from PIL import Image, ImageCms

CODERS = {"heic": hevc, "avif": av1}
# Primaries, transfer and matrix: BT.2020 with PQ and with HLG, Display P3 with PQ, BT.2020 for SDR.
CODINGS = {"PQ": (9, 16, 9), "HLG": (9, 18, 9), "P3 PQ": (12, 16, 6), "BT.2020": (9, 14, 9)}
HDR = ["PQ", "HLG", "P3 PQ"]


def ramp(most=1023):
    across, down = np.linspace(0, 1, 128)[None, :], np.linspace(0, 1, 64)[:, None]
    planes = [across + 0 * down, down + 0 * across, 1 - (across + down) / 2]
    return np.rint(np.stack(planes, 2) * most).astype(np.uint16)


def source_of(folder, kind, name):
    """A deep image without a profile; only the `nclx` box describes its colors."""
    primaries, transfer, matrix = CODINGS[name]
    coded = CODERS[kind](ramp(), 10)
    # The test's encoders write RGB (AVIF) or BT.601 (HEIC).
    box = nclx(primaries, transfer, 0 if kind == "avif" else 6)
    path = folder / f"in.{kind}"
    path.write_bytes(single(coded, box, without=[b"colr"]))
    return path


def boxes_of_color(path):
    """The types of all `colr` boxes, and the values of the one with code points."""
    file, at, kinds, numbers = path.read_bytes(), 0, [], None
    while (at := file.find(b"colr", at)) >= 0:
        kinds.append(file[at + 4 : at + 8])
        if kinds[-1] == b"nclx":
            numbers = struct.unpack(">HHHB", file[at + 8 : at + 15])
        at += 4
    return kinds, numbers


@pytest.mark.parametrize("name", CODINGS)
@pytest.mark.parametrize("target", CODERS)
@pytest.mark.parametrize("kind", CODERS)
def test_code_points_stay_code_points(folder, kind, target, name):
    source = source_of(folder, kind, name)
    report = crop(source, folder / f"out.{target}", "--rect", "0,0,96,64", "--quality", "95",
                  "--subsampling", "444")
    # The encoder of AVIF files writes 8 or 12 bits.
    assert [one["code"] for one in report["warnings"]] == (["depth-raised"] if target == "avif" else [])
    kinds, numbers = boxes_of_color(folder / f"out.{target}")
    assert kinds == [b"nclx"]
    assert numbers[:2] == CODINGS[name][:2] and numbers[3] == 0x80
    # The samples, converted with the matrix that the box names, are the source's.
    if target == "heic":
        deep = pillow_heif.open_heif(folder / "out.heic", convert_hdr_to_8bit=False)
        found = np.asarray(deep)[..., :3].astype(float) / 65535
    else:
        found = imagecodecs.avif_decode((folder / "out.avif").read_bytes())[..., :3] / 4095
    assert np.abs(found - ramp()[:, :96] / 1023).mean() < 0.01


@pytest.mark.parametrize("name", CODINGS)
@pytest.mark.parametrize("kind", CODERS)
def test_a_png_has_the_code_points_and_a_profile_for_other_programs(folder, kind, name):
    source = source_of(folder, kind, name)
    report = crop(source, folder / "out.png")
    assert report["warnings"] == []
    said = dict(chunks((folder / "out.png").read_bytes()))
    assert said[b"cICP"] == bytes([*CODINGS[name][:2], 0, 1])
    assert b"iCCP" in said
    # And back again.
    crop(folder / "out.png", folder / f"out.{kind}")
    kinds, numbers = boxes_of_color(folder / f"out.{kind}")
    assert kinds == [b"nclx"] and numbers[:2] == CODINGS[name][:2]


@pytest.mark.parametrize("name", HDR)
@pytest.mark.parametrize("target", ["jpg", "webp", "tif"])
def test_other_formats_describe_hdr_in_a_profile_and_warn(folder, target, name):
    source = source_of(folder, "heic", name)
    report = crop(source, folder / f"out.{target}", "--quality", "100", "--subsampling", "444")
    reported = [w["code"] for w in report["warnings"]]
    assert "hdr-in-profile" in reported and "light-cut-off" not in reported
    with Image.open(folder / f"out.{target}") as image:
        profile = image.info["icc_profile"]
        if target != "tif":
            found = np.asarray(image.convert("RGB")).astype(float) / 255
            assert np.abs(found - ramp() / 1023).mean() < 0.02
    ImageCms.ImageCmsProfile(io.BytesIO(profile))
    count = struct.unpack(">I", profile[128:132])[0]
    tags = {profile[at : at + 4]: struct.unpack(">II", profile[at + 4 : at + 12])
            for at in range(132, 132 + 12 * count, 12)}
    start, length = tags[b"cicp"]
    assert profile[start : start + length] == b"cicp\0\0\0\0" + bytes([*CODINGS[name][:2], 0, 1])


def test_clipped_highlights_are_only_reported_if_there_are_any(folder):
    source = source_of(folder, "heic", "PQ")
    for target in ("heic", "avif", "png", "jpg"):
        report = crop(source, folder / f"kept.{target}", "--rect", "0,0,64,64")
        assert "light-cut-off" not in [w["code"] for w in report["warnings"]]
        report = crop(source, folder / f"srgb.{target}", "--srgb")
        assert "light-cut-off" in [w["code"] for w in report["warnings"]]
    kinds, _ = boxes_of_color(folder / "srgb.heic")
    assert b"nclx" not in kinds


def photograph(width=800, height=600):
    """Noise of several sizes, as in a photograph."""
    random = np.random.default_rng(11)
    total = np.zeros((height, width, 3))
    for size in (4, 16, 64, 200):
        small = random.normal(0, size**0.5 * 5, (height // size + 2, width // size + 2, 3))
        big = [Image.fromarray(small[..., c].astype(np.float32)).resize((width, height), Image.BICUBIC)
               for c in range(3)]
        total += np.stack([np.asarray(plane) for plane in big], 2)
    return np.clip(total + 128, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("quality", [30, 50, 70, 80])
def test_a_re_encoded_heic_is_about_as_large(folder, quality):
    pillow_heif.from_pillow(Image.fromarray(photograph())).save(folder / "in.heic", quality=quality)
    report = crop(folder / "in.heic", folder / "out.heic", "--rect", "0,0,784,592")
    ratio = (folder / "out.heic").stat().st_size / (folder / "in.heic").stat().st_size
    assert 0.4 < ratio < 1.4, report


@pytest.mark.parametrize("quality", [40, 60, 80])
@pytest.mark.parametrize("speed", [5, 9])
def test_a_re_encoded_avif_is_about_as_large(folder, quality, speed):
    file = imagecodecs.avif_encode(
        photograph(), level=quality, speed=speed, pixelformat=imagecodecs.AVIF.PIXEL_FORMAT.YUV420)
    (folder / "in.avif").write_bytes(file)
    crop(folder / "in.avif", folder / "out.avif", "--rect", "0,0,784,592")
    ratio = (folder / "out.avif").stat().st_size / len(file)
    assert 0.25 < ratio < 1.6


@pytest.mark.parametrize("kind", ["heic", "avif"])
def test_results_do_not_grow_from_crop_to_crop(folder, kind):
    (folder / "in.png").write_bytes(png(photograph()))
    crop(folder / "in.png", folder / f"1.{kind}", "--quality", "60")
    crop(folder / f"1.{kind}", folder / f"2.{kind}", "--rect", "0,0,784,592")
    first, second = ((folder / f"{n}.{kind}").stat().st_size for n in (1, 2))
    assert 0.6 < second / first < 1.7
    # The requested quality is used, on either side of the estimate.
    low, high = folder / f"low.{kind}", folder / f"high.{kind}"
    crop(folder / f"1.{kind}", low, "--rect", "0,0,784,592", "--quality", "30")
    crop(folder / f"1.{kind}", high, "--rect", "0,0,784,592", "--quality", "90")
    assert low.stat().st_size < 0.7 * second and high.stat().st_size > 1.3 * second


def test_a_heic_of_a_phone_stays_as_large(folder):
    source = shared("heic-iphone-grid-irot3.heic")
    crop(source, folder / "out.heic", "--rect", "76,100,2872,3832")
    part = 2872 * 3832 / (3024 * 4032)
    ratio = (folder / "out.heic").stat().st_size / (source.stat().st_size * part)
    assert 0.7 < ratio < 1.25
