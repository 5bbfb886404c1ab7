"""Gain maps are cropped with the image: checked by a renderer with normalized coordinates.

libultrahdr is also used where it makes no difference that it uses one scale for both axes, samples without
the half pixel and clamps at the right and bottom.
"""

import json
import subprocess

import numpy as np
import pytest
from conftest import BIN, crop
from gainmap import (
    BOTH, HEIGHT, WIDTH, Read, cropped, difference, framed, made, map_of, photo, random_corners, scene, shrunk,
    stops, straightened, upright)


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("scale", [1, 2, 4])
def test_samples_on_the_maps_grid_are_copied(folder, scale, channels):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, scale, channels, subsampling=0)
    grid = 16 if channels == 3 else 8
    left, top, width, height = (n * grid * scale for n in (1, 2, 3, 2))
    report = crop(source, target, "--rect", f"{left},{top},{width},{height}")
    assert (report["lossless"], report["gainMap"], report["warnings"]) == (True, "cut", [])
    read = Read(target.read_bytes())
    expected = map_of(data)[top // scale:(top + height) // scale, left // scale:(left + width) // scale]
    assert read.light.shape == expected.shape
    # Decoders smooth chroma across block borders; inside, nothing differs at all.
    assert (read.light == expected)[1:-1, 1:-1].all()
    assert (read.light == expected).all() or channels == 3


@pytest.mark.parametrize("channels", [1, 3])
def test_samples_off_the_maps_grid_are_re_encoded(folder, channels):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4, channels, subsampling=0)
    report = crop(source, target, "--rect", "40,56,120,80")
    assert (report["lossless"], report["gainMap"]) == (True, "re-coded")
    read = Read(target.read_bytes())
    expected = map_of(data)[14:34, 10:40]
    assert read.light.shape == expected.shape
    assert np.abs(read.light.astype(int) - expected).mean() / 255 * 3 <= 0.01


