"""Canvases around crops, compared with Pillow and vips."""

import json
import subprocess

import numpy as np
import pytest
from colors import ADOBE, DISPLAY_P3, matrix_profile, srgb_curve, to_srgb
from conftest import BIN, ROOT, crop, info, run, shared
from PIL import Image, ImageCms, ImageFilter, ImageOps

ORANGE = (255, 136, 0)
PLACES = {
    "center": (0.5, 0.5), "north": (0.5, 0), "northeast": (1, 0), "east": (1, 0.5), "southeast": (1, 1),
    "south": (0.5, 1), "southwest": (0, 1), "west": (0, 0.5), "northwest": (0, 0)}


def scene(width=60, height=40, seed=1):
    """Smooth colors with some grain."""
    random = np.random.default_rng(seed)
    across, down = np.arange(width)[None, :], np.arange(height)[:, None]
    planes = [across * 4 + 0 * down, down * 5 + 0 * across, 255 - 2 * across - 2 * down]
    pixels = np.stack(planes, 2).clip(0, 255) + random.integers(-9, 9, (height, width, 3))
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def opened(path, mode="RGB"):
    return Image.open(path).convert(mode)


def same(one, other):
    return one.size == other.size and np.array_equal(np.array(one), np.array(other))


def embedded(image, size, at, color):
    canvas = Image.new(image.mode, size, color)
    canvas.paste(image, at)
    return canvas


@pytest.mark.parametrize("place,share", PLACES.items())
@pytest.mark.parametrize("size", [(60, 90), (101, 40), (60, 41)])
def test_the_canvas_color_is_the_same_as_with_pillow(folder, size, place, share):
    scene().save(folder / "in.png")
    crop(folder / "in.png", folder / "out.png", "--canvas", f"{size[0]}x{size[1]}", "--place", place,
         "--fill", "#ff8800")
    # Pillow puts the odd pixel at the left and top: its offset is rounded half to even.
    wanted = embedded(
        scene(), size, (int((size[0] - 60) * share[0]), int((size[1] - 40) * share[1])), ORANGE)
    assert same(opened(folder / "out.png"), wanted)
    if (size[0] - 60) % 2 == 0 and (size[1] - 40) % 2 == 0:
        assert same(wanted, ImageOps.pad(scene(), size, color=ORANGE, centering=share))


def test_a_crop_at_any_position_is_the_same_as_with_vips(folder):
    scene().save(folder / "in.png")
    crop(folder / "in.png", folder / "out.png", "--canvas", "83x77", "--fill", "#0a141e")
    subprocess.run(
        ["vips", "embed", folder / "in.png", folder / "vips.png", "11", "18", "83", "77", "--extend", "background",
         "--background", "10 20 30"], check=True)
    assert same(opened(folder / "out.png"), opened(folder / "vips.png"))


@pytest.mark.parametrize("number", range(1, 9))
def test_every_orientation_is_upright_on_its_canvas(folder, number):
    source = shared(f"orient-landscape-{number}.jpg")
    # Colors are sRGB, whatever the profile of the image.
    crop(source, folder / "alone.png", "--srgb")
    report = crop(source, folder / "out.png", "--srgb", "--canvas", "1:1", "--fill", "#ff8800")
    assert (report["width"], report["height"]) == (600, 600)
    assert same(opened(folder / "out.png"), ImageOps.pad(opened(folder / "alone.png"), (600, 600), color=ORANGE))
    # And in a JPEG, reported in its flag.
    report = crop(source, folder / "out.jpg", "--canvas", "1:1", "--srgb", "--fill", "#ff8800",
                  "--quality", "95")
    assert not report["lossless"]
    assert report["obstacle"] == "new-pixels"
    found = ImageOps.exif_transpose(Image.open(folder / "out.jpg")).convert("RGB")
    wanted = np.array(opened(folder / "out.png")).astype(int)
    assert found.size == (600, 600)
    assert np.abs(np.array(found) - wanted).mean() < 3


