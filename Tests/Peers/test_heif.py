"""HEIC and AVIF with several images, with turns, with deep samples, and with data besides the images."""

import json
import subprocess
import sys

import imagecodecs
import numpy as np
import pillow_heif
import pytest
from colors import DISPLAY_P3, centers, distance, matrix_profile, opened, patches, srgb_curve, to_srgb
from conftest import crop, info, run
from heif import (
    ALPHA, DEPTH_MAP, GAIN_MAP, LEFT_RIGHT, TOP_BOTTOM, File, av1, box, hevc, nclx, single, turn, upright,
)
from PIL import Image

CODERS = {"heic": hevc, "avif": av1}
EVERY_TURN = {
    "none": [], "90": [turn(1)], "180": [turn(2)], "270": [turn(3)], "rows": [TOP_BOTTOM],
    "columns": [LEFT_RIGHT], "90 and rows": [turn(1), TOP_BOTTOM], "columns and 90": [LEFT_RIGHT, turn(1)],
}

#: The message if a gain map can't be kept.
HDR = "the HDR gain map is left out: {} files made here can't hold it"


def scene(width, height, shift=0, most=255):
    """Smooth colors that identify the position and the image."""
    across, down = np.linspace(0, 1, width)[None, :], np.linspace(0, 1, height)[:, None]
    planes = [across + 0 * down, down + 0 * across, 1 - (across + down) / 2]
    return np.rint(np.roll(np.stack(planes, 2), shift, axis=2) * most).astype(np.uint16)


def wide(path):
    """A PNG's samples as stored, of 8 or 16 bits."""
    return imagecodecs.png_decode(path.read_bytes()).astype(int)


# Number, size, colors, turns. The primary image is neither the first nor the last.
SEVERAL = [(10, (128, 64), 0, [turn(1)]), (20, (64, 128), 1, []), (30, (192, 64), 2, [LEFT_RIGHT])]


