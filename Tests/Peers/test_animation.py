"""Animations after a crop: every composed frame and its duration, compared with Pillow's result for the
source."""

import os

import imagecodecs
import numpy as np
import pytest
from colors import animated_png
from conftest import crop, info, run, shared
from PIL import Image, ImageDraw

RUNS = 100 if os.environ.get("CROPKIT_SOAK") else 5
SIZE = (64, 48)
# Not centered, so that swapped sides are noticed.
RECT = (6, 5, 40, 30)


def drawings(count=8, background=(0, 0, 0, 0)):
    """A disc that moves over bars, half of it over transparency."""
    frames = []
    for index in range(count):
        image = Image.new("RGBA", SIZE, background)
        draw = ImageDraw.Draw(image)
        for bar in range(12):
            draw.rectangle([bar * 5, 30, bar * 5 + 3, 46], fill=(bar * 20, 255 - bar * 20, 90))
        left = index * 7 % 50
        draw.ellipse([left, 10, left + 14, 34], fill=(200, 30 * index % 256, 60))
        frames.append(image)
    return frames


def saved(path, frames, **words):
    frames[0].save(path, save_all=True, append_images=frames[1:], **words)
    return path


def frames_of(path):
    """Composed frames with invisible pixels cleared, their durations, and the number of loops."""
    image = Image.open(path)
    frames, times = [], []
    for index in range(getattr(image, "n_frames", 1)):
        image.seek(index)
        frame = np.array(image.convert("RGBA")).astype(int)
        frame[frame[..., 3] == 0] = 0
        frames.append(frame)
        times.append(image.info.get("duration"))
    # The fallback image for programs without animation support need not be a frame.
    first = 1 if getattr(image, "default_image", False) else 0
    return frames[first:], times[first:], image.info.get("loop")


def framed(frame, turns=0, mirrored=False, rect=RECT):
    """The same crop in numpy."""
    left, top, width, height = rect
    upright = frame[:, ::-1] if mirrored else frame
    return np.rot90(upright, -turns)[top : top + height, left : left + width]


def how(turns=0, mirrored=False, rect=RECT):
    words = ["--rect", ",".join(map(str, rect))]
    if turns:
        words += ["--rotate", str(90 * turns)]
    return words + (["--flip", "horizontal"] if mirrored else [])


def compare(source, target, most=0, **words):
    """Compares all frames; returns the largest difference, and both durations and loops."""
    before, times, loop = frames_of(source)
    after, new_times, new_loop = frames_of(target)
    assert len(after) == len(before)
    for index, (old, new) in enumerate(zip(before, after)):
        wanted = framed(old, **words)
        assert new.shape == wanted.shape
        assert np.abs(new - wanted).max() <= most, f"frame {index}"
    return (times, loop), (new_times, new_loop)


EVERY = [40, 50, 60, 70, 80, 90, 100, 655350]
SOURCES = {
    "opaque.gif": dict(frames=drawings(background=(255, 255, 255, 255)), duration=EVERY, loop=0),
    "stays.gif": dict(frames=drawings(), duration=40, disposal=1),
    "cleared.gif": dict(frames=drawings(), duration=40, loop=3, disposal=2),
    "restored.gif": dict(frames=drawings(), duration=EVERY, loop=1, disposal=3),
    "exact.webp": dict(frames=drawings(), duration=[33, 40, 41, 0, 60, 70, 80, 90], loop=2, lossless=True),
    "a.png": dict(frames=drawings(), duration=[33, 40, 41, 0, 60, 70, 80, 90], loop=2),
    "cleared.png": dict(frames=drawings(), duration=50, loop=0, disposal=1),
    "gray.png": dict(frames=[f.convert("L") for f in drawings()], duration=50),
    "blended.png": dict(frames=drawings(), duration=50, blend=1),
}


@pytest.mark.parametrize("turns,mirrored", [(0, False), (1, False), (2, True), (3, True)])
@pytest.mark.parametrize("name", SOURCES)
def test_every_frame_is_cropped_and_keeps_its_duration(folder, name, turns, mirrored):
    words = dict(SOURCES[name])
    source = saved(folder / name, words.pop("frames"), **words)
    target = folder / f"out{source.suffix}"
    report = crop(source, target, *how(turns, mirrored))
    old, new = compare(source, target, turns=turns, mirrored=mirrored)
    assert old == new
    assert report["lossless"] and report["warnings"] == []
    assert info(target)["frameCount"] == 8
    # Not larger than its source, whose area is more than twice as large.
    assert target.stat().st_size < 1.2 * source.stat().st_size


