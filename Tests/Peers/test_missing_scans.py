"""Progressive JPEGs that end after their first scans, compared with how libjpeg-turbo's djpeg shows them."""

import io
import shutil
import subprocess

import numpy as np
import pytest
from conftest import crop, info
from PIL import Image

pytestmark = pytest.mark.skipif(not shutil.which("djpeg"), reason="no djpeg")
SIZE = (203, 149)


def rows():
    """Slopes, a disc with an edge, and some noise."""
    across, down = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    disc = 70.0 * (np.hypot(across - 90, down - 60) < 40)
    noise = np.random.default_rng(5).normal(0, 4, (SIZE[1], SIZE[0]))
    channels = [across * 0.7 + disc, down * 1.1 + noise, (across + down) * 0.5 + 60 - disc / 2]
    return np.clip(np.dstack(channels), 0, 255).astype(np.uint8)


def after_scans(count, subsampling, mode="RGB"):
    """A progressive JPEG with only its first scans, and an end marker."""
    file = io.BytesIO()
    Image.fromarray(rows()).convert(mode).save(
        file, "JPEG", quality=90, progressive=True, subsampling=subsampling)
    data, at = file.getvalue(), 2
    while count >= 0:
        # From one marker to the next, and over the coded data of a scan.
        if data[at + 1] == 0xDA:
            count -= 1
            if count < 0:
                break
        at += 2 + int.from_bytes(data[at + 2:at + 4], "big")
        while data[at] != 0xFF or data[at + 1] == 0 or data[at + 1] & 0xF8 == 0xD0:
            at += 1
    return data[:at] + b"\xff\xd9"


def shown(path):
    """djpeg's pixels of a file."""
    done = subprocess.run(["djpeg", "-pnm", path], capture_output=True, check=True)
    return Image.open(io.BytesIO(done.stdout)).convert("RGB")


def difference(result, wanted):
    """The mean difference of two images of the same size, of 255."""
    result = Image.open(result).convert("RGB") if not isinstance(result, Image.Image) else result
    assert result.size == wanted.size
    return np.abs(np.asarray(result, float) - np.asarray(wanted, float)).mean()


@pytest.fixture(params=[(1, 2), (1, 0), (2, 2), (4, 2), (3, 0)], ids=lambda it: f"{it[0]} of {it[1]}")
def source(request, folder):
    path = folder / "source.jpg"
    path.write_bytes(after_scans(*request.param))
    return path


FINE = ["--quality", "100", "--subsampling", "444"]


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.jpg"])
@pytest.mark.parametrize("rect", [(0, 0, *SIZE), (13, 7, 101, 83), (16, 16, 64, 64), (101, 90, 102, 59)])
def test_a_crop_looks_like_the_complete_image(source, folder, name, rect):
    x, y, width, height = rect
    report = crop(source, folder / name, "--rect", f"{x},{y},{width},{height}",
                  *(FINE if name == "a.jpg" else []))
    assert not report["result"]["lossless"] if "result" in report else True
    wanted = shown(source).crop((x, y, x + width, y + height))
    made = shown(folder / name) if name == "a.jpg" else folder / name
    assert difference(made, wanted) <= 1


@pytest.mark.parametrize("lossless", ["exact", "never"])
@pytest.mark.parametrize("rect", [(0, 0, *SIZE), (16, 16, 64, 64), (64, 32, 100, 64), (32, 64, 171, 85),
                                  (2, 70, 64, 48), (48, 144, 64, 5)])
def test_a_jpeg_keeps_its_subsampling(source, folder, rect, lossless):
    x, y, width, height = rect
    crop(source, folder / "a.jpg", "--rect", f"{x},{y},{width},{height}", "--quality", "100",
         "--lossless", lossless)
    wanted = shown(source).crop((x, y, x + width, y + height))
    assert difference(shown(folder / "a.jpg"), wanted) <= 1.5
    assert info(folder / "a.jpg")["subsampling"] == info(source)["subsampling"]


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
@pytest.mark.parametrize("side", [100, 50, 23])
def test_a_scaled_crop_looks_like_the_complete_image(source, folder, name, side):
    x, y, width, height = 13, 7, 180, 120
    crop(source, folder / name, "--rect", f"{x},{y},{width},{height}", "--max-side", side,
         *(FINE if name == "a.jpg" else []))
    made = shown(folder / name) if name == "a.jpg" else Image.open(folder / name).convert("RGB")
    wanted = shown(source).crop((x, y, x + width, y + height)).resize(made.size, Image.Resampling.LANCZOS)
    assert difference(made, wanted) <= 1


@pytest.mark.parametrize("words, turned", [
    (["--rotate", "90"], lambda it: it.transpose(Image.Transpose.ROTATE_270)),
    (["--flip", "horizontal"], lambda it: it.transpose(Image.Transpose.FLIP_LEFT_RIGHT)),
], ids=["turned", "mirrored"])
def test_a_turned_crop_looks_like_the_complete_image(source, folder, words, turned):
    for name in ["a.png", "a.jpg"]:
        crop(source, folder / name, *words, *(FINE if name == "a.jpg" else []))
        made = shown(folder / name) if name == "a.jpg" else folder / name
        assert difference(made, turned(shown(source))) <= 1


def test_a_gray_crop_looks_like_the_complete_image(folder):
    source = folder / "source.jpg"
    source.write_bytes(after_scans(1, 0, "L"))
    for name in ["a.png", "a.jpg"]:
        crop(source, folder / name, "--rect", "13,7,101,83", *(["--quality", "100"] if name == "a.jpg" else []))
        made = shown(folder / name) if name == "a.jpg" else folder / name
        assert difference(made, shown(source).crop((13, 7, 114, 90))) <= 1


def test_missing_scans_are_reported(source):
    assert "scans-missing" in [warning["code"] for warning in info(source)["warnings"]]


def test_a_blocky_picture_would_be_noticed(folder):
    # The blocks as single colors are further from what is shown than any result may be.
    source = folder / "source.jpg"
    source.write_bytes(after_scans(1, 2))
    blocky = subprocess.run(["djpeg", "-nosmooth", "-scale", "1/8", "-pnm", source], capture_output=True, check=True)
    small = Image.open(io.BytesIO(blocky.stdout)).convert("RGB")
    large = small.resize((small.width * 8, small.height * 8), Image.Resampling.NEAREST).crop((0, 0, *SIZE))
    assert difference(large, shown(source)) > 2
