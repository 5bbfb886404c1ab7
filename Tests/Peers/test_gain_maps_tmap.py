"""Gain maps that belong to a tone-mapped image (`tmap`, ISO 21496-1), and those of real phones, are cropped with it."""

import json
import struct
import subprocess

import heicmap
import numpy as np
import pillow_heif
import pytest
from conftest import BIN, crop, info, phone
from gainmap import Read, scene, segments, shrunk
from heif import boxes
from PIL import Image

WIDTH, HEIGHT = 384, 256
GALAXY, IPHONE = "galaxy-s25-tmap.heic", "iphone-gain-map-depth.heic"


def made(path, channels=1, **options):
    """Writes a photo whose map only belongs to a tone-mapped image; returns the map's samples."""
    base, light = scene(WIDTH, HEIGHT, 5, channels)
    light = shrunk(light, WIDTH // 4, HEIGHT // 4)
    path.write_bytes(heicmap.photo(
        base, light, tone=True, auxiliary=False, numbers=None, avif=path.suffix == ".avif", **options))
    return light


def exiftool(path, *words):
    return json.loads(subprocess.run(
        ["exiftool", "-j", "-n", *words, path], capture_output=True, check=True, text=True).stdout)[0]


def check_structure(data, width, height):
    """Checks what readers of `tmap` require; returns the parsed file."""
    found = heicmap.Brighter(data)
    assert b"tmap" in found.brands
    assert found.inputs == [found.primary, found.map] and found.map != found.primary
    assert (b"altr", [found.item, found.primary]) in found.groups
    assert not found.is_hidden[found.item] and not found.is_hidden[found.primary] and found.is_hidden[found.map]
    sizes = [p for p in found.properties(found.item) if p[4:8] == b"ispe"]
    assert [struct.unpack(">II", p[12:]) for p in sizes] == [(width, height)]
    # The map is not listed as another image.
    assert len(pillow_heif.open_heif(data)) == 1 or found.entries[found.primary][0] == b"av01"
    return found


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("kind", ["heic", "avif"])
@pytest.mark.parametrize("own", ["heic", "avif"])
def test_a_crop_has_the_tone_mapped_image_with_the_cropped_map(folder, own, kind, channels):
    source, target = folder / f"in.{own}", folder / f"out.{kind}"
    light = made(source, channels)
    assert info(source)["gainMap"]["kinds"] == ["tmap"] and "fault" not in info(source)["gainMap"]
    report = crop(source, target, "--rect", "64,32,160,128")
    assert report["gainMap"] == "re-coded" and report["warnings"] == []
    found = check_structure(target.read_bytes(), 160, 128)
    assert found.payload == heicmap.tone_mapped()
    samples = found.light if channels == 3 else found.light.reshape(32, 40, -1)[..., 0]
    assert np.abs(samples.astype(int) - light[8:40, 16:56]).mean() < 3
    told = info(target)["gainMap"]
    assert told["kinds"] == ["tmap"] and told["headroom"] == 3 and told["scale"] == 4
    again = crop(target, folder / f"again.{kind}", "--rect", "32,32,64,64")
    assert again["gainMap"] == "re-coded" and again["warnings"] == []


@pytest.mark.parametrize("own", ["heic", "avif"])
@pytest.mark.parametrize("words", [["--rotate", "90"], ["--flip", "horizontal"], ["--strip", "all"]])
def test_a_turn_or_a_copy_keeps_everything_without_encoding(folder, own, words):
    source, target = folder / f"in.{own}", folder / f"out.{own}"
    made(source)
    report = crop(source, target, *words)
    assert report["lossless"] and report["gainMap"] == "cut" and report["warnings"] == []
    before, after = heicmap.Brighter(source.read_bytes()), heicmap.Brighter(target.read_bytes())
    # The samples are the same, shown turned as the image is.
    shown = {"--rotate": lambda a: np.rot90(a, -1), "--flip": lambda a: a[:, ::-1], "--strip": lambda a: a}[words[0]]
    assert (after.light == shown(before.light)).all()
    assert (b"altr", [after.item, after.primary]) in after.groups
    assert after.payload == before.payload and after.inputs == [after.primary, after.map]
    turned = [after.turns(item) for item in (after.primary, after.map, after.item)]
    assert turned[0] == turned[1] == turned[2]
    assert (turned[0] == before.turns(before.primary)) == ("--strip" in words)


@pytest.mark.parametrize("own", ["heic", "avif"])
def test_a_jpeg_has_ultra_hdr_with_the_same_numbers(folder, own):
    source, target = folder / f"in.{own}", folder / "out.jpg"
    made(source)
    report = crop(source, target, "--rect", "64,32,160,128")
    assert report["gainMap"] == "re-coded" and report["warnings"] == []
    read = Read(target.read_bytes(), numbers="others")
    assert info(target)["gainMap"]["kinds"] == ["ultra-hdr", "iso-21496-1"]
    (iso,) = [c for m, c, _ in segments(read.map) if m == 0xE2 and c.startswith(b"urn:iso")]
    assert iso[28:] == heicmap.tone_mapped()[1:]
    words = read.map.decode("latin-1")
    for name, number in {
            "GainMapMin": "0.000000", "GainMapMax": "3.000000", "Gamma": "1.000000", "OffsetSDR": "0.015625",
            "OffsetHDR": "0.015625", "HDRCapacityMin": "0.000000", "HDRCapacityMax": "3.000000"}.items():
        assert f'hdrgm:{name}="{number}"' in words


def test_apples_map_becomes_a_tone_mapped_image_in_an_avif(folder):
    source, target = folder / "in.heic", folder / "out.avif"
    base, light = scene(WIDTH, HEIGHT, 5)
    source.write_bytes(heicmap.photo(base, shrunk(light, 96, 64), headroom=4.0))
    report = crop(source, target, "--rect", "64,32,160,128")
    assert report["gainMap"] == "re-coded" and report["warnings"] == []
    check_structure(target.read_bytes(), 160, 128)
    assert info(target)["gainMap"]["kinds"] == ["tmap"] and info(target)["gainMap"]["headroom"] == 2


@pytest.mark.parametrize("name, turn", [(GALAXY, 90), (IPHONE, 270)])
def test_a_real_phone_s_photo_is_turned_without_encoding_and_keeps_its_position(folder, name, turn):
    target = folder / "out.heic"
    report = crop(phone(name), target, "--rotate", turn)
    assert report["lossless"] and report["gainMap"] == "cut"
    # Where faces are is no longer true.
    assert all(w.get("dropped") == ["regions"] for w in report["warnings"])
    before, after = exiftool(phone(name)), exiftool(target)
    assert after["GPSLatitude"] == before["GPSLatitude"]
    assert exiftool(target, "-Orientation").get("Orientation", 1) == 1
    shown, old = info(target)["shown"], info(phone(name))["shown"]
    assert (shown["width"], shown["height"]) == (old["height"], old["width"])
    # The position is gone if that is asked for.
    crop(phone(name), target, "--rotate", turn, "--strip", "location")
    assert "GPSLatitude" not in exiftool(target)


def test_a_galaxy_s_photo_is_cropped_with_its_map(folder):
    source, target = phone(GALAXY), folder / "out.heic"
    report = crop(source, target, "--rect", "1000,400,1200,800")
    assert report["gainMap"] == "re-coded" and not [w for w in report["warnings"] if w["code"] == "hdr-dropped"]
    found = check_structure(target.read_bytes(), 1200, 800)
    whole = heicmap.Brighter(source.read_bytes())
    assert found.payload == whole.payload
    expected = whole.light[100:300, 250:550].astype(int)
    assert found.light.shape == expected.shape
    assert np.abs(found.light.astype(int) - expected).mean() < 3
    assert pillow_heif.open_heif(target).size == (1200, 800)


def linear(pixels):
    """The light of sRGB samples."""
    values = pixels.astype(float) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def test_libultrahdr_and_a_renderer_show_a_galaxy_s_photo_as_a_jpeg(folder):
    codecs = pytest.importorskip("imagecodecs")
    if not codecs.ULTRAHDR.available:
        pytest.skip("imagecodecs has no libultrahdr")
    target = folder / "out.jpg"
    # Edges on the map's samples, which are 4 by 4 pixels (nearly, downwards).
    report = crop(phone(GALAXY), target, "--rect", "1000,400,640,480")
    assert report["gainMap"] == "re-coded"
    read = Read(target.read_bytes(), numbers="others")
    field = np.asarray(Image.fromarray(read.light).resize((640, 480), Image.Resampling.BILINEAR)).astype(float)
    # A gain of 0 to 2.3 stops, without offsets, as the file says.
    expected = linear(read.pixels) * 2 ** (field / 255 * 2.3)
    shown = codecs.ultrahdr_decode(target.read_bytes()).astype(float)[..., :3]
    assert shown.shape == expected.shape
    away = np.abs(np.log2(shown[8:-8, 8:-8] + 0.02) - np.log2(expected[8:-8, 8:-8] + 0.02))
    assert away.mean() < 0.05, away.mean()


@pytest.mark.thorough
def test_an_iphone_s_map_without_a_gain_keeps_the_fields_that_it_has(folder):
    source, target = phone(IPHONE), folder / "out.heic"
    assert "HDRGain" not in exiftool(source) and "HDRHeadroom" in exiftool(source)
    for strip in ("none", "all"):
        report = crop(source, target, "--rect", "1000,800,1200,800", "--strip", strip)
        assert report["gainMap"] == "re-coded" and not [w for w in report["warnings"] if w["code"] == "hdr-dropped"]
        assert exiftool(target)["HDRHeadroom"] == exiftool(source)["HDRHeadroom"]
        assert "HDRGain" not in exiftool(target)
        read, whole = heicmap.Read(target.read_bytes()), heicmap.Read(source.read_bytes())
        expected = whole.light[400:800, 500:1100]
        assert read.light.shape == expected.shape
        assert np.abs(read.light.astype(int) - expected).mean() < 3
    report = crop(source, folder / "out.jpg", "--rect", "1000,800,1200,800")
    (warning,) = [w for w in report["warnings"] if w["code"] == "hdr-dropped"]
    assert "bright" in warning["message"]


def test_groups_and_boxes_of_the_galaxy_stay_when_it_is_turned(folder):
    target = folder / "out.heic"
    crop(phone(GALAXY), target, "--rotate", "180")
    kinds = [kind for kind, _, _ in boxes(target.read_bytes())]
    assert b"sefd" in kinds
    after = heicmap.Brighter(target.read_bytes())
    assert after.turns(after.primary) == after.turns(after.map) == after.turns(after.item)


@pytest.mark.parametrize("kind", ["heic", "avif"])
def test_a_photo_replaced_by_its_crop_keeps_the_map(folder, kind):
    source = folder / f"in.{kind}"
    made(source)
    done = subprocess.run(
        [BIN / "cropkit", "crop", source, "--in-place", "--rect", "64,64,128,128"], capture_output=True, text=True,
        check=False)
    assert done.returncode == 0, done.stderr
    check_structure(source.read_bytes(), 128, 128)


@pytest.mark.parametrize("kind", ["heic", "avif"])
def test_the_tone_mapped_image_has_the_size_that_is_shown(folder, kind):
    # Coded sizes are even, and items have numbers of 32 bits.
    source, target = folder / "in.heic", folder / f"out.{kind}"
    made(source, wide=True)
    crop(source, target, "--rect", "33,31,101,77")
    found = check_structure(target.read_bytes(), 101, 77)
    assert found.light.shape[:2] == (77, 101)
