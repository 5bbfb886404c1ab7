"""Seeded damage of files with gain maps: the image is always correct, and a map is never broken."""

import io
import json
import os
import subprocess

import heicmap
import numpy as np
import pytest
from conftest import BIN, crop
from gainmap import Read, end_of, photo, scene, segments, shrunk
from heif import boxes
from PIL import Image

#: The number of damaged files per format.
BROKEN = 2000 if os.environ.get("CROPKIT_SOAK") else 200


def answers(folder, files, refusals):
    """Crops each of (name, data, name of the result) to 32 × 32 pixels at (16, 16); returns the reports of
    the successful crops, each with its data.

    Data of the image itself may be damaged too: an error is then correct, if `refusals` allows it.
    """
    lines = []
    for name, data, result in files:
        (folder / name).write_bytes(data)
        lines.append({"input": name, "output": result,
                      "recipe": {"rect": {"x": 16, "y": 16, "width": 32, "height": 32}}})
    manifest = folder / "crops.jsonl"
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run(
        [BIN / "cropkit", "batch", manifest], capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode in (0, 1), done.stderr[-2000:]
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(lines) == BROKEN
    for report in reports:
        assert report["ok"] or report["error"]["exitStatus"] in (65, 69) or report["error"]["code"] in refusals, report
    made = [report for report in reports if report["ok"]]
    # Rejected files leave no results.
    results = {result for _, _, result in files}
    assert {path.name for path in folder.iterdir()} & results == {report["output"] for report in made}
    return [(report, (folder / report["output"]).read_bytes()) for report in made]


def broken_jpegs(chance, sound):
    """Damage of everything that leads to the map, and of the map itself."""
    start = end_of(sound)
    found = [(at, len(c)) for m, c, at in segments(sound) if m in (0xE1, 0xE2) and c[:4] != b"Exif"]
    (heads, lengths), table = zip(*found), found[-1][0]
    for number in range(BROKEN):
        data = bytearray(sound)
        kind = number % 5
        if kind == 0:
            # Numbers of the table: lengths and positions.
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
            # A map that states an arbitrary size.
            at = data.index(b"\xff\xc0", start) + 5
            data[at:at + 4] = chance.integers(0, 256, 4, np.uint8).tobytes()
        yield f"{number}.jpg", bytes(data), f"{number}.out.jpg"


def test_broken_jpegs_never_break_the_picture(folder):
    base, light = scene(96, 64, 5)
    sound = photo(base, shrunk(light, 48, 32), subsampling=0)
    plain = np.asarray(Image.open(io.BytesIO(sound[:end_of(sound)])).convert("RGB").crop((16, 16, 48, 48)))
    kept = 0
    for report, data in answers(folder, list(broken_jpegs(np.random.default_rng(2027), sound)), ()):
        end = end_of(data)
        assert (np.asarray(Image.open(io.BytesIO(data[:end])).convert("RGB")) == plain).all(), report
        if "gainMap" in report:
            kept += 1
            assert b"Item:Length=" in data[:end] or b"iso:ts:21496" in data[:end]
            assert end_of(data, end) == len(data), report
        else:
            assert end == len(data), report
            assert any("HDR" in w["message"] for w in report["warnings"]) or b"GainMap" not in (
                folder / report["input"]).read_bytes()
    assert 0 < kept < BROKEN


def first_samples(data):
    """The first bytes of the map's coded samples: its item is the second one."""
    top = {kind: (start, end) for kind, start, end in boxes(data)}
    start, end = top[b"meta"]
    inside = {kind: a for kind, a, _ in boxes(data, start + 4, end)}
    # After version, sizes and count: number, reference, extents, position, length.
    place, length = np.frombuffer(data[inside[b"iloc"] + 8 + 14 + 6 :][:8], ">u4")
    return data[place : place + min(length, 64)]


def broken_heics(chance, sound):
    """Damage of the boxes, of the map's parameters and of its samples."""
    spots = {kind: (start, end) for kind, start, end in boxes(sound)}
    meta, data = spots[b"meta"], spots[b"mdat"]
    inside = {kind: (start, end) for kind, start, end in boxes(sound, meta[0] + 4, meta[1])}
    # The packet and the note with its numbers come after the map's samples.
    samples = sound.index(first_samples(sound))
    numbers = sound.index(b"<x:xmpmeta")
    ranges = [
        *(inside[kind] for kind in (b"iref", b"iloc", b"iinf", b"iprp")), (samples, numbers), (numbers, data[1])]
    for number in range(BROKEN):
        broken = bytearray(sound)
        start, end = ranges[number % len(ranges)]
        for _ in range(int(chance.integers(1, 4))):
            broken[int(chance.integers(start, end))] = int(chance.integers(256))
        if number % 17 == 0:
            del broken[int(chance.integers(samples, len(broken))):]
        yield f"{number}.heic", bytes(broken), f"{number}.out.{'heic' if number % 2 else 'jpg'}"


@pytest.mark.thorough
def test_broken_heics_never_break_the_picture(folder):
    base, light = scene(128, 96, 5)
    sound = heicmap.photo(base, shrunk(light, 64, 48), headroom=4.0, tone=True)
    source, target = folder / "sound.heic", folder / "sound-cropped.heic"
    source.write_bytes(sound)
    assert crop(source, target, "--rect", "16,16,32,32")["gainMap"] == "re-coded"
    plain = heicmap.Read(target.read_bytes()).pixels
    kept = 0
    files = broken_heics(np.random.default_rng(2028), sound)
    for report, data in answers(folder, list(files), ("invalid-recipe", "limit-exceeded")):
        if "gainMap" not in report:
            assert b"hdrgainmap" not in data, report
            continue
        kept += 1
        read = heicmap.Read(data) if report["format"] == "heic" else Read(data, numbers="others")
        if report["format"] == "heic" and not read.maps:
            # Damage left only the tone-mapped form of the map.
            assert b"tmap" in data, report
        else:
            assert read.light.shape == (16, 16), report
        # Damage of the image's own properties does not concern the map.
        if read.pixels.shape == plain.shape:
            assert np.abs(read.pixels.astype(int) - plain).mean() < 60
    assert BROKEN / 4 < kept < BROKEN
