"""Gain maps as the page crops them without a server: its modules under node, compared with `cropkit` and with the
renderer of the other tests."""

import json
import subprocess

import numpy as np
import pytest
from conftest import ROOT
from gainmap import (
    BOTH, HEIGHT, WIDTH, Read, cropped, difference, end_of, framed, made, map_of, photo, random_corners, scene, shrunk,
    stops, straightened, upright)
from test_gain_maps import batch, random_recipe

WHOLE = {"version": 1, "quarterTurns": 0, "mirrored": False, "tilt": 0, "shape": "rectangle", "output": None}


def page(crops):
    """Makes crops, and returns how many bytes each has more than without a map."""
    done = subprocess.run(
        ["node", ROOT / "Tests/Peers/gainmaps.mjs"], input="\n".join(map(json.dumps, crops)), capture_output=True,
        text=True, check=True)
    return json.loads(done.stdout)


def line(source, target, recipe, size=(WIDTH, HEIGHT), **rest):
    return {"input": str(source), "output": str(target), "width": size[0], "height": size[1],
            "recipe": WHOLE | recipe, **rest}


def rect(left, top, width, height):
    return {"rect": {"x": left, "y": top, "width": width, "height": height}}


@pytest.mark.parametrize("channels", [1, 3])
def test_a_copied_part_gets_the_map_of_the_command_line(folder, channels):
    """240 crops over all orientations, turns and mirrors, whose stored edges lie on the photo's blocks."""
    chance = np.random.default_rng(41 + channels)
    lines, crops, expected = [], [], []
    for number in range(24):
        orientation, scale = number % 8 + 1, int(chance.choice([1, 2, 4]))
        kinds = [BOTH, ("ultra-hdr",), ("iso-21496-1",), ("apple",)][number % 4]
        width, height = (int(side) for side in chance.integers(200, 500, 2))
        source = folder / f"{number}.jpg"
        data = made(source, scale, channels, number, width, height, orientation=orientation, subsampling=number % 3,
                    kinds=kinds)
        light = None if kinds == ("apple",) else upright(stops(map_of(data), width, height), orientation)
        for index in range(10):
            across, down = (int(side) for side in chance.integers(4, 9, 2) * 16)
            left, top = (int(chance.integers(0, (side - part) // 16 + 1)) * 16
                         for side, part in ((width, across), (height, down)))
            if index % 2 and orientation == 1:
                across, down = across - 3, down - 5
            stored = np.zeros((height, width))
            stored[top:top + down, left:left + across] = 1
            turn = {"quarterTurns": int(chance.integers(4)), "mirrored": bool(chance.integers(2))}
            shown = framed(upright(stored, orientation), turn)
            rows, columns = np.flatnonzero(shown.any(1)), np.flatnonzero(shown.any(0))
            recipe = turn | rect(int(columns[0]), int(rows[0]), len(columns), len(rows))
            size = (height, width) if orientation > 4 else (width, height)
            lines.append({"input": source.name, "output": f"{number}-{index}.cli.jpg", "recipe": recipe})
            crops.append(line(source, folder / f"{number}-{index}.page.jpg", recipe, size))
            expected.append((kinds, light, recipe))
    answers, added = batch(lines, folder), page(crops)
    outcomes = {"cut": 0, "re-coded": 0}
    for answer, more, crop, cli, (kinds, light, recipe) in zip(answers, added, crops, lines, expected, strict=True):
        assert answer["lossless"] and more > 0, (crop, answer)
        outcomes[answer["gainMap"]] += 1
        ours = open(crop["output"], "rb").read()
        theirs = (folder / cli["output"]).read_bytes()
        if answer["gainMap"] == "cut":
            assert ours == theirs, crop
            continue
        ours, theirs = (Read(data, kinds, numbers="others") for data in (ours, theirs))
        # Only the length of the map differs.
        assert abs(ours.end - theirs.end) <= 2 and ours.base[-1000:] == theirs.base[-1000:]
        assert ours.light.shape == theirs.light.shape
        assert np.abs(ours.light.astype(int) - theirs.light).mean() / 255 * 3 <= 0.02
        if light is not None:
            mean, most = difference(ours.stops(), cropped(light, recipe))
            assert mean <= 0.02 and most <= 0.15, (crop, mean, most)
    assert min(outcomes.values()) >= 20, outcomes




@pytest.mark.thorough
def test_a_drawn_crop_gets_its_light(folder):
    """300 random recipes, and 60 with four corners."""
    chance = np.random.default_rng(43)
    lines, crops, expected = [], [], []
    for number in range(30):
        channels, orientation = int(chance.choice([1, 3])), number % 8 + 1
        width, height = (int(side) for side in chance.integers(200, 500, 2))
        source = folder / f"{number}.jpg"
        data = made(source, int(chance.choice([1, 2, 4])), channels, number, width, height, orientation=orientation,
                    subsampling=number % 3)
        light = upright(stops(map_of(data), width, height), orientation)
        for index in range(12):
            recipe = random_recipe(chance, light.shape[1], light.shape[0])
            if index >= 10:
                turn = {key: recipe[key] for key in ("quarterTurns", "mirrored")}
                field = framed(light, turn)
                corners = random_corners(chance, field.shape[1], field.shape[0])
                recipe = turn | {"version": 2, "quad": [{"x": x, "y": y} for x, y in corners.tolist()]}
                expected.append((field, corners))
            else:
                expected.append((light, None))
            lines.append({"input": source.name, "output": f"{number}-{index}.cli.jpg", "recipe": recipe,
                          "options": {"hdr": "drop", "lossless": "never", "bake": True}})
            crops.append(line(source, folder / f"{number}-{index}.page.jpg", recipe, light.shape[1::-1],
                              drawn=str(folder / f"{number}-{index}.cli.jpg")))
    batch(lines, folder)
    worst = [0, 0]
    for more, crop, (light, corners) in zip(page(crops), crops, expected, strict=True):
        assert more > 0, crop
        read = Read(open(crop["output"], "rb").read())
        rows, columns = read.pixels.shape[:2]
        wanted = cropped(light, crop["recipe"]) if corners is None else straightened(light, corners, columns, rows)
        mean, most = difference(read.stops(), wanted)
        assert mean <= 0.02 and most <= 0.15, (crop, mean, most)
        worst = [max(worst[0], mean), max(worst[1], most)]
    print("worst mean and 99th percentile in stops:", worst)


@pytest.mark.parametrize("recipe", [rect(32, 64, 160, 128), rect(48, 32, 160, 128), rect(32, 64, 157, 131)])
def test_nothing_of_the_light_that_was_cut_away_is_left(folder, recipe):
    base, light = scene(WIDTH, HEIGHT, 3)
    light = shrunk(light, WIDTH // 4, HEIGHT // 4)
    other = light.copy()
    # Whole blocks of the map, none of which touches the crop.
    other[:, 64:] = 255 - other[:, 64:]
    other[64:] = 255 - other[64:]
    crops = []
    for name, samples in (("a", light), ("b", other)):
        (folder / f"{name}.jpg").write_bytes(photo(base, samples, behind=name.encode() * 1000))
        crops.append(line(folder / f"{name}.jpg", folder / f"{name}.out.jpg", recipe))
    assert min(page(crops)) > 0
    first, second = (open(crop["output"], "rb").read() for crop in crops)
    assert first == second and Read(first).light.any()


def test_a_map_that_cannot_be_cut_leaves_the_crop_as_it_is(folder):
    base, light = scene(WIDTH, HEIGHT, 3)
    light = shrunk(light, WIDTH // 4, HEIGHT // 4)
    whole = photo(base, light)
    bad = [
        whole[:-40], whole[:end_of(whole)], photo(base, light, map_progressive=True),
        photo(base, shrunk(scene(WIDTH, HEIGHT, 3)[1], WIDTH + 1, HEIGHT)),
        whole.replace(b"GainMapMax", b"GainMapMix").replace(b"21496:-1\0\0\0\0\0\0", b"21496:-2\0\0\0\0\0\0"),
    ]
    crops = []
    for number, data in enumerate(bad):
        (folder / f"{number}.jpg").write_bytes(data)
        crops.append(line(folder / f"{number}.jpg", folder / f"{number}.out.jpg", rect(32, 64, 160, 128)))
    assert page(crops) == [0] * len(bad)
    for crop in crops:
        data = open(crop["output"], "rb").read()
        assert end_of(data) == len(data)


@pytest.mark.thorough
def test_damage_never_crashes_the_module_nor_leaves_a_container_that_lies(folder):
    """400 files with changed bytes in their map, its metadata and the table of images."""
    chance = np.random.default_rng(44)
    data = made(folder / "in.jpg", 4)
    crops = []
    for number in range(400):
        bad = bytearray(data)
        start = 0 if number % 2 else end_of(data)
        stop = 2000 if number % 2 else len(data)
        for _ in range(int(chance.integers(1, 6))):
            bad[int(chance.integers(start + 2, stop))] = int(chance.integers(256))
        if number % 5 == 0:
            del bad[int(chance.integers(end_of(data), len(data))):]
        (folder / f"{number}.jpg").write_bytes(bad)
        crops.append(line(folder / f"{number}.jpg", folder / f"{number}.out.jpg", rect(40, 56, 160, 128),
                          drawn=str(folder / "crop.jpg")))
    crop = made(folder / "crop-with-map.jpg", 4, width=160, height=128)
    (folder / "crop.jpg").write_bytes(crop[:end_of(crop)])
    kept = 0
    for more, one in zip(page(crops), crops, strict=True):
        result = open(one["output"], "rb").read()
        end = end_of(result)
        if more:
            kept += 1
            assert end_of(result, end) == len(result), one
        else:
            assert end == len(result), one
    assert kept >= 50
