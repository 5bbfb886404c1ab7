"""Straightening four corners, compared with OpenCV and Pillow."""

import json
import subprocess

import numpy as np
import pytest
from conftest import BIN, IMAGES, ROOT, crop, info, run
from PIL import Image

cv2 = pytest.importorskip("cv2", reason="no OpenCV")

SAMPLES = ["still-life", "lake-at-dusk", "tilted-harbour"]
#: Recipes with invalid corners, for an image of 100 × 100 pixels.
BAD = [
    {"quad": [{"x": x, "y": y} for x, y in corners], **rest} for corners, rest in [
        ([(10, 10), (10, 10), (90, 90), (10, 90)], {}), ([(10, 10), (90, 90), (90, 10), (10, 90)], {}),
        ([(10, 10), (10, 90), (90, 90), (90, 10)], {}), ([(10, 10), (90, 10), (30, 30), (10, 90)], {}),
        ([(10, 10), (10.5, 10), (10.5, 90), (10, 90)], {}), ([(10, 10), (50, 10), (90, 10.5), (10, 90)], {}),
        ([(10, 10), (190, 10), (90, 90), (10, 90)], {}), ([(10.01, 10), (90, 10), (90, 90), (10, 90)], {}),
        ([(10, 10), (90, 10), (90, 90), (10, 80)], {"tilt": 3}),
        ([(10, 10), (90, 10), (90, 90), (10, 80)], {"rect": {"x": 0, "y": 0, "width": 9, "height": 9}}),
    ]
]
CORNERS = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]


def words(quad):
    return ",".join(f"{n:.6f}" for corner in quad for n in corner)


def edges(quad):
    """The default size: each side as long as the longer of its two edges."""
    lengths = [np.hypot(*(quad[(i + 1) % 4] - quad[i])) for i in range(4)]
    return round(max(lengths[0], lengths[2])), round(max(lengths[1], lengths[3]))


def random_quad(width, height, seed):
    """Convex corners on the grid of 1/64 pixel."""
    random = np.random.default_rng(seed)
    while True:
        quad = np.array([(x + random.uniform(-0.2, 0.2), y + random.uniform(-0.2, 0.2)) for x, y in CORNERS])
        quad = np.round(quad * (width, height) * 64) / 64
        a, b = np.roll(quad, -1, 0) - quad, np.roll(quad, -2, 0) - np.roll(quad, -1, 0)
        if ((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) > 0.1 * np.hypot(*a.T) * np.hypot(*b.T)).all():
            return quad


def homography(quad, width, height):
    """From the result to the image, both in pixels from their corners."""
    flat = np.float64([[0, 0], [width, 0], [width, height], [0, height]])
    rows, values = [], []
    for (x, y), (u, v) in zip(flat, quad, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.append(np.linalg.solve(rows, values), 1).reshape(3, 3)


def by_opencv(pixels, matrix, size):
    """OpenCV uses pixel centers."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    return cv2.warpPerspective(
        pixels, np.linalg.inv(half) @ matrix @ half, size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE)


def decibels(found, wanted):
    return 10 * np.log10(255**2 / np.mean((found.astype(float) - wanted) ** 2))


def keys(t, a):
    """Keys' cubic convolution kernel at distances of 0 to 2 samples."""
    t = np.abs(t)
    inner = ((a + 2) * t - (a + 3)) * t * t + 1
    outer = ((a * t - 5 * a) * t + 8 * a) * t - 4 * a
    return np.where(t < 1, inner, np.where(t < 2, outer, 0))


STEP = 9


def by_definition(pixels, matrix, size, a):
    """Maps the center of each pixel of every `STEP`th row to the image, and weights the sixteen samples
    around it."""
    x, y = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(0, size[1], STEP) + 0.5)
    u, v, w = np.tensordot(matrix, np.stack([x, y, np.ones_like(x)]), 1)
    u, v = u / w - 0.5, v / w - 0.5
    left, top = np.floor(u).astype(int), np.floor(v).astype(int)
    height, width = pixels.shape[:2]
    total = np.zeros((*x.shape, 3))
    for row in range(-1, 3):
        for column in range(-1, 3):
            weight = keys(u - left - column, a) * keys(v - top - row, a)
            at = pixels[np.clip(top + row, 0, height - 1), np.clip(left + column, 0, width - 1)]
            total += weight[..., None] * at
    return np.clip(total + 0.5, 0, 255).astype(np.uint8)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SAMPLES)
