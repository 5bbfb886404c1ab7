"""Sizes on paper and densities, as read by exiftool, libvips and ImageMagick."""

import io
import json
import re
import shutil
import struct
import subprocess

import numpy as np
import pytest
from conftest import crop, info, run, shared
from metadata import exif, iptc, reported, segment, xmp
from PIL import Image

pytestmark = pytest.mark.skipif(not shutil.which("exiftool"), reason="no exiftool")
SUFFIXES = ["jpg", "png", "tif", "webp", "heic", "avif", "jxl"]
#: 35 × 45 mm at 300 and 600 pixels per inch: 35 / 25.4 × 300 = 413.39, 45 / 25.4 × 300 = 531.496.
PIXELS = {300: (413, 531), 600: (827, 1063)}


def photo(path, size=(900, 1200), **words):
    """A photo with all colors, so that a resized result has few surprises."""
    rows = np.zeros((size[1], size[0], 3), np.uint8)
    rows[..., 0] = np.linspace(0, 250, size[0]).astype(np.uint8)
    rows[..., 1] = np.linspace(0, 250, size[1]).astype(np.uint8)[:, None]
    rows[..., 2] = 90
    Image.fromarray(rows).save(path, **words)
    return path


def density(path):
    """The density that exiftool reads, in pixels per inch, from every place that states one."""
    found = reported(path)
    inches = {"inches": 1, "cm": 2.54, "None": None, 2: 1, 3: 2.54, 1: None, 0: None}
    places = {}
    for group, unit in (("JFIF", found.get("JFIF:ResolutionUnit")), ("IFD0", found.get("IFD0:ResolutionUnit"))):
        scale = inches.get(unit)
        if f"{group}:XResolution" in found and scale:
            places[group] = [float(found[f"{group}:{axis}Resolution"]) * scale for axis in "XY"]
    if found.get("PNG-pHYs:PixelUnits") in ("meters", 1):
        places["pHYs"] = [found[f"PNG-pHYs:PixelsPerUnit{axis}"] * 0.0254 for axis in "XY"]
    return places


def header(path, field):
    done = subprocess.run(["vipsheader", "-f", field, path], capture_output=True, text=True, check=True, timeout=60)
    return float(done.stdout)


def codes(report):
    return [one["code"] for one in report["warnings"]]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("dpi", [300, 600])
def test_a_size_on_paper_has_its_pixels_and_density_in_every_format(folder, suffix, dpi):
    photo(folder / "in.png")
    out = folder / f"out.{suffix}"
    words = [] if dpi == 300 else ["--dpi", dpi]
    report = crop(folder / "in.png", out, "--size", "35x45mm", *words)
    assert (report["width"], report["height"]) == PIXELS[dpi]
    assert codes(report) == []
    found = reported(out)
    assert re.split("[ x]", str(found["Composite:ImageSize"])) == [str(side) for side in PIXELS[dpi]]
    places = density(out)
    assert places, found
    for across, down in places.values():
        # A PNG states whole pixels per meter.
        assert across == pytest.approx(dpi, abs=0.01) and down == pytest.approx(dpi, abs=0.01)
    assert info(out)["density"]["across"] == pytest.approx(dpi, abs=0.01)
    if shutil.which("vipsheader") and suffix != "jxl":
        assert (header(out, "width"), header(out, "height")) == PIXELS[dpi]
    if suffix in ("jpg", "png", "tif"):
        if shutil.which("vipsheader"):
            assert header(out, "xres") * 25.4 == pytest.approx(dpi, rel=0.002)
            assert header(out, "yres") * 25.4 == pytest.approx(dpi, rel=0.002)
        if shutil.which("identify"):
            done = subprocess.run(
                ["identify", "-units", "PixelsPerInch", "-format", "%w %h %x %y", out], capture_output=True, text=True,
                check=True, timeout=60)
            numbers = [float(one) for one in done.stdout.split() if one[0].isdigit()]
            assert numbers == pytest.approx([*PIXELS[dpi], dpi, dpi], abs=0.01)
        with Image.open(out) as picture:
            assert [round(float(side)) for side in picture.info["dpi"]] == [dpi, dpi]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_crop_with_too_few_pixels_is_not_enlarged(folder, suffix):
    photo(folder / "in.png", size=(300, 386))
    out = folder / f"out.{suffix}"
    report = crop(folder / "in.png", out, "--rect", "0,0,300,386", "--size", "35x45mm")
    assert (report["width"], report["height"]) == (300, 386)
    assert report["warnings"] == [
        {"code": "low-density", "message": "300 dpi needs 413 × 531 pixels, the crop has 300 × 386"}]
    # So that it prints at 35 × 45 mm.
    for across, down in density(out).values():
        assert across == pytest.approx(300 / 35 * 25.4, abs=0.5 if suffix == "jpg" else 0.02)
        assert down == pytest.approx(386 / 45 * 25.4, abs=0.5 if suffix == "jpg" else 0.02)
    larger = crop(folder / "in.png", out, "--rect", "0,0,300,386", "--size", "35x45mm", "--enlarge")
    assert (larger["width"], larger["height"]) == (413, 531)
    for across, down in density(out).values():
        assert (across, down) == pytest.approx((300, 300), abs=0.01)