@pytest.mark.parametrize("ending", ["png", "tif", "gif", "webp", "jpg", "heic", "avif"])
def test_every_format_supports_a_canvas(folder, ending):
    image = scene().quantize(64).convert("RGB") if ending == "gif" else scene()
    image.save(folder / "source.png")
    run("crop", folder / "source.png", "-o", folder / f"in.{ending}", "--quality", "95")
    report = crop(folder / f"in.{ending}", folder / f"out.{ending}", "--canvas", "60x90", "--fill", "#ff8800",
                  "--quality", "95")
    assert (report["format"], report["width"], report["height"]) == (
        {"jpg": "jpeg", "tif": "tiff"}.get(ending, ending), 60, 90)
    assert not report["lossless"]
    for name in ["in", "out"]:
        run("crop", folder / f"{name}.{ending}", "-o", folder / f"{name}-shown.png")
    found = opened(folder / "out-shown.png")
    wanted = ImageOps.pad(opened(folder / "in-shown.png"), (60, 90), color=ORANGE)
    if ending in ["png", "tif", "gif"]:
        assert same(found, wanted)
    else:
        assert np.abs(np.array(found).astype(int) - np.array(wanted)).mean() < 6


def test_a_crop_that_is_too_large_is_scaled_down_as_pillow_does(folder):
    source = ROOT / "Samples" / "still-life.jpg"
    crop(source, folder / "alone.png", "--srgb")
    crop(source, folder / "out.png", "--srgb", "--canvas", "301x500", "--fill", "#ff8800")
    wanted = ImageOps.pad(opened(folder / "alone.png"), (301, 500), Image.Resampling.LANCZOS, ORANGE)
    difference = np.abs(np.array(opened(folder / "out.png")).astype(int) - np.array(wanted))
    assert difference.mean() < 0.5
    assert difference.max() < 20


@pytest.mark.parametrize("options,size,at", [
    (["--margin", "10"], (80, 60), (10, 10)),
    # 40 is 80 % of the shorter side with twice 10 %.
    (["--margin", "10%"], (70, 50), (5, 5)),
    (["--canvas", "1:1", "--margin", "5"], (70, 70), (5, 15)),
    (["--canvas", "3:1"], (120, 40), (30, 0)),
    (["--canvas", "100x100", "--margin", "25%"], (100, 100), (25, 33))])
def test_margins_and_ratios(folder, options, size, at):
    scene().save(folder / "in.png")
    report = crop(folder / "in.png", folder / "out.png", *options, "--fill", "#ff8800")
    assert (report["width"], report["height"]) == size
    found = np.array(opened(folder / "out.png"))
    rows, columns = np.where((found != ORANGE).any(2))
    assert (columns.min(), rows.min()) == at


def test_blur_is_the_crop_enlarged_and_blurred(folder):
    source = ROOT / "Samples" / "lake-at-dusk.jpg"
    crop(source, folder / "alone.png", "--max-side", "600")
    crop(folder / "alone.png", folder / "out.png", "--canvas", "600x900", "--fill", "blur")
    alone = opened(folder / "alone.png")
    behind = ImageOps.fit(alone, (600, 900), Image.Resampling.BICUBIC).filter(ImageFilter.GaussianBlur(900 / 40))
    found = np.array(opened(folder / "out.png")).astype(int)
    top = (900 - alone.height) // 2
    assert np.array_equal(found[top : top + alone.height], np.array(alone))
    # Away from the canvas's edges, which the two extend differently.
    for rows in [slice(0, top), slice(top + alone.height, 900)]:
        difference = np.abs(found[rows] - np.array(behind)[rows])
        assert difference.mean() < 3
        assert difference.max() < 16