def test_random_quads_of_photos_are_those_of_opencv_and_pillow(folder, name, seed):
    """The same definition gives CropKit's result with a kernel of a = −1/2, OpenCV's with −3/4 and Pillow's
    with −1, so only the kernels differ. Compared with OpenCV, a photo as soft as a camera's still has 45 dB."""
    photo = Image.open(ROOT / f"Samples/{name}.jpg").convert("RGB")
    photo = photo.resize((photo.width * 2, photo.height * 2), Image.Resampling.LANCZOS)
    photo.save(folder / "in.png", compress_level=1)
    pixels = np.asarray(photo)
    quad = random_quad(*photo.size, seed)
    crop(folder / "in.png", folder / "out.png", "--quad", words(quad))
    found = np.asarray(Image.open(folder / "out.png"))
    size = edges(quad)
    assert found.shape == (size[1], size[0], 3)
    matrix = homography(quad, *size)
    assert decibels(found[::STEP], by_definition(pixels, matrix, size, -0.5)) >= 55
    peer = by_opencv(pixels, matrix, size)
    assert decibels(peer[::STEP], by_definition(pixels, matrix, size, -0.75)) >= 45
    assert decibels(found, peer) >= 45
    other = np.asarray(photo.transform(
        size, Image.Transform.PERSPECTIVE, matrix.flatten()[:8].tolist(), Image.Resampling.BICUBIC))
    assert decibels(other[::STEP], by_definition(pixels, matrix, size, -1)) >= 45
    assert decibels(found, other) >= 42


def test_noise_is_within_a_step_of_the_definition(folder):
    """Noise, the sharpest possible image, at every depth of perspective."""
    pixels = np.random.default_rng(8).integers(0, 256, (300, 400, 3), np.uint8)
    Image.fromarray(pixels).save(folder / "in.png")
    for seed in range(5):
        quad = random_quad(400, 300, 300 + seed)
        crop(folder / "in.png", folder / "out.png", "--quad", words(quad))
        size = edges(quad)
        wanted = by_definition(pixels, homography(quad, *size), size, -0.5)
        found = np.asarray(Image.open(folder / "out.png"))[::STEP]
        # Positions are off by up to half of 1/1024 pixel, which noise shows.
        steps = np.abs(found.astype(int) - wanted)
        assert steps.max() <= 2 and (steps > 1).mean() < 0.001


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", ["RGB", "L", "I;16", "RGBA"])
def test_all_sample_types_are_straightened(folder, mode, seed):
    """Smooth images, so that kernels make no difference."""
    y, x = np.mgrid[0:300, 0:400]
    wave = 0.5 + 0.25 * np.sin(x / 25) + 0.2 * np.cos(y / 31)
    if mode == "I;16":
        pixels = (wave * 65535).astype(np.uint16)
    else:
        bands = [(wave * 255), (255 - wave * 200), (x / 2), np.full_like(wave, 255)]
        pixels = np.stack(bands[: len(mode)], -1).astype(np.uint8).squeeze()
    Image.fromarray(pixels).save(folder / "in.png")
    quad = random_quad(400, 300, 100 + seed)
    crop(folder / "in.png", folder / "out.png", "--quad", words(quad))
    found = np.asarray(Image.open(folder / "out.png"))
    assert found.dtype == pixels.dtype or mode == "I;16"
    size = edges(quad)
    wanted = by_opencv(pixels, homography(quad, *size), size)
    most = 60 if mode == "I;16" else 2
    assert np.abs(found.astype(int) - wanted).max() <= most


