"""Gain maps of HEICs are cropped with the image, to HEIC and to JPEG, and read by other programs."""

import json
import subprocess

import heicmap
import numpy as np
import pytest
from conftest import BIN, crop, info
from gainmap import Read, bilinear, cropped, random_corners, scene, shrunk, straightened, upright
from heif import LEFT_RIGHT, TOP_BOTTOM, turn

WIDTH, HEIGHT = 384, 256


def made(path, scale=4, channels=1, seed=5, turns=(), **options):
    """Writes a photo; returns its map as shown by `pillow_heif`, upright."""
    base, light = scene(WIDTH, HEIGHT, seed, channels)
    data = heicmap.photo(base, shrunk(light, WIDTH // scale, HEIGHT // scale), *turns, **options)
    path.write_bytes(data)
    return heicmap.Read(data).light


def whole(light, width, height):
    """The samples of a map for each pixel of the image."""
    rows, columns = light.shape[:2]
    x, y = np.meshgrid((np.arange(width) + 0.5) * columns / width, (np.arange(height) + 0.5) * rows / height)
    return bilinear(light.astype(float), x, y)


def exiftool(path):
    return json.loads(subprocess.run(
        ["exiftool", "-j", "-n", path], capture_output=True, check=True, text=True).stdout)[0]


@pytest.mark.parametrize("scale", [1, 2, 4])
@pytest.mark.parametrize("channels", [1, 3])
def test_a_crop_has_the_cropped_map(folder, scale, channels):
    source, target = folder / "in.heic", folder / "out.heic"
    light = made(source, scale, channels, headroom=4.5)
    report = crop(source, target, "--rect", "64,32,160,128")
    assert report["gainMap"] == "re-coded" and report["warnings"] == []
    found = heicmap.Read(target.read_bytes()).light
    wanted = light[32 // scale : 160 // scale, 64 // scale : 224 // scale]
    assert found.shape == wanted.shape
    assert abs(found.mean() - wanted.mean()) < 1
    assert np.abs(found.astype(int) - wanted).mean() < 3


@pytest.mark.parametrize("turns, orientation", [
    ([], 1), ([turn(1)], 8), ([turn(3)], 6), ([LEFT_RIGHT], 2), ([TOP_BOTTOM], 4), ([turn(1), LEFT_RIGHT], 7)])
@pytest.mark.parametrize("kind", ["heic", "jpg"])
def test_a_turned_photo_has_its_map_under_it(folder, turns, orientation, kind):
    source, target = folder / "in.heic", folder / f"out.{kind}"
    made(source, 2, turns=turns)
    base, light = scene(WIDTH, HEIGHT, 5)
    light = upright(light * 255, orientation)
    recipe = {"rect": dict(x=31, y=52, width=150, height=120), "quarterTurns": 1, "mirrored": True}
    report = crop(source, target, "--flip", "horizontal", "--rotate", "90", "--rect", "31,52,150,120")
    assert report["gainMap"] == "re-coded" and report["warnings"] == []
    data = target.read_bytes()
    read = heicmap.Read(data) if kind == "heic" else Read(data, numbers="others")
    away = np.abs(whole(read.light, 150, 120) - cropped(light, recipe))
    assert away.mean() < 2 and np.percentile(away, 99) < 10
    seen = np.abs(read.pixels.astype(float) - cropped(upright(base, orientation).astype(float), recipe))
    assert seen.mean() < 5


@pytest.mark.parametrize("turns, orientation", [([], 1), ([turn(3)], 6), ([turn(1), LEFT_RIGHT], 7)])
@pytest.mark.parametrize("kind", ["heic", "jpg"])
def test_light_is_straightened_with_the_picture_between_four_corners(folder, turns, orientation, kind):
    source, target = folder / "in.heic", folder / f"out.{kind}"
    chance = np.random.default_rng(orientation)
    light = made(source, 2, turns=turns)
    light = whole(light, *((WIDTH, HEIGHT) if orientation < 5 else (HEIGHT, WIDTH)))
    for _ in range(3):
        corners = random_corners(chance, light.shape[1], light.shape[0])
        report = crop(source, target, "--quad", ",".join(str(number) for number in corners.flat), "--force")
        assert report["gainMap"] == "re-coded" and report["warnings"] == []
        data = target.read_bytes()
        read = heicmap.Read(data) if kind == "heic" else Read(data, numbers="others")
        height, width = read.pixels.shape[:2]
        away = np.abs(whole(read.light, width, height) - straightened(light, corners, width, height))
        # 255 steps over three stops: 0.02 and 0.15 stops.
        assert away.mean() <= 1.7 and np.percentile(away, 99) <= 12.7, (away.mean(), np.percentile(away, 99))


@pytest.mark.parametrize("strip", ["none", "location", "all"])
@pytest.mark.parametrize("headroom", [None, 3.25])
def test_the_parameters_are_kept_exactly(folder, strip, headroom):
    source, target = folder / "in.heic", folder / "out.heic"
    made(source, headroom=headroom, numbers=(0.75, 0.005))
    crop(source, target, "--rect", "64,32,160,128", "--strip", strip)
    reported = exiftool(target)
    assert (reported["HDRHeadroom"], reported["HDRGain"]) == (0.75, 0.005)
    assert ("Make" in reported) == (strip != "all")
    data = target.read_bytes()
    assert (b"<HDRGainMap:HDRGainMapHeadroom>3.25<" in data) == (headroom is not None)
    read = heicmap.Read(data)
    (item,) = [a for kind, a, to in read.references if kind == b"auxl" and to == [1]]
    assert [to for kind, _, to in read.references if kind == b"cdsc" and to == [item]] == [[item]]
    gain = info(target)["gainMap"]
    assert gain["kinds"] == ["apple"] and gain["scale"] == 4
    assert gain["headroom"] == pytest.approx(np.log2(3.25) if headroom else 1.7)


def test_nothing_of_the_heic_map_outside_the_crop_is_left(folder):
    source, target = folder / "in.heic", folder / "out.heic"
    base, light = scene(WIDTH, HEIGHT, 5)
    light = shrunk(light, WIDTH // 4, HEIGHT // 4)
    whole, other = light.copy(), light.copy()
    other[:, 60:] = 255 - other[:, 60:]
    results = []
    for samples in (whole, other):
        source.write_bytes(heicmap.photo(base, samples))
        crop(source, target, "--rect", "32,32,160,128")
        results.append(heicmap.Read(target.read_bytes()).light)
    assert np.abs(results[0].astype(int) - results[1]).max() <= 4


@pytest.mark.parametrize("words", [["--rotate", "90"], ["--strip", "location"], ["--strip", "all"], []])
def test_turned_or_copied_files_keep_the_map_and_its_parameters(folder, words):
    source, target = folder / "in.heic", folder / "out.heic"
    light = made(source, headroom=4.0)
    report = crop(source, target, *words)
    assert report["lossless"] and report["warnings"] == [] and report["gainMap"] == "cut"
    read = heicmap.Read(target.read_bytes())
    expected = np.rot90(light, -1) if "--rotate" in words else light
    assert (read.light == expected).all()
    assert b"<HDRGainMap:HDRGainMapHeadroom>4.0<" in target.read_bytes()
    assert info(target)["gainMap"]["headroom"] == 2


@pytest.mark.parametrize("headroom", [1.5, 4.0, 8.0])
def test_a_jpeg_has_ultra_hdr_iso_and_apple_parameters(folder, headroom):
    source, target = folder / "in.heic", folder / "out.jpg"
    made(source, 2, headroom=headroom)
    report = crop(source, target, "--rect", "64,32,160,128")
    assert report["gainMap"] == "re-coded" and report["warnings"] == []
    data = target.read_bytes()
    read = Read(data, numbers="others")
    assert read.light.shape == (64, 80)
    gain = info(target)["gainMap"]
    assert gain["kinds"] == ["ultra-hdr", "iso-21496-1", "apple"]
    assert gain["headroom"] == pytest.approx(np.log2(headroom), abs=1e-5)
    assert exiftool(target)["HDRHeadroom"] == 1
    # ISO's parameters give the same for a sample as Apple's formula.
    at = read.map.index(b"urn:iso:std:iso:ts:21496:-1\0") + 28 + 5
    numbers = np.frombuffer(read.map[at : at + 56], ">u4").astype(float)
    _, capacity, least, most, gamma, before, after = numbers[::2] / numbers[1::2]
    assert (least, before, after) == (0, 0, 0) and most == capacity == pytest.approx(np.log2(headroom), abs=1e-6)
    g = np.arange(256) / 255
    light = np.where(g < 0.081, g / 4.5, ((g + 0.099) / 1.099) ** (1 / 0.45))
    away = np.abs(most * g ** (1 / gamma) - np.log2(1 + (headroom - 1) * light))
    assert away[0] == 0 and away[-1] < 1e-5 and away.max() < 0.13
    assert away[np.abs(g - 0.5).argmin()] < 0.02
    words = read.map.decode("latin-1")
    assert f'hdrgm:Gamma="{gamma:.6f}"' in words and f'hdrgm:GainMapMax="{most:.6f}"' in words


def test_a_tiled_photo_keeps_apples_form_and_the_tone_mapped_one(folder):
    source, target = folder / "in.heic", folder / "out.heic"
    light = made(source, 4, headroom=8.0, tiles=True, tone=True)
    told = info(source)["gainMap"]
    assert told["kinds"] == ["apple", "tmap"] and told["size"] == {"width": 96, "height": 64}
    assert told["scale"] == 4 and told["headroom"] == 3 and told["channels"] == 1 and "item" not in told
    words = subprocess.run([BIN / "cropkit", "info", source], capture_output=True, text=True, check=True).stdout
    assert ("gain map   Apple HDR and ISO 21496-1 (tmap), 96 × 64, 1/4 of the width, headroom 3 stops") in words
    report = crop(source, target, "--rect", "64,64,192,128")
    assert report["gainMap"] == "re-coded" and report["warnings"] == []
    assert info(target)["gainMap"]["kinds"] == ["apple", "tmap"]
    found = heicmap.Read(target.read_bytes()).light
    assert np.abs(found.astype(int) - light[16:48, 16:64]).mean() < 3


@pytest.mark.parametrize("kind", ["png", "webp", "tif", "gif"])
def test_results_that_can_not_hold_a_map_have_a_warning(folder, kind):
    source = folder / "in.heic"
    made(source)
    report = crop(source, folder / f"out.{kind}", "--rect", "0,0,64,64")
    (warning,) = [w for w in report["warnings"] if w["code"] == "hdr-dropped"]
    assert "HDR" in warning["message"]


def test_it_is_dropped_on_request(folder):
    source, target = folder / "in.heic", folder / "out.heic"
    made(source)
    for words in (["--hdr", "drop"], ["--hdr", "drop", "--rect", "0,0,64,64"], ["--srgb", "--rect", "0,0,64,64"]):
        report = crop(source, target, *words)
        assert [w["code"] for w in report["warnings"]] == (["hdr-dropped"] if "--srgb" in words else [])
        assert info(target)["gainMap"] is None
        assert b"hdrgainmap" not in target.read_bytes()


def test_an_invalid_map_is_dropped(folder):
    source, target = folder / "in.heic", folder / "out.heic"
    base, light = scene(WIDTH, HEIGHT, 5)
    small = base[:128, :128]
    source.write_bytes(heicmap.photo(small, shrunk(light, 384, 256)))
    report = crop(source, target, "--rect", "0,0,64,64")
    (warning,) = report["warnings"]
    assert warning["code"] == "hdr-dropped" and "larger" in warning["message"]
    assert b"hdrgainmap" not in target.read_bytes()


def test_apples_form_needs_no_brightness_and_others_do(folder):
    source = folder / "in.heic"
    made(source, numbers=None)
    assert "fault" not in info(source)["gainMap"] and "headroom" not in info(source)["gainMap"]
    report = crop(source, folder / "out.heic", "--rect", "64,32,160,128")
    assert report["warnings"] == [] and report["gainMap"] == "re-coded"
    assert heicmap.Read((folder / "out.heic").read_bytes()).light.shape == (32, 40)
    for kind in ("jpg", "avif"):
        report = crop(source, folder / f"out.{kind}", "--rect", "64,32,160,128")
        (warning,) = report["warnings"]
        assert warning["code"] == "hdr-dropped" and "bright" in warning["message"]


def test_a_smaller_picture_has_a_smaller_map(folder):
    source = folder / "in.heic"
    light = made(source, 2)
    for kind in ("heic", "jpg"):
        target = folder / f"out.{kind}"
        crop(source, target, "--max-side", "96")
        data = target.read_bytes()
        read = heicmap.Read(data) if kind == "heic" else Read(data, numbers="others")
        assert read.light.shape == (32, 48)
        wanted = light.astype(float).reshape(32, 4, 48, 4).mean((1, 3))
        assert np.abs(read.light - wanted).mean() < 2


def test_a_crop_in_place_loses_no_light(folder):
    source = folder / "in.heic"
    made(source)
    done = subprocess.run(
        [BIN / "cropkit", "crop", source, "--in-place", "--rect", "64,64,128,128"], capture_output=True, text=True,
        check=False)
    assert done.returncode == 0, done.stderr
    assert heicmap.Read(source.read_bytes()).light.shape == (32, 32)


def test_a_base_of_tiles_and_a_grid_of_32_bit_ids(folder):
    source, target = folder / "in.heic", folder / "out.heic"
    made(source, tiles=True, wide=True)
    crop(source, target, "--rect", "33,31,101,77")
    read = heicmap.Read(target.read_bytes())
    assert read.pixels.shape == (77, 101, 3) and read.light.shape == (77, 101)
    crop(target, folder / "again.heic", "--rect", "0,0,64,64")
    assert heicmap.Read((folder / "again.heic").read_bytes()).light.shape == (64, 64)


def test_a_shape_drops_the_map_which_would_show_what_it_hides(folder):
    source, target = folder / "in.heic", folder / "out.heic"
    made(source)
    report = crop(source, target, "--rect", "64,32,160,128", "--shape", "ellipse")
    assert "hdr-dropped" in [warning["code"] for warning in report["warnings"]]
    assert "gainMap" not in report
    assert b"hdrgainmap" not in target.read_bytes()


def test_bytes_are_counted_with_the_map(folder):
    source, target = folder / "in.heic", folder / "out.heic"
    made(source, 1)
    whole = crop(source, target, "--rect", "5,5,300,200", "--quality", "90")["bytes"]
    report = crop(source, target, "--rect", "5,5,300,200", "--quality", "90", "--max-bytes", whole * 9 // 10)
    assert report["bytes"] == target.stat().st_size <= whole * 9 // 10
    assert heicmap.Read(target.read_bytes()).light.shape == (200, 300)