def test_a_bleed_is_part_of_the_size(folder):
    photo(folder / "in.jpg", size=(1800, 1500), quality=95)
    report = crop(folder / "in.jpg", folder / "out.tif", "--size", "85x55mm", "--bleed", "3mm", "--lossless", "never")
    # 91 × 61 mm.
    assert (report["width"], report["height"]) == (1075, 720)
    assert report["rect"]["width"] * 61 == report["rect"]["height"] * 91 or report["rect"]["width"] == 1800
    assert density(folder / "out.tif")["IFD0"] == [300, 300]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("has_exif", [False, True])
def test_a_density_alone_changes_no_coded_byte(folder, suffix, has_exif):
    photo(folder / "plain.png", size=(160, 120))
    source, out = folder / f"in.{suffix}", folder / f"out.{suffix}"
    crop(folder / "plain.png", source, "--dpi", "72")
    if has_exif:
        subprocess.run(
            ["exiftool", "-q", "-overwrite_original", "-Make=Maker", "-XResolution=72", "-YResolution=72",
             "-ResolutionUnit=inches", source], check=True, timeout=60)
    report = crop(source, out, "--dpi", "240")
    assert report["lossless"], report
    places = density(out)
    assert places
    for across, down in places.values():
        assert (across, down) == pytest.approx((240, 240), abs=0.02)
    if has_exif:
        assert reported(out)["IFD0:Make"] == "Maker"
    before, after = source.read_bytes(), out.read_bytes()
    marks = {"jpg": b"\xff\xda", "png": b"IDAT", "webp": b"VP8", "tif": None, "jxl": b"jxlc"}
    if suffix in ("heic", "avif"):
        start = before.index(b"mdat") + 8
        assert before[start : start + 200] in after
    elif suffix == "tif":
        with Image.open(source) as one, Image.open(out) as other:
            assert one.tobytes() == other.tobytes()
    else:
        start = before.index(marks[suffix])
        size = struct.unpack(">I", before[start - 4 : start])[0] if suffix == "png" else len(before) - start
        assert before[start : start + min(size, 400)] in after


#: Baseline, progressive, with restart markers, CMYK, gray, turned, with other images: as other programs wrote them.
JPEGS = [
    "jpeg-420-227x149.jpg", "progressive-100x75.jpg", "orient-landscape-6.jpg", "camera-nikon-gps-422.jpg",
    "camera-canon-orient6-gps.jpg", "jpeg-440-restart-nokia.jpg", "cmyk-noprofile.jpg", "cmyk-restart-100x100.jpg",
    "gray-gamma22.jpg", "jpeg-1x1-two-exif.jpg", "jpeg-422-iptc.jpg", "jpeg-444-icc-xmp.jpg",
    "icc-displayp3-apple-gainmap.jpg"]


def behind_segments(data):
    """Everything from the first marker of a JPEG that is neither an application segment nor a comment."""
    at = 2
    while data[at] == 0xFF and (0xE0 <= data[at + 1] <= 0xEF or data[at + 1] == 0xFE):
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return data[at:]