def several(kind, order=(10, 20, 30)):
    """Three images; and a thumbnail, a gain map, a depth map and a hidden image, which are not pages."""
    coder = CODERS[kind]
    file, shown = File(), {}
    for number, size, shift, turns in sorted(SEVERAL, key=lambda p: order.index(p[0])):
        file.add(number, coder(scene(*size, shift)), *turns)
        shown[number] = upright(scene(*size, shift), turns).astype(int)
    noise = np.random.default_rng(5).integers(0, 256, (64, 64, 3))
    file.add(5, coder(noise // 2))
    file.refer(b"thmb", 5, 20)
    file.add(25, coder(noise // 3), GAIN_MAP)
    file.refer(b"auxl", 25, 20)
    file.add(35, coder(noise // 4), DEPTH_MAP)
    file.refer(b"auxl", 35, 10)
    file.add(40, coder(noise // 5), hidden=True)
    return file, [shown[20], shown[10], shown[30]]


@pytest.mark.parametrize("order", [(10, 20, 30), (30, 20, 10)], ids=["sorted", "not sorted"])
@pytest.mark.parametrize("kind", CODERS)
def test_a_page_is_the_picture_that_info_describes(folder, kind, order):
    file, shown = several(kind, order)
    source = folder / f"in.{kind}"
    source.write_bytes(file.bytes(20))
    assert info(source)["pageCount"] == 3
    for page, picture in enumerate(shown, 1):
        height, width = picture.shape[:2]
        rect = (width // 4, height // 8, width // 2, height // 2)
        words = ["--rect", ",".join(map(str, rect)), "--page", page]
        report = crop(source, folder / "out.png", *words)
        reported = [w["message"] for w in report["warnings"]]
        assert reported == {1: [HDR.format("PNG")], 2: ["left out: depth map"], 3: []}[page]
        cut = picture[rect[1] : rect[1] + rect[3], rect[0] : rect[0] + rect[2]]
        found = opened(folder / "out.png").astype(int)
        assert found.shape == cut.shape
        assert np.abs(found - cut).max() <= 3, page
        # The same file in its format: one image, and no data of the others.
        crop(source, folder / f"out.{kind}", *words)
        made = (folder / f"out.{kind}").read_bytes()
        assert info(folder / f"out.{kind}")["pageCount"] == 1
        for _, data, _, _ in file.items.values():
            assert data[-60:-20] not in made and data[40:80] not in made


@pytest.mark.parametrize("kind", CODERS)
def test_a_missing_page_is_an_error_in_one_line(folder, kind):
    source = folder / f"in.{kind}"
    source.write_bytes(several(kind)[0].bytes(20))
    for page in (4, 0):
        run("crop", source, "-o", folder / "out.png", "--page", page, status=64)
    run("crop", source, "-o", folder / f"out.{kind}", "--page", "all", "--rect", "0,0,9,9", status=64)
    assert list(folder.iterdir()) == [source]
    report = crop(source, folder / "out.png", "--rect", "0,0,9,9")
    assert [w["code"] for w in report["warnings"]] == ["frames-dropped", "hdr-dropped"]


def test_all_pictures_become_pages_of_a_tiff(folder):
    file, shown = several("heic")
    (folder / "in.heic").write_bytes(file.bytes(20))
    crop(folder / "in.heic", folder / "out.tif", "--page", "all", "--rect", "8,4,50,40")
    image = Image.open(folder / "out.tif")
    assert image.n_frames == 3
    for index, picture in enumerate(shown):
        image.seek(index)
        assert np.abs(np.array(image.convert("RGB")).astype(int) - picture[4:44, 8:58]).max() <= 3


def test_tiles_are_not_pages_even_if_they_are_not_hidden(folder):
    file = File()
    parts = [file.add(n, hevc(scene(64, 64, n % 3))) for n in (1, 2)]
    grid = hevc(scene(64, 64))
    grid.kind, grid.data = b"grid", bytes([0, 0, 0, 1]) + b"\0\x80\0\x40"
    grid.properties = [
        p if p[4:8] != b"ispe" else p[:12] + b"\0\0\0\x80\0\0\0\x40"
        for p in grid.properties if p[4:8] != b"hvcC"]
    file.add(3, grid)
    file.refer(b"dimg", 3, *parts)
    file.add(4, hevc(scene(128, 128, 1)), turn(3))
    source = folder / "in.heic"
    source.write_bytes(file.bytes(3))
    assert info(source)["pageCount"] == 2
    crop(source, folder / "out.png", "--page", 2, "--rect", "10,20,60,50")
    wanted = upright(scene(128, 128, 1), [turn(3)])[20:70, 10:70]
    assert np.abs(opened(folder / "out.png").astype(int) - wanted).max() <= 3
    crop(source, folder / "out.png", "--page", 1, "--rect", "40,0,60,50")
    wanted = np.concatenate([scene(64, 64, 1), scene(64, 64, 2)], 1)[:50, 40:100]
    assert np.abs(opened(folder / "out.png").astype(int) - wanted).max() <= 3


@pytest.mark.parametrize(
    ("depth", "turns"), [(10, turns) for turns in EVERY_TURN] + [(8, "none"), (12, "columns and 90")])
@pytest.mark.parametrize("kind", CODERS)
def test_deep_pictures_are_upright_and_stay_deep(folder, kind, depth, turns):
    most = 2**depth - 1
    array = scene(128, 64, most=most)
    # White and black are the extremes at every depth.
    array[:8], array[-8:] = most, 0
    source = folder / f"in.{kind}"
    source.write_bytes(single(CODERS[kind](array, depth), *EVERY_TURN[turns]))
    reported = info(source)
    picture = upright(array, EVERY_TURN[turns])
    assert reported["bitDepth"] == depth
    assert (reported["shown"]["height"], reported["shown"]["width"]) == picture.shape[:2]
    cut = picture[1:57, 3:59]
    for quarter in (0, 1):
        frame = np.rot90(picture, -quarter)[1:57, 3:59]
        words = ["--rect", "3,1,56,56"] + (["--rotate", "90"] if quarter else [])
        crop(source, folder / "out.png", *words)
        found = wide(folder / "out.png")
        top = 255 if depth == 8 else 65535
        # Lossless encoding still rounds YCbCr in HEVC.
        assert np.abs(found * (most / top) - frame).max() <= 3.1
        assert found.max() == top
    # Deep images stay deep in their format, and become 8 bits in others.
    report = crop(source, folder / f"out.{kind}", "--rect", "3,1,56,56", "--quality", "95")
    assert info(folder / f"out.{kind}")["bitDepth"] == (12 if kind == "avif" and depth > 8 else depth)
    assert [w["code"] for w in report["warnings"]] == (["depth-raised"] if (kind, depth) == ("avif", 10) else [])
    report = crop(source, folder / "out.jpg", "--rect", "3,1,56,56", "--quality", "98",
                  "--subsampling", "444")
    assert ("depth-reduced" in [w["code"] for w in report["warnings"]]) == (depth > 8)
    assert np.abs(opened(folder / "out.jpg") - cut * (255 / most)).mean() < 3


@pytest.mark.parametrize("kind", CODERS)
def test_a_copy_without_metadata_holds_its_pages_and_no_other_picture(folder, kind):
    file, shown = several(kind)
    alpha = scene(64, 128, 2)[..., :1].repeat(3, 2)
    file.add(50, CODERS[kind](alpha), ALPHA)
    file.refer(b"auxl", 50, 20)
    # A tone-mapped version of the primary image (ISO 21496-1), in a group with it.
    tone = CODERS[kind](scene(64, 64))
    tone.kind, tone.data = b"tmap", b"ABOUT-MORE-LIGHT" * 4
    file.add(60, tone)
    file.refer(b"dimg", 60, 20, 25)
    file.groups.append((b"altr", [60, 20]))
    # Data that belong to no item, and an unknown box.
    rest = b"IN-NO-ITEM" * 9
    source = folder / f"in.{kind}"
    source.write_bytes(file.bytes(20, rest) + box(b"skip", rest))
    assert info(source)["metadata"] == ["thumbnail", "gain-map"]
    report = crop(source, folder / f"out.{kind}", "--strip", "all")
    assert report["lossless"]
    # Its map has no headroom.
    reason = "the HDR gain map is left out: the file does not say how bright it is"
    assert [w["message"] for w in report["warnings"]] == [reason]
    made = (folder / f"out.{kind}").read_bytes()
    for number, (_, data, _, _) in file.items.items():
        assert (data in made) == (number in (10, 20, 30, 50)), number
        assert (data[20:60] in made) == (number in (10, 20, 30, 50)), number
    assert b"IN-NO-ITEM" not in made and b"hdrgainmap" not in made and b"altr" not in made
    reported = info(folder / f"out.{kind}")
    assert reported["metadata"] == [] and reported["pageCount"] == 3 and reported["hasAlpha"]
    for page, picture in enumerate(shown, 1):
        crop(folder / f"out.{kind}", folder / "out.png", "--page", page)
        found = wide(folder / "out.png")
        assert np.abs(found[..., :3] - picture).max() <= 3
        assert page > 1 or np.abs(found[..., 3] - alpha[..., 0]).max() <= 3
    if kind == "heic":
        other = seen_by_pillow(folder / "out.heic")
        assert sorted(size for size, _ in other) == [[64, 128], [64, 128], [192, 64]]
        assert all(not any(extras) for _, extras in other)


def test_a_copy_without_metadata_is_re_encoded_if_it_contains_a_video(folder):
    # A movie needs a header: version and flags, and, of its fields, the time scale and the next track's number.
    header = box(b"mvhd", bytes(12) + (600).to_bytes(4, "big") + bytes(80) + (1).to_bytes(4, "big"))
    movie = box(b"moov", header + box(b"free", b"FILM" * 50))
    (folder / "in.heic").write_bytes(several("heic")[0].bytes(20) + movie)
    report = crop(folder / "in.heic", folder / "out.heic", "--strip", "all")
    assert not report["lossless"]
    assert b"FILM" not in (folder / "out.heic").read_bytes()
    assert info(folder / "out.heic")["pageCount"] == 1


def seen_by_pillow(path):
    """Size and extras of each image of a HEIC, in a separate process: other codecs that are loaded together
    with this one bring the same libraries."""
    code = """if True:
        import json, pillow_heif, sys
        print(json.dumps([
            (p.size, [p.info[name] for name in ("thumbnails", "depth_images", "aux")])
            for p in pillow_heif.open_heif(sys.argv[1])]))
    """
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("kind", CODERS)
@pytest.mark.parametrize("turns", ["90", "columns and 90"])
def test_alpha_turns_with_its_picture(folder, kind, turns):
    file = File()
    array, alpha = scene(128, 64), scene(128, 64, 1)[..., :1].repeat(3, 2)
    file.add(1, CODERS[kind](array), *EVERY_TURN[turns])
    file.add(2, CODERS[kind](alpha), ALPHA, *EVERY_TURN[turns])
    file.refer(b"auxl", 2, 1)
    source = folder / f"in.{kind}"
    source.write_bytes(file.bytes(1))
    assert info(source)["hasAlpha"]
    crop(source, folder / "out.png", "--rect", "5,9,50,70")
    found = wide(folder / "out.png")
    wanted = np.concatenate([upright(array, EVERY_TURN[turns]), upright(alpha, EVERY_TURN[turns])[..., :1]], 2)
    assert np.abs(found - wanted[9:79, 5:55]).max() <= 4


def test_a_clean_aperture_is_applied_before_turns(folder):
    array = scene(100, 70)
    for turns in EVERY_TURN.values():
        # The encoder pads to 128 × 128 and marks the valid area with `clap`.
        (folder / "in.heic").write_bytes(single(hevc(array), *turns))
        picture = upright(array, turns).astype(int)
        shown = info(folder / "in.heic")["shown"]
        assert (shown["height"], shown["width"]) == picture.shape[:2]
        crop(folder / "in.heic", folder / "out.png")
        assert np.abs(opened(folder / "out.png") - picture).max() <= 3


@pytest.mark.parametrize("primaries,profile", [
    (12, matrix_profile(DISPLAY_P3, srgb_curve)), (1, None)], ids=["Display P3", "sRGB"])
@pytest.mark.parametrize("kind", CODERS)
@pytest.mark.parametrize("depth", [8, 10])
def test_code_points_describe_the_colors_without_a_profile(folder, kind, depth, primaries, profile):
    flat = np.kron(patches()[::16, ::16], np.ones((64, 16, 1), np.uint8)).astype(np.uint16)

    array = np.rint(flat * ((2**depth - 1) / 255)).astype(np.uint16)
    coded = CODERS[kind](array, depth)
    source = folder / f"in.{kind}"
    matrix = 0 if kind == "avif" else 6
    source.write_bytes(single(coded, nclx(primaries, 13, matrix), without=[b"colr"]))
    assert info(source)["colorCoding"]["codePoints"]["primaries"] == primaries
    plain = Image.fromarray(flat.astype(np.uint8))
    wanted = to_srgb(plain, profile) if profile else plain
    crop(source, folder / "srgb.png", "--srgb")
    assert distance(centers(opened(folder / "srgb.png")), centers(wanted)) <= 2
    for name, words in (("out.png", []), ("out.jpg", ["--quality", "100", "--subsampling", "444"])):
        crop(source, folder / name, *words)
        image = Image.open(folder / name)
        kept = image.info.get("icc_profile")
        assert (kept is None) == (profile is None)
        image = Image.fromarray(opened(folder / name))
        found = to_srgb(image, kept) if kept else image
        assert distance(centers(found), centers(wanted)) <= 2


@pytest.mark.parametrize("kind", ["heic", "avif"])
def test_gray_stays_gray(folder, kind):
    gray = (scene(96, 64)[..., 0]).astype(np.uint8)
    if kind == "heic":
        pillow_heif.from_pillow(Image.fromarray(gray)).save(folder / "in.heic", quality=-1)
    else:
        (folder / "in.avif").write_bytes(imagecodecs.avif_encode(gray, level=100))
    assert info(folder / f"in.{kind}")["color"] == "gray"
    crop(folder / f"in.{kind}", folder / "out.png", "--rect", "8,8,64,48")
    with Image.open(folder / "out.png") as picture:
        assert picture.mode == "L"
        assert abs(np.asarray(picture).astype(int) - gray[8:56, 8:72]).max() <= 2


@pytest.mark.parametrize("brand", ["avis", "hevc", "heic"])
def test_the_main_picture_of_a_sequence_is_cropped_and_the_rest_reported(folder, brand):
    frames = np.stack([scene(96, 64, shift) for shift in range(3)]).astype(np.uint8)
    if brand == "avis":
        source = folder / "in.avif"
        file = imagecodecs.avif_encode(frames, level=100, speed=9, pixelformat=imagecodecs.AVIF.PIXEL_FORMAT.YUV444)
        assert file[8:12] == b"avis"
    else:
        source = folder / "in.heic"
        still = single(hevc(frames[0]))
        file = still[:8] + brand.encode() + still[12:] + box(b"moov", box(b"mvhd", b"\0" * 100))
    source.write_bytes(file)
    assert info(source)["metadata"] == ["sequence"] and info(source)["pageCount"] == 1
    report = crop(source, folder / "out.png", "--rect", "10,20,60,40")
    assert [w["message"] for w in report["warnings"]] == ["left out: image sequence"]
    assert np.abs(opened(folder / "out.png").astype(int) - frames[0, 20:60, 10:70]).max() <= 3
    # A copy is complete; a file that would have to be taken apart is re-encoded.
    assert crop(source, folder / f"copy{source.suffix}")["lossless"]
    assert (folder / f"copy{source.suffix}").read_bytes() == file
    report = crop(source, folder / f"bare{source.suffix}", "--strip", "all")
    assert not report["lossless"]
    assert [w["message"] for w in report["warnings"]] == ["left out: image sequence"]
    assert b"moov" not in (folder / f"bare{source.suffix}").read_bytes()
