"""Lossless crops that end inside a block, as decoded by djpeg and Pillow."""

import io
import json
import os
import random
import shutil
import subprocess

import numpy as np
import pytest
from conftest import ROOT, crop, run
from PIL import Image, ImageOps

pytestmark = pytest.mark.skipif(not shutil.which("djpeg"), reason="no djpeg")

#: The number of rectangles per coding.
COUNT = 400 if os.environ.get("CROPKIT_SOAK") else 6
#: How each is encoded, and the size of its block grid.
CODINGS = {
    "4:2:0": (["-sample", "2x2"], 16, 16),
    "4:2:2": (["-sample", "2x1"], 16, 8),
    "4:4:0": (["-sample", "1x2"], 8, 16),
    "4:1:1": (["-sample", "4x1"], 32, 8),
    "4:4:4": (["-sample", "1x1"], 8, 8),
    "gray": (["-grayscale"], 8, 8),
    "progressive": (["-sample", "2x2", "-progressive"], 16, 16),
    "arithmetic": (["-sample", "2x2", "-arithmetic"], 16, 16),
    "restart": (["-sample", "2x2", "-restart", "1"], 16, 16),
    "optimized": (["-sample", "2x2", "-optimize"], 16, 16),
}
#: Further codings, whose blocks are compared with jpegtran's.
FURTHER_CODINGS = {
    **CODINGS,
    "4:1:0": (["-sample", "4x2"], 32, 16),
    "1:4": (["-sample", "1x4"], 8, 32),
    "mixed": (["-sample", "2x2,2x1,1x2"], 16, 16),
    "more color": (["-sample", "1x1,2x2,1x1"], 16, 16),
    "restart within rows": (["-sample", "2x1", "-restart", "3B"], 16, 8),
    "progressive, restart": (["-sample", "2x1", "-progressive", "-restart", "1"], 16, 8),
    "progressive, gray": (["-grayscale", "-progressive"], 8, 8),
    "arithmetic, progressive": (["-sample", "1x1", "-arithmetic", "-progressive"], 8, 8),
}


def pixels(data):
    """The decoded samples, chroma repeated without smoothing; a warning is an error."""
    done = subprocess.run(["djpeg", "-nosmooth", "-dct", "int", "-strict"], input=data, capture_output=True, check=True)
    assert not done.stderr
    return np.asarray(Image.open(io.BytesIO(done.stdout))).astype(float)


def error(a, b):
    """The sums of squared errors of luma and of chroma, and the numbers of values."""
    if a.shape[-1] == 3:
        luma = np.array([0.299, 0.587, 0.114])
        a, b = (np.stack([x @ luma, x[..., 2] - x @ luma, x[..., 0] - x @ luma], axis=-1) for x in (a, b))
    return ((a - b) ** 2).sum(), a.size


@pytest.fixture(scope="module")
def photo():
    """A part of a photo, as PPM."""
    image = Image.open(next((ROOT / "Samples").glob("still-life.jpg"))).convert("RGB")
    file = io.BytesIO()
    image.reduce(2).crop((200, 100, 713, 501)).save(file, "PPM")
    return file.getvalue()