FORMATS = ["jpg", "png", "webp", "tif", "gif", "heic", "avif", "jxl"]


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("suffix", FORMATS)
def test_all_formats_are_straightened(folder, suffix, mode):
    if mode == "RGBA" and suffix == "jpg":
        pytest.skip("a JPEG has no alpha")
    picture = Image.open(ROOT / "Samples/still-life.jpg").convert("RGB").resize((330, 248))
    if mode == "RGBA":
        picture.putalpha(Image.linear_gradient("L").resize(picture.size))
    picture.save(folder / "source.png")
    run("crop", folder / "source.png", "-o", folder / f"in.{suffix}", "--force")
    # The complete image, without changing a pixel.
    crop(folder / f"in.{suffix}", folder / "whole.png", "--rect", "0,0,330,248")
    quad = words(random_quad(330, 248, 70))
    crop(folder / f"in.{suffix}", folder / "found.png", "--quad", quad)
    crop(folder / "whole.png", folder / "wanted.png", "--quad", quad)
    found, wanted = (np.asarray(Image.open(folder / f"{name}.png").convert("RGBA")) for name in ("found", "wanted"))
    assert (found == wanted).all()
    if mode == "RGBA" and suffix != "gif":
        assert len(np.unique(found[..., 3])) > 50
    # And in its own format.
    same = crop(folder / f"in.{suffix}", folder / f"out.{suffix}", "--quad", quad)
    assert (same["width"], same["height"]) == found.shape[1::-1]


@pytest.mark.parametrize("suffix", ["png", "tif", "heic", "avif", "jxl"])
def test_sixteen_bits_are_kept(folder, suffix):
    y, x = np.mgrid[0:120, 0:160]
    pixels = np.stack([x * 400, y * 500, 65535 - x * 200], -1).astype(np.uint16)
    cv2.imwrite(str(folder / "source.png"), pixels)
    run("crop", folder / "source.png", "-o", folder / f"in.{suffix}", "--force")
    crop(folder / f"in.{suffix}", folder / f"out.{suffix}", "--quad", "10,8,150,12.5,140,110,5,100")
    before, after = info(folder / f"in.{suffix}"), info(folder / f"out.{suffix}")
    assert before["bitDepth"] > 8 and after["bitDepth"] == before["bitDepth"]


@pytest.mark.parametrize("name", [f"a.{suffix}" for suffix in FORMATS])
def test_the_corners_of_a_rectangle_give_an_ordinary_crop(folder, name):
    Image.open(ROOT / "Samples/still-life.jpg").resize((330, 248)).save(folder / "source.png")
    run("crop", folder / "source.png", "-o", folder / name, "--force")
    crop(folder / name, folder / f"1-{name}", "--rect", "50,40,200,120")
    crop(folder / name, folder / f"2-{name}", "--quad", "50,40,250,40,250,160,50,160")
    assert (folder / f"1-{name}").read_bytes() == (folder / f"2-{name}").read_bytes()
    # Corners in another order can't be a rectangle: the pixels are sampled, and are the same after turning.
    crop(folder / name, folder / "plain.png", "--rect", "50,40,200,120")
    crop(folder / name, folder / "turned.png", "--quad", "50,160,50,40,250,40,250,160")
    plain, turned = (np.asarray(Image.open(folder / f).convert("RGB")) for f in ("plain.png", "turned.png"))
    assert (np.rot90(plain, -1) == turned).all()