@pytest.mark.parametrize("name", JPEGS)
def test_a_density_alone_keeps_everything_after_the_segments_of_a_jpeg(folder, name):
    source = shared(name)
    report = crop(source, folder / "out.jpg", "--dpi", "300")
    assert report["lossless"]
    before, after = source.read_bytes(), (folder / "out.jpg").read_bytes()
    assert behind_segments(after) == behind_segments(before)
    places = density(folder / "out.jpg")
    assert places and all(one == [300, 300] for one in places.values())
    # Again: nothing grows.
    crop(folder / "out.jpg", folder / "again.jpg", "--dpi", "300")
    assert (folder / "again.jpg").read_bytes() == after


def test_every_place_of_a_jpeg_has_the_new_density(folder):
    resources = b"8BIM\x03\xed\0\0" + struct.pack(">IIHHIHH", 16, 72 << 16, 1, 1, 72 << 16, 1, 1)
    packet = xmp(pictures=False).replace(
        b'tiff:Orientation="1"', b'tiff:Orientation="1" tiff:XResolution="72/1" tiff:YResolution="72/1"'
        b' tiff:ResolutionUnit="2"')
    plain = io.BytesIO()
    Image.new("RGB", (64, 48), (9, 99, 200)).save(plain, "JPEG", dpi=(72, 72))
    data = plain.getvalue()
    head = (
        segment(0xE1, b"Exif\0\0" + exif()) + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + packet)
        + segment(0xED, b"Photoshop 3.0\0" + resources))
    (folder / "in.jpg").write_bytes(data[:20] + head + data[20:] + b"TRAILER")
    crop(folder / "in.jpg", folder / "out.jpg", "--dpi", "300")
    made = reported(folder / "out.jpg")
    assert made["JFIF:XResolution"] == made["IFD0:XResolution"] == made["Photoshop:XResolution"] == 300
    assert not [name for name in made if name.startswith("XMP-tiff:") and "Resolution" in name]
    assert made["XMP-dc:Title"] == "Morning" and made["XMP-photoshop:City"] == "Vienna"
    assert made["IFD0:Make"] == "Maker of cameras"
    assert (folder / "out.jpg").read_bytes().endswith(b"TRAILER")
    # A crop rebuilds the segments.
    report = crop(folder / "in.jpg", folder / "part.jpg", "--rect", "0,0,32,32", "--dpi", "300")
    assert report["lossless"]
    made = reported(folder / "part.jpg")
    assert made["JFIF:XResolution"] == made["IFD0:XResolution"] == 300
    assert not [name for name in made if "XResolution" in name and made[name] != 300]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("source", ["in.jpg", "in.png", "in.tif"])
def test_a_resized_result_has_the_density_scaled(folder, source, suffix):
    Image.new("RGB", (200, 100), (9, 99, 200)).save(folder / source, dpi=(300, 150))
    out = folder / f"out.{suffix}"
    crop(folder / source, out, "--max-side", "100")
    places = density(out)
    assert places
    for across, down in places.values():
        assert (across, down) == pytest.approx((150, 75), abs=0.05)
    # Turned: 100 × 200 of 150 × 300 becomes 50 × 100.
    crop(folder / source, out, "--rotate", "90", "--max-side", "100")
    for across, down in density(out).values():
        assert (across, down) == pytest.approx((75, 150), abs=0.05)
    # Not resized: as it was, also in another format.
    crop(folder / source, out, "--rect", "8,8,16,16")
    for across, down in density(out).values():
        assert (across, down) == pytest.approx((300, 150), abs=0.05)
    crop(folder / source, out, "--quad", "8,8,90,9,91,70,7,71")
    assert density(out) == {}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_placeholder_of_cameras_is_not_scaled(folder, suffix):
    Image.new("RGB", (200, 100), (9, 99, 200)).save(folder / "in.jpg", dpi=(72, 72))
    subprocess.run(
        ["exiftool", "-q", "-overwrite_original", "-Make=Maker", "-XResolution=72", "-YResolution=72",
         "-ResolutionUnit=inches", folder / "in.jpg"], check=True, timeout=60)
    crop(folder / "in.jpg", folder / f"out.{suffix}", "--max-side", "100")
    assert density(folder / f"out.{suffix}") == {}
    assert reported(folder / f"out.{suffix}")["IFD0:Make"] == "Maker"


def test_a_gif_says_that_it_can_t_state_a_density(folder):
    photo(folder / "in.png", size=(60, 40))
    report = crop(folder / "in.png", folder / "out.gif", "--dpi", "300")
    assert codes(report) == ["density-left-out"]