def test_edge_is_the_median_of_the_border(folder):
    image = scene()
    image.save(folder / "in.png")
    pixels = np.array(image)
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    crop(folder / "in.png", folder / "out.png", "--margin", "4", "--fill", "edge")
    found = np.array(opened(folder / "out.png"))
    assert np.array_equal(found[0, 0], np.sort(border, 0)[len(border) // 2])
    assert (found[0] == found[0, 0]).all()


def test_sixteen_bits_profile_and_alpha_stay(folder):
    deep = np.random.default_rng(3).integers(0, 65536, (30, 50), dtype=np.uint16)
    Image.fromarray(deep).save(folder / "deep.png")
    crop(folder / "deep.png", folder / "out.png", "--canvas", "50x50", "--fill", "black")
    found = np.array(Image.open(folder / "out.png"))
    assert info(folder / "out.png")["bitDepth"] == 16
    assert np.array_equal(found[10:40], deep)
    assert not found[:10].any()

    source = shared("icc-adobergb-canon7d.jpg")
    crop(source, folder / "icc.jpg", "--canvas", "1:1", "--fill", "edge")
    assert Image.open(folder / "icc.jpg").info["icc_profile"] == Image.open(source).info["icc_profile"]

    clear = scene().convert("RGBA")
    clear.putalpha(Image.linear_gradient("L").resize(clear.size))
    clear.save(folder / "clear.png")
    crop(folder / "clear.png", folder / "out.png", "--canvas", "60x60", "--fill", "transparent")
    assert same(opened(folder / "out.png", "RGBA"), embedded(clear, (60, 60), (0, 10), (0, 0, 0, 0)))
    crop(folder / "clear.png", folder / "out.png", "--canvas", "60x60", "--fill", "#ff8800")
    behind = Image.new("RGBA", (60, 60), (*ORANGE, 255))
    behind.alpha_composite(clear, (0, 10))
    found = np.array(opened(folder / "out.png")).astype(int)
    assert np.abs(found - np.array(behind.convert("RGB"))).max() <= 1


@pytest.mark.parametrize("color", ["#00ff00", "#ff0000", "#102030", "#ff6347", "#0000ff", "#777777"])
@pytest.mark.parametrize("space, most", [("sRGB", 0), ("Adobe RGB", 1), ("Display P3", 1)])
def test_the_canvas_color_is_exact_with_a_profile(folder, color, space, most):
    profile = {"sRGB": ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(),
               "Adobe RGB": matrix_profile(ADOBE, 563 / 256),
               "Display P3": matrix_profile(DISPLAY_P3, srgb_curve)}[space]
    scene().save(folder / "in.png", icc_profile=profile)
    crop(folder / "in.png", folder / "out.png", "--canvas", "80x80", "--fill", color)
    result = Image.open(folder / "out.png")
    assert result.info["icc_profile"] == profile
    shown = np.array(to_srgb(result.convert("RGB"), profile))[0, 0].astype(int)
    wanted = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
    assert np.abs(shown - wanted).max() <= most, shown


@pytest.mark.parametrize("ending", ["gif", "webp", "png"])
def test_every_frame_of_an_animation_is_placed_on_the_canvas(folder, ending):
    frames = [scene(seed=seed).quantize(32).convert("RGB") for seed in range(4)]
    how = {"lossless": True} if ending == "webp" else {}
    frames[0].save(folder / f"in.{ending}", save_all=True, append_images=frames[1:], duration=80, loop=0, **how)
    report = crop(folder / f"in.{ending}", folder / f"out.{ending}", "--canvas", "60x64", "--fill", "#ff8800")
    assert (report["width"], report["height"]) == (60, 64)
    before, after = Image.open(folder / f"in.{ending}"), Image.open(folder / f"out.{ending}")
    assert after.n_frames == before.n_frames
    for number in range(before.n_frames):
        before.seek(number)
        after.seek(number)
        assert same(after.convert("RGB"), ImageOps.pad(before.convert("RGB"), (60, 64), color=ORANGE))


def test_a_canvas_can_be_made_small_in_bytes(folder):
    source = ROOT / "Samples" / "still-life.jpg"
    run("crop", source, "-o", folder / "out.jpg", "--canvas", "800x800", "--fill", "blur", "--max-bytes", "60K")
    assert (folder / "out.jpg").stat().st_size <= 60 * 1024
    assert Image.open(folder / "out.jpg").size == (800, 800)


@pytest.mark.parametrize("options,status,words", [
    (["--canvas", "30000x30000"], 65, "900 megapixels"),
    (["--canvas", "1000000:1"], 64, "65535 pixels per side"),
    (["--margin", "50%"], 64, "margin"), (["--canvas", "20x20", "--margin", "10"], 64, "margin"),
    (["--fill", "blur"], 64, "needs a canvas"), (["--place", "north"], 64, "needs a canvas"),
    (["--canvas", "17000x10", "--format", "webp"], 64, "WebP")])
def test_an_invalid_canvas_is_rejected_and_nothing_is_written(folder, options, status, words):
    scene().save(folder / "in.png")
    done = subprocess.run(
        [BIN / "cropkit", "crop", folder / "in.png", "-o", folder / "out.png", *options], capture_output=True,
        text=True, check=False)
    assert done.returncode == status, done.stderr
    assert words in done.stderr
    assert not (folder / "out.png").exists()


def test_a_canvas_that_adds_nothing_leaves_a_jpeg_lossless(folder):
    source = shared("orient-landscape-1.jpg")
    report = crop(source, folder / "out.jpg", "--rect", "0,0,448,448", "--canvas", "1:1", "--fill", "blur")
    assert report["lossless"]


def layout(size, extent, margin, share):
    """The size of a canvas and the position of the crop on it, computed only from the definition."""
    width, height = size
    if extent is None:
        canvas = (width + 2 * margin, height + 2 * margin)
    elif extent[0] == "ratio":
        _, across, down = extent
        steps = max(-(-(width + 2 * margin) // across), -(-(height + 2 * margin) // down))
        canvas = (across * steps, down * steps)
    else:
        canvas = extent[1:]
    room = (canvas[0] - 2 * margin, canvas[1] - 2 * margin)
    scale = min(1, room[0] / width, room[1] / height)
    inner = tuple(min(most, max(1, int(side * scale + 0.5))) for side, most in zip(size, room, strict=True))
    at = tuple(margin + int((room[i] - inner[i]) * share[i]) for i in range(2))
    return canvas, inner, at


@pytest.mark.thorough
def test_300_random_combinations_are_the_plain_crop_on_a_canvas(folder):
    random = np.random.default_rng(28)
    pick = lambda *values: values[random.integers(len(values))]  # noqa: E731
    scene(90, 60).save(folder / "photo.png")
    Image.fromarray(np.array(scene(64, 70)), "RGB").save(folder / "photo.tif")
    pages = [scene(48, 36, seed) for seed in range(3)]
    pages[0].save(folder / "pages.tif", save_all=True, append_images=pages[1:])
    sources = {"photo.png": (90, 60, 1), "photo.tif": (64, 70, 1), "pages.tif": (48, 36, 3)}
    cases = []
    for number in range(300):
        name = pick(*sources)
        width, height, count = sources[name]
        how = {"format": "png"}
        what = {}
        if count > 1:
            how["page"] = int(random.integers(1, count + 1))
        if pick(0, 1):
            what["rotate"] = pick(90, 180, 270)
        if pick(0, 0, 1):
            what["flip"] = pick("horizontal", "vertical")
        if pick(0, 0, 1):
            what["tilt"] = pick(2, -7.5, 20)
        if pick(0, 0, 1):
            what["shape"] = pick("ellipse", "rounded:6")
        what |= pick({"inset": int(random.integers(0, 8))}, {"aspect": pick("1:1", "3:2")})
        if pick(0, 1):
            what["maxSide"] = int(random.integers(12, 40))
        share = pick(*PLACES)
        extent = pick(None, ("ratio", 1, 1), ("ratio", 16, 9), ("size", int(random.integers(20, 130)), 64))
        margin = int(random.integers(0, 9)) if extent is None or pick(0, 1) else 0
        if extent is not None:
            how["canvas"] = f"{extent[1]}{':' if extent[0] == 'ratio' else 'x'}{extent[2]}"
        if margin or extent is None:
            how["margin"] = margin
        cases.append((name, what, how | {"place": share, "fill": "#ff8800"}, extent, margin, share))
    (folder / "out").mkdir()

    def batch(lines):
        (folder / "lines.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
        answer = run("batch", folder / "lines.jsonl", "--jobs", "2", "--force")
        outcomes = sorted(map(json.loads, answer.splitlines()), key=lambda one: one["line"])
        assert all(one["ok"] for one in outcomes), [one for one in outcomes if not one["ok"]][:3]
        return outcomes

    base = {"canvas": None, "margin": None, "fill": None, "place": "center"}
    plain = batch([
        {"input": name, "output": f"out/{number}-plain.png", **what, "options": {**how, **base}}
        for number, (name, what, how, *_) in enumerate(cases)])
    laid = batch([
        {"input": name, "output": f"out/{number}.png", **what, "options": how}
        for number, (name, what, how, *_) in enumerate(cases)])
    alone = []
    for number, ((name, what, how, extent, margin, share), one) in enumerate(zip(cases, plain, strict=True)):
        _, inner, _ = layout((one["size"]["width"], one["size"]["height"]), extent, margin, PLACES[share])
        what = {key: value for key, value in what.items() if key != "maxSide"} | {"size": f"{inner[0]}x{inner[1]}"}
        alone.append({
            "input": name, "output": f"out/{number}-alone.png", **what, "options": {**how, **base}})
    batch(alone)
    for number, ((_, what, how, extent, margin, share), one) in enumerate(zip(cases, plain, strict=True)):
        canvas, inner, at = layout((one["size"]["width"], one["size"]["height"]), extent, margin, PLACES[share])
        found = opened(folder / f"out/{number}.png")
        image = Image.open(folder / f"out/{number}-alone.png").convert("RGBA")
        assert image.size == inner
        assert found.size == canvas == (laid[number]["size"]["width"], laid[number]["size"]["height"])
        wanted = Image.new("RGBA", canvas, (*ORANGE, 255))
        wanted.alpha_composite(image, at)
        most = np.abs(np.array(found).astype(int) - np.array(wanted.convert("RGB"))).max()
        assert most <= (1 if "shape" in what else 0), (number, what, how)