@pytest.mark.parametrize("seed", range(3))
def test_a_chessboard_is_straight_to_a_tenth_of_a_pixel(folder, seed):
    """Drawn sharply on a fine raster, in perspective, then averaged: its corners are known exactly."""
    squares, side, fine = 8, 90, 4
    board = np.kron(np.indices((squares, squares)).sum(0) % 2, np.ones((side * fine,) * 2)) * 255
    quad = random_quad(1800, 1400, 50 + seed)
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    matrix = np.linalg.inv(half) @ homography(quad * fine, *board.shape) @ half
    seen = cv2.warpPerspective(
        board.astype(np.float32), matrix, (1800 * fine, 1400 * fine), flags=cv2.INTER_LINEAR, borderValue=128)
    seen = seen.reshape(1400, fine, 1800, fine).mean((1, 3))
    Image.fromarray(np.clip(seen + 0.5, 0, 255).astype(np.uint8)).save(folder / "in.png")
    length = squares * side
    crop(folder / "in.png", folder / "out.png", "--quad", words(quad), "--size", f"{length}x{length}")
    found = np.asarray(Image.open(folder / "out.png")).astype(np.float32)
    wanted = np.array(
        [[(x * side - 0.5, y * side - 0.5) for x in range(1, squares)] for y in range(1, squares)]
    ).reshape(-1, 1, 2)
    corners = cv2.cornerSubPix(
        found.astype(np.uint8), wanted.astype(np.float32), (16, 16), (-1, -1),
        (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 100, 1e-4))
    # Each corner is at its position, so each line of them is straight.
    assert np.abs(corners - wanted).max() < 0.1


def test_the_size_of_a_sheet(folder):
    Image.new("RGB", (800, 600), "white").save(folder / "in.png")
    quad = "200,100,600,120,650,500,150,480"
    for size, ratio in (("a4", 297 / 210), ("letter", 11 / 8.5), ("square", 1), ("3:2", 1.5), ("2:3", 1.5)):
        answer = crop(folder / "in.png", folder / "out.png", "--quad", quad, "--size", size)
        assert abs(answer["width"] / answer["height"] - ratio) < 0.004
    answer = crop(folder / "in.png", folder / "out.png", "--quad", quad, "--size", "300x100")
    assert (answer["width"], answer["height"]) == (300, 100)
    answer = crop(folder / "in.png", folder / "out.png", "--quad", quad, "--max-side", "250")
    assert (answer["width"], answer["height"]) == (250, 192)


@pytest.mark.parametrize(
    ("quad", "reason"),
    [
        ("10,10,10,10,90,90,10,90", "have no area"),
        ("10,10,90,90,90,10,10,90", "edges cross"),
        ("10,10,10,90,90,90,90,10", "counterclockwise"),
        ("10,10,90,10,30,30,10,90", "points inwards"),
        ("10,10,10.5,10,10.5,90,10,90", "too close"),
        ("10,10,50,10,90,10.5,10,90", "nearly a triangle"),
        ("10,10,190,10,90,90,10,90", "partly outside the image; the image is 100 × 100"),
        ("10,10,nan,10,90,90,10,90", "expected X1,Y1,X2,Y2"),
        ("10,10,90,10,90,90,10", "expected X1,Y1,X2,Y2"),
    ],
)
def test_bad_corners_are_one_clear_error(folder, quad, reason):
    Image.new("RGB", (100, 100)).save(folder / "in.png")
    done = subprocess.run(
        [BIN / "cropkit", "crop", folder / "in.png", "-o", folder / "out.png", "--quad", quad],
        capture_output=True, text=True, check=False)
    assert done.returncode == 64
    assert reason in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (folder / "out.png").exists()


@pytest.mark.parametrize("recipe", BAD)
def test_a_bad_recipe_is_the_same_error_in_every_program(folder, recipe):
    Image.new("RGB", (100, 100)).save(folder / "in.png")
    recipe = {"version": 2, **recipe}
    (folder / "r.json").write_text(json.dumps(recipe))
    done = subprocess.run(
        [BIN / "cropkit", "crop", folder / "in.png", "-o", folder / "out.png", "--recipe", folder / "r.json"],
        capture_output=True, text=True, check=False)
    assert done.returncode != 0 and len(done.stderr.strip().splitlines()) == 1
    line = {"input": str(folder / "in.png"), "output": str(folder / "out.png"), "recipe": recipe}
    batch = subprocess.run(
        [BIN / "cropkit", "batch", "--stream", "-"], input=json.dumps(line), capture_output=True, text=True, check=False)
    message = json.loads(batch.stdout.splitlines()[0])["error"]["message"]
    assert message in done.stderr
    assert "corner" in message and not (folder / "out.png").exists()


