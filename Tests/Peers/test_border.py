"""Lossless crops that end between two blocks, as djpeg and Pillow read them."""

import io
import os
import random
import shutil
import subprocess

import numpy as np
import pytest
from conftest import ROOT, crop
from PIL import Image, ImageOps

pytestmark = pytest.mark.skipif(not shutil.which("djpeg"), reason="no djpeg")

#: Rectangles of each coding.
COUNT = 400 if os.environ.get("CROPKIT_SOAK") else 6
#: How each is written, and the sides of its blocks' grid.
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


def pixels(data):
    """The decoded samples, colours spread over their pixels without smoothing; a warning is an error."""
    done = subprocess.run(["djpeg", "-nosmooth", "-dct", "int", "-strict"], input=data, capture_output=True, check=True)
    assert not done.stderr
    return np.asarray(Image.open(io.BytesIO(done.stdout))).astype(float)


def error(a, b):
    """The sum of squared errors of luma and colours apart, and of how many values."""
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
def test_inner_pixels_are_the_source_s_and_border_pixels_nearly(folder, photo, name):
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
def test_every_orientation_shows_the_same_part(folder, photo, orientation):
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