@pytest.mark.parametrize("name", CODINGS)
def test_inner_pixels_are_equal_and_border_pixels_nearly(folder, photo, name):
    words, across, down = CODINGS[name]
    source, target = folder / "source.jpg", folder / "part.jpg"
    data = subprocess.run(["cjpeg", "-quality", "90", *words], input=photo, capture_output=True, check=True).stdout
    source.write_bytes(data)
    whole = pixels(data)
    height, width = whole.shape[:2]
    chance = random.Random(name)
    squares, count = 0, 0
    for _ in range(COUNT):
        x = chance.randrange(0, width - 40) // across * across
        y = chance.randrange(0, height - 40) // down * down
        w, h = chance.randint(33, width - x), chance.randint(17, height - y)
        report = crop(source, target, "--rect", f"{x},{y},{w},{h}")
        assert report["lossless"]
        edges = report.get("requantized", {"right": 0, "bottom": 0})
        assert edges["right"] == (w % across if x + w < width else 0)
        assert edges["bottom"] == (h % down if y + h < height else 0)
        made = pixels(target.read_bytes())
        assert made.shape[:2] == (h, w)
        wanted = whole[y : y + h, x : x + w]
        inner = (slice(0, h - edges["bottom"]), slice(0, w - edges["right"]))
        assert (made[inner] == wanted[inner]).all()
        border = np.ones((h, w), bool)
        border[inner] = False
        if border.any():
            added, number = error(made[border], wanted[border])
            squares += added
            count += number
        assert Image.open(target).size == (w, h)
    assert 10 * np.log10(255**2 * count / squares) >= 45


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_gives_the_same_crop(folder, photo, orientation):
    source, target = folder / "source.jpg", folder / "part.jpg"
    image = Image.open(io.BytesIO(photo))
    exif = Image.Exif()
    exif[0x0112] = orientation
    image.save(source, quality=90, subsampling=0, exif=exif)
    whole = ImageOps.exif_transpose(Image.open(source))
    report = crop(source, target, "--rect", "51,67,100,90", "--lossless", "snap")
    assert report["lossless"] and (report["width"], report["height"]) == (100, 90)
    rect = report["rect"]
    assert abs(rect["x"] - 51) < 8 and abs(rect["y"] - 67) < 8
    edges = report["requantized"]
    inner = (edges["left"], edges["top"], 100 - edges["right"], 90 - edges["bottom"])
    made = ImageOps.exif_transpose(Image.open(target))
    x, y = int(rect["x"]), int(rect["y"])
    expected = whole.crop((x, y, x + 100, y + 90))
    assert made.crop(inner).tobytes() == expected.crop(inner).tobytes()


def test_ten_crops_in_a_row_do_not_drift(folder, photo):
    source = folder / "0.jpg"
    source.write_bytes(subprocess.run(["cjpeg", "-quality", "90"], input=photo, capture_output=True, check=True).stdout)
    whole = pixels(source.read_bytes())
    file = source
    for number in range(1, 11):
        target = folder / f"{number}.jpg"
        crop(file, target, "--rect", f"0,0,{300 - number},{200 - number}")
        file = target
    made = pixels(file.read_bytes())
    squares, count = error(made, whole[:190, :290])
    assert 10 * np.log10(255**2 * count / squares) >= 45
    assert (made[:176, :272] == whole[:176, :272]).all()


def coefficients(data, width, height, x=0, y=0):
    """The blocks of a crop on the grid, from jpegtran: equal bytes mean equal coefficients and tables."""
    return subprocess.run(
        ["jpegtran", "-copy", "none", "-optimize", "-crop", f"{width}x{height}+{x}+{y}"],
        input=data, capture_output=True, check=True).stdout


#: How the stored image differs from the upright one, by the EXIF orientation: whether it is mirrored across,
#: mirrored down, and then transposed.
STORED = {
    1: (False, False, False), 2: (True, False, False), 3: (True, True, False), 4: (False, True, False),
    5: (False, False, True), 6: (True, False, True), 7: (True, True, True), 8: (False, True, True),
}