def test_a_density_alone_keeps_all_pages_and_frames(folder):
    pages = [Image.new("RGB", (64, 48), (one, 99, 200)) for one in (1, 50, 99)]
    pages[0].save(folder / "in.tif", save_all=True, append_images=pages[1:], dpi=(72, 72))
    pages[0].save(folder / "in.webp", save_all=True, append_images=pages[1:], duration=90)
    pages[0].save(folder / "in.png", save_all=True, append_images=pages[1:], duration=90)
    for name in ("in.tif", "in.webp", "in.png"):
        out = folder / f"out-{name}"
        crop(folder / name, out, "--dpi", "300")
        with Image.open(out) as made, Image.open(folder / name) as before:
            assert made.n_frames == 3
            for page in range(3):
                made.seek(page)
                before.seek(page)
                assert made.convert("RGB").tobytes() == before.convert("RGB").tobytes()
                if name == "in.tif":
                    assert [float(side) for side in made.info["dpi"]] == [300, 300]
        assert all(one == pytest.approx([300, 300], abs=0.02) for one in density(out).values())


def sheet_of(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


@pytest.mark.parametrize("suffix", ["png", "tif", "jpg", "webp", "jxl"])
def test_a_sheet_holds_prints_and_cut_marks(folder, suffix):
    # One color, so that a print is found by it.
    Image.new("RGB", (900, 1200), (200, 30, 30)).save(folder / "in.png")
    out = folder / f"sheet.{suffix}"
    report = crop(folder / "in.png", out, "--size", "35x45mm", "--sheet", "10x15cm", "--quality", "100")
    # The sheet is turned, for 4 × 2 prints of 413 × 531 pixels.
    assert (report["width"], report["height"]) == (1772, 1181)
    assert not report["lossless"]
    for across, down in density(out).values():
        assert (across, down) == pytest.approx((300, 300), abs=0.01)
    if suffix == "jxl":
        crop(out, folder / "shown.png")
        out = folder / "shown.png"
    pixels = sheet_of(out)
    red = (pixels[..., 0] > 150) & (pixels[..., 1] < 90)
    rows, columns = np.where(red.any(axis=1))[0], np.where(red.any(axis=0))[0]
    assert abs(columns[0] - 60) <= 1 and abs(columns[-1] - 1711) <= 1
    assert abs(rows[0] - 59) <= 1 and abs(rows[-1] - 1120) <= 1
    if suffix in ("png", "tif"):
        assert red[59:1121, 60:1712].all()
        black = (pixels < 5).all(axis=2)
        # The marks at the top: at each edge of a print, not nearer than a millimeter.
        assert list(np.where(black[:47].any(axis=0))[0]) == [60, 473, 886, 1299, 1712]
        assert list(np.where(black[:, :48].any(axis=1))[0]) == [59, 590, 1121]
        white = (pixels == 255).all(axis=2)
        assert (red | black | white).all()
        assert white[48:58, :].all()


def test_a_sheet_without_margins_has_lines_between_the_prints(folder):
    Image.new("RGB", (700, 700), (200, 30, 30)).save(folder / "in.png")
    report = json.loads(run(
        "targets", folder / "in.png", "--set", "passport-us", "--sheet", "4x6in", "-o", folder / "sheet.png", "--json"))
    assert (report["width"], report["height"], report["target"]) == (1200, 1800, "passport-us")
    pixels = sheet_of(folder / "sheet.png")
    black = (pixels < 5).all(axis=2)
    assert list(np.where(black.all(axis=1))[0]) == [600, 1200]
    assert list(np.where(black.all(axis=0))[0]) == [600]
    assert (pixels[~black] == [200, 30, 30]).all()


def test_a_sheet_has_the_colors_of_its_photo(folder):
    for mode, color in (("L", 90), ("CMYK", (10, 20, 30, 40)), ("RGBA", (200, 30, 30, 0))):
        Image.new(mode, (700, 700), color).save(folder / "in.tif")
        words = ["--size", "2x2in", "--sheet", "4x6in", "--background", "white"]
        report = crop(folder / "in.tif", folder / "out.tif", *words)
        assert (report["width"], report["height"]) == (1200, 1800)
        with Image.open(folder / "out.tif") as made:
            assert made.size == (1200, 1800)
            assert made.mode == ("RGB" if mode == "RGBA" else mode)


@pytest.mark.parametrize(("words", "status", "message"), [
    (["--size", "0mm"], 64, "--size"), (["--size", "0x45mm"], 64, "--size"), (["--size", "1e9x1in"], 64, "--size"),
    (["--size", "nanxnanmm"], 64, "--size"), (["--size", "-35x45mm"], 64, "--size"),
    (["--size", "99999999999999999999x1mm"], 64, "--size"), (["--size", "35x45mm", "--dpi", "0"], 64, "--dpi"),
    (["--size", "35x45mm", "--dpi", "1000000000"], 64, "--dpi"), (["--size", "35x45mm", "--dpi", "-300"], 64, "--dpi"),
    (["--dpi", "nan"], 64, "--dpi"), (["--dpi", "300.5"], 64, "--dpi"), (["--dpi", "99999999999999999999"], 64, "--dpi"),
    (["--size", "35x45mm", "--bleed", "0mm"], 64, "--bleed"),
    (["--size", "35x45mm", "--bleed", "1e9in"], 64, "--bleed"),
    (["--bleed", "3mm"], 64, "bleed"), (["--enlarge"], 64, "enlarge"), (["--sheet", "a4"], 64, "print sheet"),
    (["--size", "100x100", "--sheet", "a4"], 64, "print sheet"), (["--size", "35x45mm", "--sheet", "30x40mm"], 64, "fit"),
    (["--size", "1x1mm", "--dpi", "1", "--sheet", "10000x10000mm"], 64, "1000"),
    (["--size", "35x45mm", "--sheet", "10x15cm", "--canvas", "1:1"], 64, "canvas"),
    (["--size", "10000x10000mm", "--dpi", "65535", "--enlarge"], 64, ""),
    (["--size", "35x45mm", "--rect", "0,0,50,50"], 64, "distorted"),
])
def test_hostile_values_are_refused(folder, words, status, message):
    photo(folder / "in.png", size=(60, 80))
    done = subprocess.run(
        [*command(), "crop", str(folder / "in.png"), "-o", str(folder / "out.png"), *words], capture_output=True,
        text=True, check=False, timeout=120)
    assert done.returncode == status, done.stderr
    assert message.strip("-") in done.stderr
    assert not (folder / "out.png").exists()


def command():
    from conftest import BIN

    return [str(BIN / "cropkit")]


def test_batches_and_targets_files_take_sizes_on_paper(folder):
    photo(folder / "in.jpg", size=(900, 1200), quality=90)
    lines = [
        {"input": "in.jpg", "output": "a.jpg", "size": "35x45mm", "options": {"dpi": 600}},
        {"input": "in.jpg", "output": "b.png", "size": "85x55mm", "bleed": "3mm", "enlarge": True},
        {"input": "in.jpg", "output": "c.png", "recipe": {"rect": {"x": 0, "y": 0, "width": 700, "height": 900}},
         "size": "35x45mm"},
        {"input": "in.jpg", "output": "d.png", "options": {"size": "2x2in", "sheet": "4x6in"}, "aspect": "1:1"},
        {"input": "in.jpg", "directory": "out", "options": {"dpi": 150}, "targets": {"targets": [
            {"name": "own", "size": "35x45mm", "dpi": 600}, {"name": "usual", "size": "35x45mm"},
            {"name": "bleed", "size": "35x45mm", "bleed": "3mm"}]}},
    ]
    (folder / "crops.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    answers = [json.loads(line) for line in run("batch", folder / "crops.jsonl").splitlines()]
    sizes = {str(one["output"]).split("/")[-1]: tuple(one["size"].values()) for one in answers if one["ok"]}
    assert all(one["ok"] for one in answers), answers
    wanted = {
        "a.jpg": (827, 1063), "b.png": (1075, 720), "c.png": (413, 531), "d.png": (1200, 1800),
        "in-own.jpg": (827, 1063), "in-usual.jpg": (207, 266), "in-bleed.jpg": (242, 301)}
    assert {name: sorted(size) for name, size in sizes.items()} == {name: sorted(size) for name, size in wanted.items()}
    assert info(folder / "out/in-usual.jpg")["density"] == {"across": 150, "down": 150}
    assert info(folder / "out/in-own.jpg")["density"] == {"across": 600, "down": 600}
