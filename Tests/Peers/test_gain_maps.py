"""Gain maps are cut with the picture: judged by a renderer with normalised coordinates, and by other readers.

libultrahdr is asked too, where it is neutral: it takes one scale for both axes, samples without the half
pixel and clamps at the right and bottom.
"""

import io
import json
import os
import subprocess

import numpy as np
import pytest
from conftest import BIN, crop, info, run, shared
from gainmap import (
    Read, cropped, end_of, hdrgm, photo, scene, segments, shrunk, stops, upright, with_segments)
from PIL import Image

WIDTH, HEIGHT = 416, 320
BOTH = ("ultra-hdr", "iso-21496-1")
#: How many broken files are tried; a soak tries 2000.
BROKEN = 2000 if os.environ.get("CROPKIT_SOAK") else 200


def made(path, scale=4, channels=1, seed=1, width=WIDTH, height=HEIGHT, size=None, **options):
    """Writes a photo whose map has a sample for `scale` pixels; returns its map as it is decoded."""
    base, light = scene(width, height, seed, channels)
    light = shrunk(light, *(size or (width // scale, height // scale)))
    data = photo(base, light, **options)
    path.write_bytes(data)
    return data


def map_of(data):
    """The map of a file that was made here, as it is decoded."""
    start = data.rindex(b"\xff\xd8\xff\xe1" if b"hdrgm:GainMapMin" in data else b"\xff\xd8\xff\xe2")
    return np.asarray(Image.open(io.BytesIO(data[start:end_of(data, start)])))


def difference(found, expected):
    """Mean and 99th percentile of the difference in stops."""
    assert found.shape == expected.shape
    away = np.abs(found - expected)
    return away.mean(), np.percentile(away, 99)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("scale", [1, 2, 4])
def test_samples_on_the_maps_own_grid_are_copied(folder, scale, channels):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, scale, channels, subsampling=0)
    grid = 16 if channels == 3 else 8
    left, top, width, height = (n * grid * scale for n in (1, 2, 3, 2))
    report = crop(source, target, "--rect", f"{left},{top},{width},{height}")
    assert (report["lossless"], report["gainMap"], report["warnings"]) == (True, "cut", [])
    read = Read(target.read_bytes())
    expected = map_of(data)[top // scale:(top + height) // scale, left // scale:(left + width) // scale]
    assert read.light.shape == expected.shape
    # Decoders smooth chroma over the borders of blocks: inside nothing differs at all.
    assert (read.light == expected)[1:-1, 1:-1].all()
    assert (read.light == expected).all() or channels == 3


@pytest.mark.parametrize("channels", [1, 3])
def test_samples_beside_the_maps_grid_are_coded_once_more(folder, channels):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4, channels, subsampling=0)
    report = crop(source, target, "--rect", "40,56,120,80")
    assert (report["lossless"], report["gainMap"]) == (True, "re-coded")
    read = Read(target.read_bytes())
    expected = map_of(data)[14:34, 10:40]
    assert read.light.shape == expected.shape
    assert np.abs(read.light.astype(int) - expected).mean() / 255 * 3 <= 0.01


def random_recipe(chance, width, height):
    """A recipe for a picture of this upright size."""
    recipe = {"quarterTurns": int(chance.integers(4)), "mirrored": bool(chance.integers(2))}
    if recipe["quarterTurns"] % 2:
        width, height = height, width
    across = int(chance.integers(40, width // 2 + 1))
    down = int(chance.integers(40, height // 2 + 1))
    left, top = int(chance.integers(0, width - across + 1)), int(chance.integers(0, height - down + 1))
    if chance.random() < 0.25:
        recipe["tilt"] = round(float(chance.uniform(-15, 15)), 2)
        # Near the middle no corner is blank.
        across, down = min(across, width // 3), min(down, height // 3)
        left, top = (width - across) // 2 + 3, (height - down) // 2 - 2
    recipe["rect"] = {"x": left, "y": top, "width": across, "height": down}
    if chance.random() < 0.25:
        part = float(chance.uniform(0.6, 1))
        output = [max(1, round(side * part)) for side in (across, down)]
        if abs(output[0] * down - output[1] * across) <= max(*output, across, down):
            recipe["output"] = dict(zip(("width", "height"), output))
    return recipe


def batch(lines, folder, *words):
    """Carries out the lines of a manifest."""
    manifest = folder / "crops.jsonl"
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run(
        [BIN / "cropkit", "batch", manifest, "--force", *words], capture_output=True, text=True,
        check=False, timeout=900)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["ok"] for answer in answers), done.stderr
    return answers


def test_light_and_picture_stay_together_over_random_recipes(folder):
    """500 recipes over all orientations, turns, mirrors, tilts and sizes."""
    chance = np.random.default_rng(27)
    lines, expected = [], []
    for number in range(50):
        channels, orientation = int(chance.choice([1, 3])), number % 8 + 1
        width, height = int(chance.integers(200, 500)), int(chance.integers(200, 500))
        scale = int(chance.choice([1, 2, 4]))
        # Often the map's sides don't divide the picture's.
        source = folder / f"{number}.jpg"
        data = made(
            source, scale, channels, number, width, height, orientation=orientation, subsampling=0,
            kinds=[BOTH, ("ultra-hdr",)][number % 2])
        light = upright(stops(map_of(data), width, height), orientation)
        for index in range(10):
            recipe = random_recipe(chance, light.shape[1], light.shape[0])
            lines.append({"input": source.name, "output": f"{number}-{index}.out.jpg", "recipe": recipe})
            expected.append(cropped(light, recipe))
    answers = batch(lines, folder)
    assert {answer["gainMap"] for answer in answers} == {"re-coded"} or len(answers) == 500
    worst = [0, 0]
    for line, answer, light in zip(lines, answers, expected):
        number = int(line["input"].split(".")[0])
        read = Read((folder / line["output"]).read_bytes(), [BOTH, ("ultra-hdr",)][number % 2])
        mean, most = difference(read.stops(), light)
        assert mean <= 0.02 and most <= 0.15, (line, mean, most)
        worst = [max(worst[0], mean), max(worst[1], most)]
        # Every renderer finds one whole scale on both axes, unless the samples are the source's.
        pixels, samples = read.pixels.shape, read.light.shape
        assert read.light.ndim == 3 or samples[0] <= pixels[0]
    print("worst mean and 99th percentile in stops:", worst)


def test_ten_crops_in_a_row_are_one_crop(folder):
    source = folder / "0.jpg"
    data = made(source, 4, orientation=6)
    light = upright(stops(map_of(data), WIDTH, HEIGHT), 6)
    left = top = 0
    height, width = light.shape
    for number in range(10):
        rect = (3, 5, width - 9, height - 11)
        crop(folder / f"{number}.jpg", folder / f"{number + 1}.jpg", "--rect", ",".join(map(str, rect)))
        left, top, width, height = left + 3, top + 5, width - 9, height - 11
    found = Read((folder / "10.jpg").read_bytes()).stops()
    mean, most = difference(found, light[top:top + height, left:left + width])
    assert mean <= 0.02 and most <= 0.15, (mean, most)


def test_other_readers_find_picture_and_map(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    # Pillow shows no second picture where XMP says Ultra HDR.
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


@pytest.mark.parametrize("rect", [(32, 64, 128, 96), (40, 8, 200, 160)])
@pytest.mark.parametrize("scale", [1, 2, 4])
def test_libultrahdr_shows_the_crop_as_it_shows_the_picture(folder, scale, rect):
    """Where the samples are the source's, its rendering of the crop is the crop of its rendering."""
    codecs = pytest.importorskip("imagecodecs")
    if not codecs.ULTRAHDR.available:
        pytest.skip("imagecodecs has no libultrahdr")
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    base = np.stack([x / WIDTH, y / HEIGHT, (x + y) / (WIDTH + HEIGHT)], -1) * 0.8 + 0.1
    bright = 1 + 6 * np.exp(-(((x - 120) / 60) ** 2 + ((y - 100) / 50) ** 2))
    pixels = np.concatenate([base * bright[..., None], np.ones((HEIGHT, WIDTH, 1))], -1)
    source, target = folder / "in.jpg", folder / "out.jpg"
    source.write_bytes(codecs.ultrahdr_encode(pixels.astype(np.float16), level=95, scale=scale))
    left, top, width, height = rect
    report = crop(source, target, "--rect", ",".join(map(str, rect)))
    assert report["gainMap"] == ("cut" if left % (8 * scale) == top % (8 * scale) == 0 else "re-coded") \
        or report["gainMap"] == "re-coded"
    whole = codecs.ultrahdr_decode(source.read_bytes()).astype(float)[..., :3]
    part = codecs.ultrahdr_decode(target.read_bytes()).astype(float)[..., :3]
    expected = whole[top:top + height, left:left + width]
    assert part.shape == expected.shape
    inner = (slice(scale, -scale - 1), slice(scale, -scale - 1))
    away = np.abs(np.log2(part[inner] + 0.02) - np.log2(expected[inner] + 0.02))
    # What the base loses where it is coded again is no matter of the map.
    assert away.mean() <= (0.01 if report["lossless"] else 0.03), away.mean()


def test_the_numbers_stay_word_for_word(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    made(source, 4, 3, subsampling=0, kinds=("ultra-hdr",))
    crop(source, target, "--rect", "13,17,100,90")
    words = next(c for m, c, _ in Read(target.read_bytes(), ("ultra-hdr",)).own if m == 0xE1).decode()
    for word in ('hdrgm:Version="1.0"', 'hdrgm:GainMapMin="0.0"', 'hdrgm:OffsetSDR="0.015625"',
                 'hdrgm:HDRCapacityMax="3"', 'hdrgm:BaseRenditionIsHDR="False"',
                 "<hdrgm:GainMapMax><rdf:Seq>" + "<rdf:li>3.0</rdf:li>" * 3):
        assert word in words


def test_an_iphones_numbers_stay_even_where_all_metadata_goes(folder):
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
    # The file says that its picture is 70 bytes longer than it is: the map's place is right.
    data = source.read_bytes()
    whole = np.asarray(Image.open(io.BytesIO(data[end_of(data):])))
    assert (read.light == whole[32:160, 32:96]).all()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("baked", [False, True])
def test_the_map_lies_as_the_picture_is_stored(folder, turn, baked):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 2, orientation=8, seed=3)
    light = upright(stops(map_of(data), WIDTH, HEIGHT), 8)
    words = ["--turn", turn] if turn else []
    report = crop(
        source, target, *words, *(["--bake"] if baked else []), "--rect", "32,64,160,128")
    assert report["lossless"] and report["gainMap"] == "cut"
    read = Read(target.read_bytes())
    assert (read.orientation == 1) == (baked or turn == 90)
    recipe = {"quarterTurns": turn // 90, "rect": dict(x=32, y=64, width=160, height=128)}
    mean, most = difference(read.stops(), cropped(light, recipe))
    # Beyond the outermost samples the light is constant.
    assert mean <= 0.01 and most <= 0.15


def test_what_has_no_place_for_a_map_says_so(folder):
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


def test_a_whole_picture_is_copied_with_its_map_or_cut_without(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4)
    crop(source, target)
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


def test_a_smaller_picture_has_a_smaller_map(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 2)
    crop(source, target, "--max-side", "104")
    read = Read(target.read_bytes())
    assert read.pixels.shape[:2] == (80, 104) and read.light.shape == (40, 52)
    expected = stops(map_of(data), 104, 80)
    mean, most = difference(read.stops(), expected)
    assert mean <= 0.02 and most <= 0.15


def test_a_kept_map_is_no_loss_in_place(folder):
    source = folder / "in.jpg"
    made(source, 4)
    run("crop", source, "--in-place", "--rect", "16,16,160,160")
    assert Read(source.read_bytes()).pixels.shape == (160, 160, 3)
    refused = subprocess.run(
        [BIN / "cropkit", "crop", source, "--in-place", "--srgb", "--rect", "0,0,80,80"],
        capture_output=True, text=True, check=False)
    assert refused.returncode != 0 and "HDR gain map" in refused.stderr


def test_a_video_behind_the_map_goes_and_the_map_stays(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    video = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0\0\0\x08free" + b"secret" * 2000
    made(source, 4, behind=video)
    report = crop(source, target, "--rect", "32,32,128,128")
    assert report["gainMap"] == "cut"
    assert [w["message"] for w in report["warnings"]] == ["left out: video (motion photo)"]
    assert b"secret" not in target.read_bytes()
    Read(target.read_bytes())


def test_lengths_lie_and_places_do_not(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    for declared in (1, 70, 1 << 31):
        made(source, 4, declared=declared)
        assert crop(source, target, "--rect", "32,32,128,128")["gainMap"] == "cut"
        Read(target.read_bytes())


def test_a_map_that_can_not_be_is_left_out(folder):
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


@pytest.mark.parametrize("rect", [(64, 64, 128, 128), (33, 35, 131, 97)])
def test_a_progressive_map_is_cut_as_any_other(folder, rect):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4, map_progressive=True)
    crop(source, target, "--rect", ",".join(map(str, rect)))
    expected = cropped(
        stops(map_of(data), WIDTH, HEIGHT), {"rect": dict(zip(("x", "y", "width", "height"), rect))})
    mean, most = difference(Read(target.read_bytes()).stops(), expected)
    assert mean <= 0.02 and most <= 0.15


def test_a_large_result_is_put_together_in_its_file(folder):
    """Large results are written while they are made; the head is put before them afterwards."""
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


def test_a_snapped_crop_has_the_map_of_what_was_cut(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4, orientation=6)
    light = upright(stops(map_of(data), WIDTH, HEIGHT), 6)
    report = crop(source, target, "--rect", "37,41,150,130", "--lossless", "snap")
    assert report["lossless"]
    mean, most = difference(Read(target.read_bytes()).stops(), cropped(light, {"rect": {
        name: int(report["rect"][name]) for name in ("x", "y", "width", "height")}}))
    assert mean <= 0.02 and most <= 0.15


def test_info_names_the_map(folder):
    source = folder / "in.jpg"
    made(source, 4, 3, subsampling=0)
    told = info(source)["gainMap"]
    assert told["kinds"] == ["ultra-hdr", "iso-21496-1"]
    assert (told["size"], told["channels"]) == ({"width": 104, "height": 80}, 3)
    assert (told["scale"], told["headroom"]) == (4, 3)
    words = run("info", source)
    assert "Ultra HDR and ISO 21496-1, 104 × 80, 3 channels, 1/4 of the width, headroom 3 stops" in words


def test_containers_that_are_broken_never_break_the_picture(folder):
    """Seeded damage of everything that leads to the map, and of the map itself."""
    chance = np.random.default_rng(2027)
    base, light = scene(96, 64, 5)
    sound = photo(base, shrunk(light, 48, 32), subsampling=0)
    start = end_of(sound)
    plain = Image.open(io.BytesIO(sound[:start])).convert("RGB").crop((16, 16, 48, 48))
    found = [(at, len(c)) for m, c, at in segments(sound) if m in (0xE1, 0xE2) and c[:4] != b"Exif"]
    (heads, lengths), table = zip(*found), found[-1][0]
    lines = []
    for number in range(BROKEN):
        data = bytearray(sound)
        kind = number % 5
        if kind == 0:
            # Numbers of the table: lengths and places.
            at = table + int(chance.integers(4, 83))
            data[at:at + 4] = chance.integers(0, 256, 4, np.uint8).tobytes()
        elif kind == 1:
            which = int(chance.integers(len(heads)))
            at = heads[which] + int(chance.integers(lengths[which]))
            data[at] = int(chance.integers(256))
        elif kind == 2:
            del data[int(chance.integers(start, len(data))):]
        elif kind == 3:
            for _ in range(int(chance.integers(1, 6))):
                data[int(chance.integers(start, len(data)))] = int(chance.integers(256))
        else:
            # A map that claims any size.
            at = data.index(b"\xff\xc0", start) + 5
            data[at:at + 4] = chance.integers(0, 256, 4, np.uint8).tobytes()
        (folder / f"{number}.jpg").write_bytes(data)
        lines.append({
            "input": f"{number}.jpg", "output": f"{number}.out.jpg",
            "recipe": {"rect": {"x": 16, "y": 16, "width": 32, "height": 32}}})
    manifest = folder / "crops.jsonl"
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run(
        [BIN / "cropkit", "batch", manifest], capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode in (0, 1), done.stderr[-2000:]
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == BROKEN
    kept = 0
    for answer in answers:
        if not answer["ok"]:
            # EXIF's or the JPEG's own segments were hit: a plain refusal is right.
            assert answer["error"]["exitStatus"] in (65, 69), answer
            continue
        data = (folder / answer["output"]).read_bytes()
        pixels = np.asarray(Image.open(io.BytesIO(data[:end_of(data)])).convert("RGB"))
        assert (pixels == np.asarray(plain)).all(), answer
        if "gainMap" in answer:
            kept += 1
            expects = [kind for kind, mark in
                       (("ultra-hdr", b"Item:Length="), ("iso-21496-1", b"iso:ts:21496"))
                       if mark in data[:end_of(data)]]
            assert end_of(data, end_of(data)) == len(data), answer
            assert expects
        else:
            assert end_of(data) == len(data), answer
            assert any("HDR" in w["message"] for w in answer["warnings"]) or b"GainMap" not in (
                folder / answer["input"]).read_bytes()
    assert 0 < kept < BROKEN



