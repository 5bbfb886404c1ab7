"""Images that need more than 100 MiB decoded, from which libvips on its own would decode to a temporary file."""

import imagecodecs
import numpy as np
import pytest
from conftest import crop, run
from PIL import Image

SIDE = 6000
#: A part far from the top, so that everything above is decoded too.
RECT = (3000, 5900, 64, 48)


def large():
    """Over 100 MiB of pixels that compress well, with a part of random ones."""
    pixels = np.full((SIDE, SIDE, 3), (30, 90, 200), np.uint8)
    left, top, width, height = RECT
    pixels[top : top + height, left : left + width] = np.random.default_rng(2).integers(
        0, 256, (height, width, 3), np.uint8)
    return pixels


def cut(pixels):
    left, top, width, height = RECT
    return pixels[top : top + height, left : left + width]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["webp", "jxl", "png", "tif"])
def test_a_still_image_is_decoded_in_memory(folder, kind):
    source, pixels = folder / f"in.{kind}", large()
    if kind == "jxl":
        source.write_bytes(imagecodecs.jpegxl_encode(pixels, effort=1, lossless=True))
    else:
        words = {"webp": {"lossless": True, "method": 0}, "png": {"compress_level": 1},
                 "tif": {"compression": "tiff_lzw"}}[kind]
        Image.fromarray(pixels).save(source, **words)
    crop(source, folder / "out.png", "--rect", ",".join(map(str, RECT)))
    assert (np.asarray(Image.open(folder / "out.png").convert("RGB")) == cut(pixels)).all()
    crop(source, folder / "turned.png", "--rotate", "90", "--max-side", "60")
    assert Image.open(folder / "turned.png").size == (60, 60)


@pytest.mark.parametrize("kind", ["webp", "gif", "png"])
def test_an_animation_is_too(folder, kind):
    size, count = (800, 600), 60
    frames = []
    for index in range(count):
        frame = Image.new("RGB", size, (30, 90, 200))
        frame.paste((index * 4, 10, 20), (index * 10, 500, index * 10 + 90, 560))
        frames.append(frame)
    words = {"lossless": True, "method": 0} if kind == "webp" else {}
    source, target = folder / f"in.{kind}", folder / f"out.{kind}"
    frames[0].save(source, save_all=True, append_images=frames[1:], duration=50, **words)
    crop(source, target, "--rect", "400,480,400,100")
    made = Image.open(target)
    assert made.n_frames == count
    for index in (0, count - 1):
        made.seek(index)
        wanted = np.asarray(frames[index].crop((400, 480, 800, 580)))
        assert (np.asarray(made.convert("RGB")) == wanted).all()


def test_what_needs_more_than_the_limit_is_said_to(folder):
    source = folder / "in.webp"
    Image.fromarray(large()).save(source, lossless=True, method=0)
    run("crop", source, "-o", folder / "out.png", "--rect", "0,0,9,9", "--limit-memory", "200M", status=65)
    assert not (folder / "out.png").exists()
