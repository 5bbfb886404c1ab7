"""Files with gain maps: their containers and parameters, every way to make them, and other programs that read
them."""

import io
import json
import subprocess

import numpy as np
import pytest
from conftest import BIN, ROOT, crop, info, run, shared
from gainmap import (
    BOTH, HEIGHT, WIDTH, XMP, Read, cropped, difference, end_of, made, map_of, packet, photo, scene, segments,
    shrunk, stops, with_segments)
from PIL import Image


def test_other_readers_find_picture_and_map(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    # Pillow shows no second image if XMP mentions Ultra HDR.
    made(source, 2, 3, subsampling=0, kinds=("iso-21496-1",))
    crop(source, target, "--rect", "10,11,201,151")
    read = Read(target.read_bytes(), ("iso-21496-1",))
    opened = Image.open(target)
    assert (opened.format, opened.n_frames, opened.size) == ("MPO", 2, (201, 151))
    opened.seek(1)
    assert opened.size == (read.light.shape[1], read.light.shape[0])
    for part in (read.base, read.map):
        assert subprocess.run(["djpeg"], input=part, capture_output=True, check=True).stderr == b""
    told = subprocess.run(
        ["exiftool", "-j", "-a", "-G1", target], capture_output=True, check=True, text=True)
    told = json.loads(told.stdout)[0]
    assert told["MPImage2:MPImageStart"] == read.end
    assert told["MPImage2:MPImageLength"] == len(read.map)


def test_the_parameters_are_kept_exactly(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    made(source, 4, 3, subsampling=0, kinds=("ultra-hdr",))
    crop(source, target, "--rect", "13,17,100,90")
    words = next(c for m, c, _ in Read(target.read_bytes(), ("ultra-hdr",)).own if m == 0xE1).decode()
    for word in ('hdrgm:Version="1.0"', 'hdrgm:GainMapMin="0.0"', 'hdrgm:OffsetSDR="0.015625"',
                 'hdrgm:HDRCapacityMax="3"', 'hdrgm:BaseRenditionIsHDR="False"',
                 "<hdrgm:GainMapMax><rdf:Seq>" + "<rdf:li>3.0</rdf:li>" * 3):
        assert word in words


def test_an_iphones_parameters_are_kept_even_if_all_metadata_is_removed(folder):
    source, target = shared("icc-displayp3-apple-gainmap.jpg"), folder / "out.jpg"
    for strip in ("none", "location", "all"):
        report = crop(source, target, "--rect", "64,64,128,256", "--strip", strip)
        assert (report["lossless"], report["gainMap"]) == (True, "cut")
        read = Read(target.read_bytes(), ())
        told = json.loads(subprocess.run(
            ["exiftool", "-j", "-n", target], capture_output=True, check=True, text=True).stdout)[0]
        assert told["HDRHeadroom"] == pytest.approx(1.518931985)
        assert told["HDRGain"] == 0
        assert ("Make" in told) == (strip != "all") and ("GPSAltitude" in told) == (strip == "none")
        assert b"<HDRGainMap:HDRGainMapHeadroom>4.532783<" in read.map
        assert read.light.shape == (128, 64)
    # The file states that its image is 70 bytes longer than it is: the map's position is correct.
    data = source.read_bytes()
    whole = np.asarray(Image.open(io.BytesIO(data[end_of(data):])))
    assert (read.light == whole[32:160, 32:96]).all()


def test_results_that_can_not_hold_a_map_have_a_warning(folder):
    source = folder / "in.jpg"
    made(source, 4)
    for extension in ("png", "webp", "tif", "gif", "avif", "heic"):
        report = crop(source, folder / f"out.{extension}", "--rect", "0,0,64,64")
        assert report["gainMap"] is None if "gainMap" in report else True
        assert any("HDR" in warning["message"] for warning in report["warnings"]), extension
    report = crop(source, folder / "srgb.jpg", "--rect", "0,0,64,64", "--srgb")
    assert any("HDR" in warning["message"] for warning in report["warnings"])
    report = crop(source, folder / "drop.jpg", "--rect", "0,0,64,64", "--hdr", "drop")
    assert report["warnings"] == []
    for name in ("srgb.jpg", "drop.jpg"):
        data = (folder / name).read_bytes()
        assert end_of(data) == len(data) and b"hdrgm:" not in data and b"MPF\0" not in data


def test_an_uncropped_image_is_copied_with_its_map_or_without(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4)
    assert crop(source, target)["gainMap"] == "cut"
    assert target.read_bytes() == data
    crop(source, target, "--hdr", "drop")
    assert end_of(target.read_bytes()) == len(target.read_bytes())


def test_bytes_are_counted_with_the_map(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    made(source, 1)
    whole = crop(source, target, "--rect", "5,5,300,200", "--quality", "95")["bytes"]
    report = crop(source, target, "--rect", "5,5,300,200", "--max-bytes", whole * 9 // 10)
    assert report["bytes"] == target.stat().st_size <= whole * 9 // 10
    Read(target.read_bytes())


def test_a_kept_map_is_no_loss_in_place(folder):
    source = folder / "in.jpg"
    made(source, 4)
    run("crop", source, "--in-place", "--rect", "16,16,160,160")
    assert Read(source.read_bytes()).pixels.shape == (160, 160, 3)
    refused = subprocess.run(
        [BIN / "cropkit", "crop", source, "--in-place", "--srgb", "--rect", "0,0,80,80"],
        capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "HDR gain map" in refused.stderr


def test_a_video_after_the_map_is_removed_and_the_map_kept(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    video = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0\0\0\x08free" + b"secret" * 2000
    made(source, 4, behind=video)
    report = crop(source, target, "--rect", "32,32,128,128")
    assert report["gainMap"] == "cut"
    assert [w["message"] for w in report["warnings"]] == ["left out: video (motion photo)"]
    assert b"secret" not in target.read_bytes()
    Read(target.read_bytes())


def test_positions_are_used_even_if_lengths_are_wrong(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    for declared in (1, 70, 1 << 31):
        made(source, 4, declared=declared)
        assert crop(source, target, "--rect", "32,32,128,128")["gainMap"] == "cut"
        Read(target.read_bytes())


def test_an_invalid_map_is_dropped(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    base, light = scene(64, 48, 1)
    large = photo(base, shrunk(light, 128, 96))
    sound = photo(base, shrunk(light, 32, 24))
    start = end_of(sound)
    cut_short = sound[:-40]
    nameless = sound[:start] + with_segments(b"\xff\xd8" + sound[start:][2:])[:2] + b"\xff\xd9"
    for data in (large, cut_short, sound[:start], nameless):
        source.write_bytes(data)
        report = crop(source, target, "--rect", "0,0,32,32")
        assert report["lossless"] and "gainMap" not in report or report["gainMap"] is None
        assert any("HDR" in warning["message"] for warning in report["warnings"])
        result = target.read_bytes()
        assert end_of(result) == len(result) and b"hdrgm:" not in result


def test_a_large_result_is_assembled_in_its_file(folder):
    """Large results are written while they are made; the head is inserted before them afterwards."""
    source, target = folder / "in.jpg", folder / "out.jpg"
    chance = np.random.default_rng(3)
    noise = chance.integers(0, 255, (1600, 2400, 3), np.uint8)
    _, light = scene(2400, 1600, 2)
    source.write_bytes(photo(noise, shrunk(light, 600, 400), subsampling=0))
    assert source.stat().st_size > 4 << 20
    report = crop(source, target, "--rect", "32,64,2240,1472")
    assert report["lossless"] and report["gainMap"] == "cut" and report["bytes"] > 1 << 20
    read = Read(target.read_bytes())
    whole = np.asarray(Image.open(source))
    assert (read.pixels == whole[64:1536, 32:2272]).all()
    assert read.light.shape == (368, 560)


def test_info_names_the_map(folder):
    source = folder / "in.jpg"
    made(source, 4, 3, subsampling=0)
    told = info(source)["gainMap"]
    assert told["kinds"] == ["ultra-hdr", "iso-21496-1"]
    assert (told["size"], told["channels"]) == ({"width": 104, "height": 80}, 3)
    assert (told["scale"], told["headroom"]) == (4, 3)
    assert set(told) == {"kinds", "size", "channels", "scale", "headroom"}
    words = run("info", source)
    assert "Ultra HDR and ISO 21496-1, 104 × 80, 3 channels, 1/4 of the width, headroom 3 stops" in words


@pytest.mark.parametrize("kinds", [BOTH, ("ultra-hdr",), ("iso-21496-1",)])
def test_libvips_reads_the_map(folder, kinds):
    pyvips = pytest.importorskip("pyvips")
    if not pyvips.type_find("VipsForeignLoad", "uhdrload"):
        pytest.skip("libvips without uhdrload")
    source, target = folder / "in.jpg", folder / "out.jpg"
    made(source, 4, kinds=kinds)
    crop(source, target, "--rect", "64,64,128,128")
    image = pyvips.Image.uhdrload(str(target))
    assert (image.width, image.height) == (128, 128)
    assert image.get("gainmap-max-content-boost")[0] == pytest.approx(8)
    light = pyvips.Image.new_from_buffer(image.get("gainmap-data"), "").numpy()
    assert (light.reshape(32, 32) == Read(target.read_bytes(), kinds).light).all()


def test_targets_have_their_maps(folder):
    source = folder / "in.jpg"
    data = made(source, 4)
    targets = {"targets": [{"name": "square", "ratio": "1:1"}, {"name": "wide", "ratio": "16:9"}]}
    (folder / "set.json").write_text(json.dumps(targets))
    answer = run("targets", source, "--targets", folder / "set.json", "-d", folder, "--json")
    reports = [json.loads(line) for line in answer.splitlines()]
    assert len(reports) == 2
    for report in reports:
        found = Read((folder / report["output"].split("/")[-1]).read_bytes())
        rect = {name: int(report["rect"][name]) for name in ("x", "y", "width", "height")}
        mean, most = difference(found.stops(), cropped(stops(map_of(data), WIDTH, HEIGHT), {"rect": rect}))
        assert mean <= 0.02 and most <= 0.15


def test_a_stream_reports_the_map(folder):
    source = folder / "in.jpg"
    data = made(source, 4)
    line = {"input": {"bytes": len(data)}, "output": {"bytes": True},
            "recipe": {"rect": {"x": 64, "y": 64, "width": 128, "height": 128}}}
    done = subprocess.run(
        [BIN / "cropkit", "batch", "--stream", "-"], input=json.dumps(line).encode() + b"\n" + data,
        capture_output=True, check=True)
    head, rest = done.stdout.split(b"\n", 1)
    answer = json.loads(head)
    assert answer["ok"] and answer["gainMap"] == "cut"
    assert Read(rest[: answer["output"]["bytes"]]).light.shape == (32, 32)


def test_python_reports_the_map(folder, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "Python/src")
    monkeypatch.setenv("CROPKIT_PROGRAM", str(BIN / "cropkit"))
    cropkit = pytest.importorskip("cropkit")
    source = folder / "in.jpg"
    made(source, 4)
    result = cropkit.crop(source, folder / "out.jpg", rect=(64, 64, 128, 128))
    assert (result.lossless, result.gain_map) == (True, "cut")
    assert Read((folder / "out.jpg").read_bytes()).light.shape == (32, 32)
    plain = cropkit.crop(source, folder / "plain.jpg", rect=(64, 64, 128, 128), hdr="drop")
    assert plain.gain_map is None and not plain.warnings
    data = cropkit.crop_bytes(source.read_bytes(), rect=(64, 64, 128, 128))
    assert data == (folder / "out.jpg").read_bytes()


def test_xmp_that_leaves_no_space_is_kept_or_its_loss_is_reported(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    base, light = scene(WIDTH, HEIGHT, 1)
    own = 'xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/jpeg"'
    for kinds in (("iso-21496-1",), BOTH, ("ultra-hdr",)):
        data = photo(base, shrunk(light, 104, 80), kinds=kinds)
        at = next((at for m, c, at in segments(data) if m == 0xE1 and c.startswith(XMP)), None)
        long = packet(own + ("" if at is None else ' xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" '
                             'hdrgm:Version="1.0"'), f"<dc:source>{'very long ' * 6495}</dc:source>")
        if at is not None:
            length = int.from_bytes(data[at - 2:at], "big")
            data = data[: at - 4] + data[at - 2 + length:]
        # Positions are relative to the table, after the inserted segment.
        source.write_bytes(with_segments(data, (0xE1, long)))
        report = crop(source, target, "--rect", "32,32,128,128")
        assert report["gainMap"] == "cut"
        lost = [w["message"] for w in report["warnings"]]
        result = target.read_bytes()
        if kinds == ("ultra-hdr",):
            assert b"very long" not in result and any("XMP" in words for words in lost), lost
        else:
            assert b"very long" in result and lost == []
        assert info(target)["gainMap"]["kinds"] == list(kinds)