def random_recipe(chance, width, height):
    """A recipe for an image of this upright size."""
    recipe = {"quarterTurns": int(chance.integers(4)), "mirrored": bool(chance.integers(2))}
    if recipe["quarterTurns"] % 2:
        width, height = height, width
    across = int(chance.integers(40, width // 2 + 1))
    down = int(chance.integers(40, height // 2 + 1))
    left, top = int(chance.integers(0, width - across + 1)), int(chance.integers(0, height - down + 1))
    if chance.random() < 0.25:
        recipe["tilt"] = round(float(chance.uniform(-15, 15)), 2)
        # Near the middle, no corner is blank.
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
    """Runs the lines of a manifest."""
    manifest = folder / "crops.jsonl"
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run(
        [BIN / "cropkit", "batch", manifest, "--force", *words], capture_output=True, text=True,
        check=False, timeout=900)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["ok"] for answer in answers), done.stderr
    return answers


@pytest.mark.thorough
def test_light_and_picture_stay_together_over_random_recipes(folder):
    """500 recipes over all orientations, turns, mirrors, tilts and sizes."""
    chance = np.random.default_rng(27)
    lines, expected = [], []
    for number in range(50):
        channels, orientation = int(chance.choice([1, 3])), number % 8 + 1
        width, height = int(chance.integers(200, 500)), int(chance.integers(200, 500))
        scale = int(chance.choice([1, 2, 4]))
        # Often the map's sides don't divide the image's.
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
        # All renderers get the same integer scale on both axes, unless the samples are the source's.
        pixels, samples = read.pixels.shape, read.light.shape
        assert read.light.ndim == 3 or samples[0] <= pixels[0]
    print("worst mean and 99th percentile in stops:", worst)


@pytest.mark.thorough
def test_light_is_straightened_with_the_picture_between_four_corners(folder):
    chance = np.random.default_rng(29)
    lines, expected = [], []
    for number in range(25):
        channels, orientation = int(chance.choice([1, 3])), number % 8 + 1
        width, height = int(chance.integers(200, 500)), int(chance.integers(200, 500))
        source = folder / f"{number}.jpg"
        data = made(source, int(chance.choice([1, 2, 4])), channels, number, width, height,
                    orientation=orientation, subsampling=0)
        light = upright(stops(map_of(data), width, height), orientation)
        for index in range(4):
            recipe = {"quarterTurns": int(chance.integers(4)), "mirrored": bool(chance.integers(2))}
            field = framed(light, recipe)
            corners = random_corners(chance, field.shape[1], field.shape[0])
            recipe |= {"version": 2, "quad": [{"x": x, "y": y} for x, y in corners.tolist()]}
            if index == 3:
                # Any ratio, and not much coarser than the corners' precision.
                edges = np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1)
                sides = np.maximum(edges[:2], edges[2:]) * chance.uniform(0.6, 1, 2) // 4 * 4
                recipe["output"] = dict(zip(("width", "height"), sides.astype(int).tolist()))
            lines.append({"input": source.name, "output": f"{number}-{index}.out.jpg", "recipe": recipe})
            expected.append((field, corners))
    answers = batch(lines, folder)
    worst = [0, 0]
    for line, answer, (field, corners) in zip(lines, answers, expected):
        assert answer["gainMap"] == "re-coded" and answer["warnings"] == [], answer
        read = Read((folder / line["output"]).read_bytes())
        height, width = read.pixels.shape[:2]
        mean, most = difference(read.stops(), straightened(field, corners, width, height))
        assert mean <= 0.02 and most <= 0.15, (line, mean, most)
        worst = [max(worst[0], mean), max(worst[1], most)]
        # The same integer scale on both axes.
        rows, columns = read.light.shape[:2]
        assert width % columns == height % rows == 0 and width // columns == height // rows in (1, 2, 4)
    print("worst mean and 99th percentile in stops:", worst)


@pytest.mark.parametrize("words, outcome", [
    (("--rect", "32,64,160,128"), "cut"), (("--rect", "40,56,160,128"), "re-coded"),
    (("--rect", "41,57,161,127"), "re-coded"), (("--quad", "32,64,190,70,180,180,40,190"), "re-coded")])
def test_nothing_of_the_map_outside_the_crop_is_left(folder, words, outcome):
    source, target = folder / "in.jpg", folder / "out.jpg"
    base, light = scene(WIDTH, HEIGHT, 3)
    light = shrunk(light, WIDTH // 4, HEIGHT // 4)
    other = light.copy()
    # Complete blocks of the map that don't touch the crop.
    other[:, 64:] = 255 - other[:, 64:]
    other[64:] = 255 - other[64:]
    results = []
    for samples in (light, other):
        source.write_bytes(photo(base, samples))
        assert crop(source, target, *words, "--force")["gainMap"] == outcome
        results.append(target.read_bytes())
    assert results[0] == results[1]


def test_ten_successive_crops_equal_one_crop(folder):
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


@pytest.mark.parametrize("rect", [(32, 64, 128, 96), (40, 8, 200, 160)])
@pytest.mark.parametrize("scale", [1, 2, 4])
def test_libultrahdr_shows_the_crop_as_it_shows_the_picture(folder, scale, rect):
    """If the samples are the source's, rendering the crop equals cropping the rendered source."""
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
    # Losses of the base image when it is re-encoded don't concern the map.
    assert away.mean() <= (0.01 if report["lossless"] else 0.03), away.mean()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("baked", [False, True])
def test_the_map_has_the_orientation_of_the_stored_image(folder, turn, baked):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 2, orientation=8, seed=3)
    light = upright(stops(map_of(data), WIDTH, HEIGHT), 8)
    words = ["--rotate", turn] if turn else []
    report = crop(
        source, target, *words, *(["--bake"] if baked else []), "--rect", "32,64,160,128")
    assert report["lossless"] and report["gainMap"] == "cut"
    read = Read(target.read_bytes())
    assert (read.orientation == 1) == (baked or turn == 90)
    recipe = {"quarterTurns": turn // 90, "rect": dict(x=32, y=64, width=160, height=128)}
    mean, most = difference(read.stops(), cropped(light, recipe))
    # Beyond the outermost samples, the light is constant.
    assert mean <= 0.01 and most <= 0.15


def test_a_smaller_picture_has_a_smaller_map(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 2)
    crop(source, target, "--max-side", "104")
    read = Read(target.read_bytes())
    assert read.pixels.shape[:2] == (80, 104) and read.light.shape == (40, 52)
    expected = stops(map_of(data), 104, 80)
    mean, most = difference(read.stops(), expected)
    assert mean <= 0.02 and most <= 0.15


@pytest.mark.parametrize("rect", [(64, 64, 128, 128), (33, 35, 131, 97)])
def test_a_progressive_map_is_cropped_like_any_other(folder, rect):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4, map_progressive=True)
    crop(source, target, "--rect", ",".join(map(str, rect)))
    expected = cropped(
        stops(map_of(data), WIDTH, HEIGHT), {"rect": dict(zip(("x", "y", "width", "height"), rect))})
    mean, most = difference(Read(target.read_bytes()).stops(), expected)
    assert mean <= 0.02 and most <= 0.15


def test_a_snapped_crop_has_the_map_of_the_actual_rectangle(folder):
    source, target = folder / "in.jpg", folder / "out.jpg"
    data = made(source, 4, orientation=6)
    light = upright(stops(map_of(data), WIDTH, HEIGHT), 6)
    report = crop(source, target, "--rect", "37,41,150,130", "--lossless", "snap")
    assert report["lossless"]
    mean, most = difference(Read(target.read_bytes()).stops(), cropped(light, {"rect": {
        name: int(report["rect"][name]) for name in ("x", "y", "width", "height")}}))
    assert mean <= 0.02 and most <= 0.15


@pytest.mark.parametrize("shape", ["ellipse", "rounded:20"])
def test_a_shape_drops_the_map_which_would_show_what_it_hides(folder, shape):
    source, target = folder / "in.jpg", folder / "out.jpg"
    made(source, 4)
    report = crop(source, target, "--rect", "64,64,128,128", "--shape", shape, "--background", "white")
    assert "hdr-dropped" in [warning["code"] for warning in report["warnings"]]
    assert "gainMap" not in report
    assert target.read_bytes().count(b"\xff\xd8\xff") == 1
