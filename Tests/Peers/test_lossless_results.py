"""Results that are lossless on request, and of a chosen depth."""

import imagecodecs
import numpy as np
import pytest
from conftest import crop, info, run
from PIL import Image


def scene(folder, name, alpha=False, mode=np.uint8):
    pixels = np.random.default_rng(6).integers(0, np.iinfo(mode).max, (60, 90, 4 if alpha else 3), mode)
    if alpha:
        pixels[..., 3] |= 1
    path = folder / name
    if mode == np.uint16:
        path.write_bytes(imagecodecs.png_encode(pixels))
    else:
        Image.fromarray(pixels).save(path)
    return path, pixels[5:45, 7:67]


def read(path):
    if path.suffix == ".jxl":
        return imagecodecs.jpegxl_decode(path.read_bytes())
    return np.asarray(Image.open(path))


@pytest.mark.parametrize("alpha", [False, True])
@pytest.mark.parametrize("target", ["out.webp", "out.jxl", "out.png", "out.tif"])
@pytest.mark.parametrize("source", ["in.png", "in.tif"])
def test_every_pixel_stays(folder, source, target, alpha):
    path, wanted = scene(folder, source, alpha)
    report = crop(path, folder / target, "--rect", "7,5,60,40", "--quality", "lossless")
    assert report["warnings"] == []
    assert (read(folder / target) == wanted).all()


@pytest.mark.parametrize("target", ["out.jpg", "out.avif", "out.heic", "out.gif"])
def test_formats_without_it_say_so(folder, target):
    path, _ = scene(folder, "in.png")
    run("crop", path, "-o", folder / target, "--quality", "lossless", status=64)
    assert not (folder / target).exists()


def test_it_is_not_given_up_for_a_number_of_bytes(folder):
    path, _ = scene(folder, "in.png")
    run("crop", path, "-o", folder / "out.webp", "--quality", "lossless", "--max-bytes", "3000", status=65)


@pytest.mark.parametrize("target,depth", [
    ("out.avif", 8), ("out.avif", 12), ("out.heic", 8), ("out.heic", 10), ("out.heic", 12), ("out.png", 8),
    ("out.tif", 8)])
@pytest.mark.parametrize("mode", [np.uint8, np.uint16])
def test_the_depth_is_the_chosen_one(folder, mode, target, depth):
    path, _ = scene(folder, "in.png", mode=mode)
    report = crop(path, folder / target, "--depth", depth, "--quality", "95")
    assert info(folder / target)["bitDepth"] == depth
    assert report["warnings"] == []


@pytest.mark.parametrize("target,depth,status", [("out.avif", 10, 69), ("out.png", 12, 64), ("out.heic", 9, 64)])
def test_another_depth_is_refused(folder, target, depth, status):
    path, _ = scene(folder, "in.png")
    run("crop", path, "-o", folder / target, "--depth", depth, status=status)