@pytest.mark.parametrize("target", ["out.gif", "out.webp", "out.png"])
@pytest.mark.parametrize("name", ["cleared.gif", "exact.webp", "a.png"])
def test_an_animation_stays_one_in_another_format(folder, name, target):
    words = dict(SOURCES[name])
    source = saved(folder / name, words.pop("frames"), **words)
    crop(source, folder / target, *how())
    # Only a lossy WebP of truecolor may differ, at hard edges a lot.
    most = 255 if (source.suffix, target) == (".png", "out.webp") else 0
    (times, _), (new, _) = compare(source, folder / target, most=most)
    for old, found in zip(frames_of(source)[0], frames_of(folder / target)[0]):
        assert np.abs(framed(old) - found).mean() < 8
    if target.endswith("gif"):
        # Hundredths of a second, none of which is lost in total.
        assert abs(sum(times) - sum(new)) <= 10
        assert all(abs(a - b) <= 10 for a, b in zip(times, new))
    else:
        assert times == new
    plays = {"cleared.gif": 4, "exact.webp": 2, "a.png": 2}[name]
    assert info(folder / target)["playCount"] == plays


def blinking(first=(0, 0, 0, 0), colors=0):
    """A square that is there in every other frame, over transparency; `colors` more in its frames."""
    frames = []
    for index in range(4):
        image = Image.new("RGBA", (40, 40), first if index == 0 else (0, 0, 0, 0))
        draw = ImageDraw.Draw(image)
        draw.rectangle((2, 2, 5, 5), fill=(0, 0, 255, 255))
        if index % 2:
            draw.rectangle((12, 12, 35, 35), fill=(255, 0, 0, 255))
            for number in range(colors):
                place = (12 + number % 24, 12 + number // 24)
                draw.point(place, fill=(number % 256, 7 * (number // 256), 200, 255))
        frames.append(image)
    return frames


CLEAR, GREEN = (0, 0, 0, 0), (20, 200, 30, 255)


# Pillow's own GIFs don't say that an opaque first frame leaves transparency.
@pytest.mark.parametrize("colors", [0, 252, 253])
@pytest.mark.parametrize("name,first,words", [
    ("in.gif", CLEAR, dict(disposal=2)), ("in.webp", CLEAR, dict(lossless=True)), ("in.webp", GREEN, dict(lossless=True)),
    ("in.png", CLEAR, dict(disposal=1, blend=0)), ("in.png", GREEN, dict(disposal=1, blend=0))])
def test_what_disappears_over_transparency_is_cleared(folder, name, first, words, colors):
    source = saved(folder / name, blinking(first, colors), duration=200, loop=0, **words)
    rect = (1, 1, 36, 37)
    for target in ("out.gif", "out.webp", "out.png"):
        report = crop(source, folder / target, *how(rect=rect))
        # Truecolor of a PNG becomes a lossy WebP, which changes colors but not what is transparent.
        if (name, target) == ("in.png", "out.webp"):
            for old, new in zip(frames_of(source)[0], frames_of(folder / target)[0]):
                assert ((framed(old, rect=rect)[..., 3] > 0) == (new[..., 3] > 0)).all()
        else:
            compare(source, folder / target, rect=rect)
        assert report["lossless"] == (folder / target).name.endswith(source.suffix)


def test_a_frame_of_too_many_colors_is_cleared_too(folder):
    source = saved(folder / "in.png", blinking(colors=500), duration=200, loop=0, disposal=1, blend=0)
    report = crop(source, folder / "out.gif", *how(rect=(1, 1, 36, 37)))
    assert not report["lossless"]
    for old, new in zip(frames_of(source)[0], frames_of(folder / "out.gif")[0]):
        assert ((framed(old, rect=(1, 1, 36, 37))[..., 3] > 0) == (new[..., 3] > 0)).all()


@pytest.mark.parametrize("name", ["webp-animated.webp", "apng-blend.png"])
def test_shared_animations_stay_animations(folder, name):
    source = shared(name)
    shown = info(source)["shown"]
    rect = (shown["width"] // 4, shown["height"] // 4, shown["width"] // 2, shown["height"] // 2)
    target = folder / f"out{source.suffix}"
    crop(source, target, *how(rect=rect))
    lossy = name.endswith("webp")
    old, new = compare(source, target, most=255 if lossy else 1, rect=rect)
    assert old == new
    if lossy:
        pairs = zip(frames_of(source)[0], frames_of(target)[0])
        worst = max(np.abs(framed(a, rect=rect) - b).mean() for a, b in pairs)
        assert worst < 3


@pytest.mark.parametrize("suffix", ["gif", "webp", "png"])
def test_scaling_and_a_shape_hold_for_every_frame(folder, suffix):
    frames = drawings(background=(250, 250, 240, 255))
    source = saved(folder / f"in.{suffix}", frames, duration=50, **({"lossless": True} if suffix == "webp" else {}))
    target = folder / f"out.{suffix}"
    crop(source, target, "--rect", "4,4,40,40", "--size", "20x20", "--shape", "ellipse")
    after, times, _ = frames_of(target)
    assert len(after) == 8 and times == [50] * 8
    for old, new in zip(frames_of(source)[0], after):
        assert new[0, 0, 3] == 0 and new[10, 10, 3] == 255
        wanted = Image.fromarray(framed(old, rect=(4, 4, 40, 40)).astype(np.uint8)).resize(
            (20, 20), Image.LANCZOS)
        inside = np.abs(new - np.array(wanted).astype(int))[6:14, 6:14, :3]
        assert inside.mean() < 12, inside.mean()


def test_one_frame_is_cropped_on_request_and_the_first_for_still_formats(folder):
    source = saved(folder / "in.gif", drawings(background=(255, 255, 255, 255)), duration=50)
    report = crop(source, folder / "a.jpg", *how(), "--quality", "100", "--subsampling", "444")
    assert "frames-dropped" in [w["code"] for w in report["warnings"]]
    first = np.array(Image.open(folder / "a.jpg")).astype(int)
    assert np.abs(first - framed(frames_of(source)[0][0])[..., :3]).max() < 30
    for page in (1, 5, 8):
        for name in ("one.gif", "one.png"):
            report = crop(source, folder / name, *how(), "--page", page)
            assert report["warnings"] == []
            found, _, _ = frames_of(folder / name)
            assert len(found) == 1
            assert (found[0] == framed(frames_of(source)[0][page - 1])).all()


def test_one_frame_of_an_animated_png_is_composed(folder):
    source = saved(folder / "in.png", drawings(), duration=50)
    for page in (1, 4, 8):
        crop(source, folder / "one.png", *how(), "--page", page)
        found, _, _ = frames_of(folder / "one.png")
        assert (found[0] == framed(frames_of(source)[0][page - 1])).all()


def deep_frames(channels):
    """Three frames of 16 bits: the complete image, a part blended over it, a part that replaces it."""
    random = np.random.default_rng(channels)
    frames = []
    for left, top, width, height, disposal, blend in [
        (0, 0, 64, 48, 0, 0), (10, 8, 31, 27, 2, 1), (3, 20, 40, 20, 1, 0), (30, 2, 20, 40, 0, 1)]:
        frames.append((left, top, random.integers(0, 65536, (height, width, channels), np.uint16),
                       disposal, blend))
    return frames


def composed(canvas, frames):
    """The displayed pixels of an APNG of 16 bits, by its specification."""
    channels = frames[0][2].shape[2]
    shown = np.zeros((canvas[1], canvas[0], 4), float)
    for left, top, pixels, disposal, blend in frames:
        place = np.s_[top : top + pixels.shape[0], left : left + pixels.shape[1]]
        color = pixels[..., :3] if channels > 2 else pixels[..., :1].repeat(3, 2)
        alpha = pixels[..., -1:] / 65535 if channels in (2, 4) else np.ones(pixels.shape[:2] + (1,))
        new = np.concatenate([color, alpha], 2).astype(float)
        before = shown.copy()
        if blend:
            under = shown[place]
            total = new[..., 3:] + under[..., 3:] * (1 - new[..., 3:])
            mixed = new[..., :3] * new[..., 3:] + under[..., :3] * under[..., 3:] * (1 - new[..., 3:])
            new = np.concatenate([mixed / np.maximum(total, 1e-9), total], 2)
        shown[place] = new
        seen = shown * [1, 1, 1, 65535]
        yield seen if channels in (2, 4) else seen[..., :3]
        if disposal == 1:
            shown[place] = 0
        elif disposal == 2:
            shown = before


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_frames_of_sixteen_bits_keep_them(folder, channels):
    frames = deep_frames(channels)
    if channels in (1, 3):
        # Cleared pixels are transparent, which these formats can't represent.
        frames = [(*f[:3], 0, f[4]) for f in frames]
    (folder / "in.png").write_bytes(animated_png((64, 48), frames))
    wanted = list(composed((64, 48), frames))
    report = crop(folder / "in.png", folder / "out.png", "--rect", "6,5,40,30", "--rotate", "180")
    assert report["lossless"] and report["warnings"] == []
    reported = info(folder / "out.png")
    assert reported["frameCount"] == 4 and reported["bitDepth"] == 16
    for page, shown in enumerate(wanted, 1):
        cut = shown[::-1, ::-1][5:35, 6:46]
        crop(folder / "in.png", folder / "one.png", "--rect", "6,5,40,30", "--rotate", "180", "--page", page)
        crop(folder / "out.png", folder / "again.png", "--page", page)
        for name in ("one.png", "again.png"):
            found = imagecodecs.png_decode((folder / name).read_bytes())
            assert found.dtype == np.uint16
            found = found.reshape(30, 40, -1).astype(float)
            if channels < 3:
                found = found[..., [0, 0, 0, 1][: found.shape[2] + 2]]
            seen = found[..., 3:] > 0 if channels in (2, 4) else True
            assert np.abs(np.where(seen, found - cut, 0)).max() <= 1, (name, page)
            assert channels in (1, 3) or np.abs(found - cut)[..., 3].max() <= 1


@pytest.mark.parametrize("name", ["opaque.gif", "exact.webp", "a.png"])
def test_a_copy_of_an_animation_is_refused_where_a_later_frame_is_damaged(folder, name):
    words = dict(SOURCES[name])
    source = saved(folder / name, words.pop("frames"), **words)
    report = crop(source, folder / ("copy" + source.suffix))
    assert report["lossless"]
    assert (folder / ("copy" + source.suffix)).read_bytes() == source.read_bytes()
    file = bytearray(source.read_bytes())
    match source.suffix:
        case ".gif":
            # The first codes of the last image, after its position.
            at = file.rindex(b"\x2c", 0, len(file) - 40) + 10
            at += 3 << ((file[at - 1] & 7) + 1) if file[at - 1] & 0x80 else 0
            file[at + 2 : at + 10] = b"\xff" * 8
        case ".webp":
            at = file.rindex(b"VP8L") + 13
            file[at : at + 20] = bytes(20)
        case ".png":
            at = file.rindex(b"fdAT") + 14
            file[at : at + 8] = b"\xff" * 8
    source.write_bytes(file)
    assert info(source)["frameCount"] == 8
    run("crop", source, "-o", folder / ("bad" + source.suffix), status=65)
    assert not (folder / ("bad" + source.suffix)).exists()


def test_invalid_input_is_rejected_in_one_line(folder):
    source = saved(folder / "in.gif", drawings(), duration=50)
    run("crop", source, "-o", folder / "a.jpg", *how(), "--page", "all", status=64)
    run("crop", source, "-o", folder / "a.gif", *how(), "--page", "9", status=64)
    run("crop", source, "-o", folder / "a.gif", *how(), "--limit-pixels", "20000", status=65)
    assert not (folder / "a.gif").exists() and not (folder / "a.jpg").exists()


def gif(width, height, frames, delay=0):
    """A GIF of many frames of one pixel each."""
    table = b"\0\0\0\xff\xff\xff"
    head = b"GIF89a" + bytes([width & 255, width >> 8, height & 255, height >> 8, 0x80, 0, 0]) + table
    frame = b"\x21\xf9\4\4" + delay.to_bytes(2, "little") + b"\0\0" + b"\x2c" + bytes(4) + b"\1\0\1\0\0"
    return head + (frame + b"\2\2\x44\1\0") * frames + b"\x3b"


@pytest.mark.parametrize("width,height,frames", [(1, 1, 100_000), (16000, 16000, 1000), (9, 9, 300_000)])
def test_a_bomb_of_frames_is_rejected_immediately(folder, width, height, frames):
    source = folder / "bomb.gif"
    source.write_bytes(gif(width, height, frames))
    run("crop", source, "-o", folder / "out.gif", "--rect", "0,0,1,1", status=65)


def test_a_bomb_in_webp_is_refused_by_its_headers(folder):
    edge = (16382).to_bytes(3, "little")
    frame = bytes(6) + b"\0\0\0\0\0\0" + bytes(4)
    still = b"VP8L" + (8).to_bytes(4, "little") + b"\x2f\0\0\0\0\0\0\0"
    chunk = b"ANMF" + (len(frame) + len(still)).to_bytes(4, "little") + frame + still
    body = b"WEBPVP8X" + (10).to_bytes(4, "little") + b"\2\0\0\0" + edge + edge
    body += b"ANIM" + (6).to_bytes(4, "little") + bytes(6) + chunk * 5000
    source = folder / "bomb.webp"
    source.write_bytes(b"RIFF" + len(body).to_bytes(4, "little") + body)
    run("crop", source, "-o", folder / "out.webp", "--rect", "0,0,1,1", status=65)


@pytest.mark.parametrize("delay", [0, 65535])
def test_extreme_delays_stay(folder, delay):
    source = folder / "in.gif"
    source.write_bytes(gif(8, 8, 3, delay))
    crop(source, folder / "out.gif", "--rect", "0,0,4,4")
    assert info(folder / "out.gif")["frameDurations"] == [delay * 10] * 3


def test_the_answer_is_the_same_every_time(folder):
    source = saved(folder / "in.gif", drawings(), duration=50, disposal=2)
    for suffix in ("gif", "webp", "png"):
        answers = set()
        for turn in range(RUNS):
            target = folder / f"{turn}.{suffix}"
            crop(source, target, *how(), "--max-side", "20")
            answers.add(target.read_bytes())
        assert len(answers) == 1