def oriented(data, orientation):
    """A JPEG whose first segment has an EXIF orientation."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    body = exif.tobytes()
    return data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:]


def upright(rect, size, orientation):
    """The position of a rectangle of the stored image on the upright one."""
    (x, y, w, h), (width, height) = rect, size
    is_mirrored, is_upside_down, is_transposed = STORED[orientation]
    if is_transposed:
        x, y, w, h, width, height = y, x, h, w, height, width
    return (width - x - w if is_mirrored else x, height - y - h if is_upside_down else y, w, h)


@pytest.mark.parametrize("name", [*FURTHER_CODINGS, "CMYK"])
def test_inner_blocks_are_those_that_jpegtran_copies(folder, photo, name):
    """In a soak test, 600 rectangles of each coding and 11,400 in all, in all orientations."""
    if name == "CMYK":
        across = down = 8
        file = io.BytesIO()
        Image.open(io.BytesIO(photo)).convert("CMYK").save(file, "JPEG", quality=90)
        data = file.getvalue()
    else:
        words, across, down = FURTHER_CODINGS[name]
        data = subprocess.run(["cjpeg", "-quality", "90", *words], input=photo, capture_output=True, check=True).stdout
    size = width, height = Image.open(io.BytesIO(data)).size
    for orientation in STORED:
        (folder / f"source-{orientation}.jpg").write_bytes(oriented(data, orientation))
    chance = random.Random(f"blocks {name}")
    rects, lines = [], []
    for index in range(600 if os.environ.get("CROPKIT_SOAK") else 16):
        x = chance.randrange(0, width - 40) // across * across
        y = chance.randrange(0, height - 40) // down * down
        rect = (x, y, chance.randint(33, width - x), chance.randint(down + 1, height - y))
        orientation = index % 8 + 1
        rects.append(rect)
        lines.append({"input": str(folder / f"source-{orientation}.jpg"), "output": str(folder / f"{index}.jpg"),
                      "rect": ",".join(map(str, upright(rect, size, orientation)))})
    manifest = folder / "crops.jsonl"
    manifest.write_text("\n".join(map(json.dumps, lines)))
    answers = [json.loads(line) for line in run("batch", manifest).splitlines()]
    requantized = 0
    for answer, line, (x, y, w, h) in zip(answers, lines, rects, strict=True):
        assert answer["lossless"], answer
        part = open(line["output"], "rb").read()
        right = w % across if x + w < width else 0
        bottom = h % down if y + h < height else 0
        requantized += bool(right or bottom)
        inner = (w - right, h - bottom)
        assert coefficients(part, *inner) == coefficients(data, *inner, x, y), (line, x, y, w, h)
    assert requantized > len(rects) / 2


@pytest.mark.thorough
def test_sources_that_only_differ_outside_the_crop_give_the_same_bytes(folder):
    """The last blocks have different coefficients and the same visible samples."""
    chance = np.random.default_rng(28)
    found = 0
    for change in range(8, 120, 4):
        for visible in (1, 3, 6, 7):
            rows = chance.integers(60, 190, size=(1, 40, 1)).astype(np.uint8)
            # Vertical stripes: the hidden samples then only change horizontal frequencies, nearly by
            # integers.
            stripes = np.repeat(rows, 24, axis=0)[..., 0]
            stripes[:, 16:24] = stripes[0, 16]
            other = stripes.copy()
            other[:, 16 + visible : 24] = np.clip(other[:, 16 + visible : 24].astype(int) + change, 0, 255)
            other[:, 24:] = 255 - other[:, 24:]
            files = [folder / "a.jpg", folder / "b.jpg"]
            for file, image in zip(files, (stripes, other)):
                Image.fromarray(image).save(file, quality=100)
            a, b = (pixels(file.read_bytes()) for file in files)
            width = 16 + visible
            if (a[:, :width] != b[:, :width]).any():
                continue
            assert (a[:, width:24] != b[:, width:24]).any()
            found += 1
            results = [folder / "a-part.jpg", folder / "b-part.jpg"]
            for file, result in zip(files, results):
                assert crop(file, result, "--rect", f"0,0,{width},21")["lossless"]
            assert results[0].read_bytes() == results[1].read_bytes(), (change, visible)
    assert found >= 20


@pytest.mark.parametrize("subsampling", [0, 2])
def test_colors_in_four_channels_end_inside_a_block(folder, photo, subsampling):
    source, target = folder / "source.jpg", folder / "part.jpg"
    image = Image.open(io.BytesIO(photo)).convert("CMYK")
    image.save(source, quality=95, subsampling=subsampling)
    whole = np.asarray(Image.open(source)).astype(int)
    report = crop(source, target, "--rect", "32,48,101,75")
    assert report["lossless"]
    edges = report["requantized"]
    made = np.asarray(Image.open(target)).astype(int)
    assert made.shape == (75, 101, 4)
    wanted = whole[48:123, 32:133]
    inner = (slice(0, 75 - edges["bottom"]), slice(0, 101 - edges["right"]))
    if subsampling == 0:
        assert (made[inner] == wanted[inner]).all()
    assert np.sqrt(((made - wanted) ** 2).mean()) < 2.5