@pytest.mark.thorough
def test_only_the_area_between_the_corners_of_a_large_jpeg_is_decoded(folder):
    """The complete image takes 240 MB, four times the limit."""
    small = Image.open(ROOT / "Samples/still-life.jpg").convert("RGB")
    small.resize((10000, 8000)).save(folder / "in.jpg", quality=90)
    limit = ("--limit-memory", "60M")
    crop(folder / "in.jpg", folder / "out.png", "--quad", "7000,6000,7400,6050,7350,6400,6950,6380", *limit)
    whole = np.asarray(Image.open(folder / "in.jpg"))[5900:6500, 6900:7500]
    Image.fromarray(whole).save(folder / "part.png")
    crop(folder / "part.png", folder / "same.png", "--quad", "100,100,500,150,450,500,50,480")
    found, wanted = (np.asarray(Image.open(folder / f)) for f in ("out.png", "same.png"))
    assert (found == wanted).all()


def test_profile_and_metadata_stay_and_the_recipe_is_written(folder):
    source = IMAGES / "icc-adobergb-canon7d.jpg"
    if not source.exists():
        pytest.skip(f"no picture {source}; set CROPKIT_IMAGES")
    before = info(source)
    quad = "40,30,60%,50,90%,90%,20,80%"
    answer = crop(source, folder / "out.jpg", "--quad", quad)
    after = info(folder / "out.jpg")
    assert not answer["lossless"]
    assert after["profileName"] == before["profileName"]
    recipe = json.loads(run("recipe", source, "--quad", quad))
    assert recipe["version"] == 2 and "rect" not in recipe
    (folder / "r.json").write_text(json.dumps(recipe))
    crop(source, folder / "again.jpg", "--recipe", folder / "r.json")
    assert (folder / "again.jpg").read_bytes() == (folder / "out.jpg").read_bytes()
    assert "sharp can't straighten four corners" in subprocess.run(
        [BIN / "cropkit", "recipe", source, "--quad", quad, "--to", "sharp"], capture_output=True, text=True,
        check=False).stderr


@pytest.mark.parametrize(("turns", "wanted"), [
    ([], [(100, 80), (700, 120), (660, 520), (140, 480)]),
    (["--rotate", "90"], [(120, 140), (520, 100), (480, 700), (80, 660)]),
    (["--flip", "horizontal"], [(100, 120), (700, 80), (660, 480), (140, 520)]),
    (["--rotate", "270", "--size", "a4"], [(120, 100), (520, 140), (480, 660), (80, 700)]),
])
def test_the_corners_of_a_sheet_are_found_in_the_frame(folder, turns, wanted):
    pixels = np.zeros((600, 800, 3), np.uint8)
    cv2.fillPoly(pixels, [np.array([(100, 80), (700, 120), (660, 520), (140, 480)])], (255, 255, 255), cv2.LINE_AA)
    Image.fromarray(pixels).save(folder / "in.png")
    report = crop(folder / "in.png", folder / "out.png", "--quad", "auto", *turns)
    (warning,) = report["warnings"]
    assert warning["code"] == "corners-found"
    found = warning["message"].rpartition(" ")[2]
    corners = np.reshape([int(number) for number in found.split(",")], (4, 2))
    assert np.abs(corners - wanted).max() <= 4, corners
    crop(folder / "in.png", folder / "given.png", "--quad", found, *turns)
    assert (folder / "given.png").read_bytes() == (folder / "out.png").read_bytes()
    recipe = json.loads(run("recipe", folder / "in.png", "--quad", "auto", *turns))
    assert [(corner["x"], corner["y"]) for corner in recipe["quad"]] == [tuple(corner) for corner in corners]


def test_an_image_without_a_sheet_is_refused_by_name(folder):
    Image.new("RGB", (64, 64)).save(folder / "blank.png")
    done = subprocess.run(
        [BIN / "cropkit", "crop", folder / "blank.png", "--quad", "auto", "-o", folder / "out.png"],
        capture_output=True, text=True, check=False)
    assert done.returncode == 64
    assert "blank.png: no sheet, painting or screen stands out in it; give the four corners" in done.stderr
