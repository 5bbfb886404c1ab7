"""Uniform borders, compared with vips, and on margins with the noise of scanners and JPEGs."""

import io
import json
import re
import subprocess

import numpy as np
import pytest
from conftest import BIN, ROOT, crop, run
from PIL import Image, ImageFilter

COLORS = [(255, 255, 255), (0, 0, 0), (246, 242, 230), (30, 60, 120), (235, 235, 235)]


def rect(report):
    return tuple(int(report["rect"][key]) for key in ["x", "y", "width", "height"])


def bordered(random, color=None, size=None):
    """A block of other colors on a plain image, and its position."""
    width, height = size or (int(random.integers(12, 90)), int(random.integers(12, 90)))
    color = color or tuple(int(n) for n in random.integers(0, 256, 3))
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = color
    # Near the middle: corners stay free, and three pixels survive the median filter that vips uses.
    left, top = (int(random.integers(1, side // 2)) for side in (width, height))
    across, down = int(random.integers(3, width - left)), int(random.integers(3, height - top))
    step = np.array([(c + 128) % 256 for c in color])
    pixels[top : top + down, left : left + across] = (step + random.integers(0, 9, (down, across, 3))) % 256
    return pixels, color, (left, top, across, down)


@pytest.mark.thorough
def test_the_rectangle_is_that_of_vips_if_the_definitions_agree(folder):
    random = np.random.default_rng(5)
    lines = []
    for number in range(60):
        pixels, color, where = bordered(random)
        threshold = int(random.choice([0, 5, 24, 60]))
        Image.fromarray(pixels).save(folder / f"{number}.png")
        found = subprocess.run(
            ["vips", "find_trim", folder / f"{number}.png", "--threshold", str(threshold), "--background",
             " ".join(map(str, color))], capture_output=True, text=True, check=True).stdout.split()
        assert tuple(map(int, found)) == where
        lines.append(f'{{"input": "{number}.png", "output": "out-{number}.png", "trim": {threshold}}}')
    (folder / "lines.jsonl").write_text("\n".join(lines))
    run("batch", folder / "lines.jsonl")
    random = np.random.default_rng(5)
    for number in range(60):
        pixels, _, (left, top, width, height) = bordered(random)
        random.choice([0, 5, 24, 60])
        found = np.array(Image.open(folder / f"out-{number}.png").convert("RGB"))
        assert np.array_equal(found, pixels[top : top + height, left : left + width])


@pytest.mark.parametrize("ending,how", [
    ("png", {}), ("tif", {}), ("gif", {}), ("webp", {"lossless": True}), ("jpg", {"quality": 95}),
    ("heic", None), ("avif", None)])
def test_every_format_is_trimmed(folder, ending, how):
    # On the block grid, so that a codec does not smear the block's colors across its edges.
    pixels = np.full((96, 128, 3), 250, np.uint8)
    pixels[32:64, 16:80] = (40, 90, 160)
    Image.fromarray(pixels).save(folder / "in.png")
    if how is None:
        run("crop", folder / "in.png", "-o", folder / f"in.{ending}", "--quality", "95", "--force")
    elif ending != "png":
        Image.fromarray(pixels).save(folder / f"in.{ending}", **how)
    report = crop(folder / f"in.{ending}", folder / "out.png", "--trim")
    assert rect(report) == (16, 32, 64, 32)


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("words", [[], ["--rotate", "90"], ["--flip", "horizontal", "--rotate", "270"]])
def test_orientation_and_turns_are_applied(folder, number, words):
    pixels, _, (left, top, width, height) = bordered(np.random.default_rng(number), (9, 200, 90), (80, 56))
    exif = Image.Exif()
    exif[0x0112] = number
    Image.fromarray(pixels).save(folder / "in.tif", exif=exif)
    run("crop", folder / "in.tif", *words, "-o", folder / "whole.png", "--force")
    crop(folder / "in.tif", folder / "out.png", "--trim", *words)
    whole = np.array(Image.open(folder / "whole.png").convert("RGB"))
    rows, columns = np.where((np.abs(whole.astype(int) - (9, 200, 90)) > 24).any(2))
    wanted = whole[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    assert sorted(wanted.shape[:2]) == sorted((height, width))
    assert np.array_equal(np.array(Image.open(folder / "out.png").convert("RGB")), wanted)


def test_a_lossless_crop_follows(folder):
    pixels = np.full((160, 160, 3), 255, np.uint8)
    pixels[32:112, 48:100] = np.array(Image.open(ROOT / "Samples" / "still-life.jpg").convert("RGB").resize((52, 80)))
    Image.fromarray(pixels).save(folder / "in.jpg", quality=92, subsampling=2)
    report = crop(folder / "in.jpg", folder / "out.jpg", "--trim", "60", "--lossless", "snap")
    assert report["lossless"]


@pytest.mark.parametrize("words, wanted", [
    (["--aspect", "1:1"], (120, 64, 128, 128)),
    (["--aspect", "1:1", "--gravity", "west"], (70, 64, 128, 128)),
    (["--aspect", "1:1", "--focus", "0.8,0.5"], (168, 64, 128, 128)),
    (["--aspect", "1:1", "--focus", "0.3,0.5"], (72, 64, 128, 128)),
    (["--aspect", "1:1", "--focus", "0,0"], (70, 64, 128, 128)),
    (["--size", "64x64", "--focus", "0.8,0.5"], (168, 64, 128, 128)),
])
def test_a_ratio_applies_to_the_trimmed_area(folder, words, wanted):
    """In a JPEG, on the block grid if that is inside the border; the focus refers to the complete image."""
    pixels = np.full((240, 320, 3), 255, np.uint8)
    pixels[64:192, 70:296] = 40
    Image.fromarray(pixels).save(folder / "in.jpg", quality=100, subsampling=0)
    report = crop(folder / "in.jpg", folder / "out.jpg", "--trim", "60", *words)
    assert rect(report) == wanted
    assert report["lossless"] == (wanted[0] % 8 == 0 and "--size" not in words)


def test_transparency_counts(folder):
    pixels = np.random.default_rng(2).integers(0, 256, (40, 50, 4), dtype=np.uint8)
    pixels[..., 3] = 0
    pixels[7:31, 12:44, 3] = 255
    Image.fromarray(pixels).save(folder / "in.png")
    report = crop(folder / "in.png", folder / "out.png", "--trim")
    assert rect(report) == (12, 7, 32, 24)
    assert report["lossless"]


def test_an_animation_keeps_the_content_of_all_frames(folder):
    frames = [np.full((40, 60, 3), 255, np.uint8) for _ in range(3)]
    frames[0][10:20, 10:20] = 0
    frames[1][15:25, 30:41] = 90
    frames[2][12:18, 12:18] = 40
    first, *rest = [Image.fromarray(frame) for frame in frames]
    first.save(folder / "in.gif", save_all=True, append_images=rest, duration=50)
    report = crop(folder / "in.gif", folder / "out.gif", "--trim")
    assert rect(report) == (10, 10, 31, 15)
    assert Image.open(folder / "out.gif").n_frames == 3


def test_an_image_without_a_border_is_kept_with_a_warning(folder):
    source = ROOT / "Samples" / "tilted-harbour.jpg"
    report = crop(source, folder / "out.jpg", "--trim")
    assert [one["code"] for one in report["warnings"]] == ["nothing-to-trim"]
    assert (folder / "out.jpg").read_bytes() == source.read_bytes()


def test_a_picture_of_one_color_is_refused_by_name(folder):
    Image.new("RGB", (30, 20), (1, 2, 3)).save(folder / "blank.png")
    done = subprocess.run(
        [BIN / "cropkit", "crop", folder / "blank.png", "--trim", "-o", folder / "out.png"], capture_output=True,
        text=True, check=False)
    assert done.returncode == 64
    assert re.search(r"blank\.png: .*one color.*use a smaller tolerance", done.stderr), done.stderr
    assert not (folder / "out.png").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["jpeg", "scan"])
def test_the_default_tolerance_finds_noisy_borders(folder, kind):
    """Margins of five colors around parts of photos, as JPEGs of quality 60 to 95; a scanner's also have a
    gradient of up to 6 and noise of up to 4. Of 60 each, none is missed, nothing of the photo is cut off, and
    at most 6 pixels of the margin remain: the part of a JPEG block beyond the photo's edge."""
    random = np.random.default_rng(1)
    photos = [Image.open(path).convert("RGB") for path in sorted((ROOT / "Samples").glob("*.jpg"))]
    places, lines = [], []
    for number in range(60):
        photo = photos[random.integers(len(photos))]
        width, height = (int(n) for n in random.integers(250, 500, 2))
        share = random.uniform(0.3, 1)
        part = (int(photo.width * share), int(photo.height * share))
        x, y = (int(random.integers(0, side - n + 1)) for side, n in zip(photo.size, part, strict=True))
        inner = photo.crop((x, y, x + part[0], y + part[1])).resize((width, height), Image.Resampling.BICUBIC)
        across, down = (side + int(random.integers(20, 200)) for side in (width, height))
        pixels = np.ones((down, across, 3)) * COLORS[random.integers(5)]
        left, top = int(random.integers(5, across - width - 4)), int(random.integers(5, down - height - 4))
        pixels[top : top + height, left : left + width] = inner
        if kind == "scan":
            soft = Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.5))
            pixels = np.array(soft) - np.linspace(0, random.uniform(0, 6), across)[None, :, None]
            pixels += random.normal(0, random.uniform(1, 4), pixels.shape)
        image = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
        image.save(folder / f"{number}.jpg", quality=int(random.integers(60, 96)),
                   subsampling=int(random.choice([0, 2])))
        places.append((left, top, left + width, top + height))
        lines.append(f'{{"input": "{number}.jpg", "output": "out-{number}.png", "trim": true}}')
    (folder / "lines.jsonl").write_text("\n".join(lines))
    answers = io.StringIO(run("batch", folder / "lines.jsonl", "--jobs", "2"))
    for answer in map(json.loads, answers):
        box, place = answer["rect"], places[answer["line"] - 1]
        found = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
        outward = [place[0] - found[0], place[1] - found[1], found[2] - place[2], found[3] - place[3]]
        assert max(outward) <= 6, answer
        assert min(outward) >= 0, answer
