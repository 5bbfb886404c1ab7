"""Detected corners: generated sheets, as seen by a camera, over real photos."""

import json
import subprocess

import numpy as np
import pytest
from conftest import IMAGES, ROOT
from PIL import Image, ImageOps

cv2 = pytest.importorskip("cv2", reason="no OpenCV")

#: Photos with a scene, not test patterns.
NAMES = ["camera-*.jpg", "icc-*.jpg", "jpeg-440-*.jpg", "webp-lossy-*", "orient-*-1.jpg"]


def backgrounds():
    paths = [path for name in NAMES for path in sorted(IMAGES.glob(name))] + sorted((ROOT / "Samples").glob("*.jpg"))
    photos = (ImageOps.exif_transpose(Image.open(path)).convert("RGB") for path in paths)
    return [np.asarray(photo) for photo in photos if min(photo.size) >= 200]


def printed(random, photos):
    """A page with lines and images, or a framed image."""
    width, height = [(700, 990), (990, 700), (800, 800), (640, 960), (900, 600)][random.integers(5)]
    kind = random.integers(4)
    if kind == 3:
        sheet = cv2.resize(photos[random.integers(len(photos))], (width, height))
        frame, color = int(random.integers(10, 50)), [int(value) for value in random.integers(0, 256, 3)]
        cv2.rectangle(sheet, (0, 0), (width - 1, height - 1), color, frame)
        return sheet
    sheet = np.full((height, width, 3), random.integers(215, 256), np.uint8)
    if kind == 2:
        sheet[:] = random.integers(150, 250, 3)
    y, ink = 60, int(random.integers(0, 110))
    while y < height - 60:
        tall = int(random.integers(60, 200))
        if random.random() < 0.12 and y + tall < height - 50:
            sheet[y:y + tall, 70:width - 70] = cv2.resize(photos[random.integers(len(photos))], (width - 140, tall))
            y += tall + 20
            continue
        x, end = 60, width - 60 - int(random.integers(0, 200))
        while x < end:
            length = int(random.integers(10, 60))
            cv2.rectangle(sheet, (x, y), (min(x + length, end), y + 9), (ink, ink, ink), -1)
            x += length + 10
        y += int(random.integers(20, 34))
    return sheet


def turned(angles):
    (sin_x, sin_y, sin_z), (cos_x, cos_y, cos_z) = np.sin(angles), np.cos(angles)
    return (np.array([[cos_y, 0, sin_y], [0, 1, 0], [-sin_y, 0, cos_y]])
            @ np.array([[1, 0, 0], [0, cos_x, -sin_x], [0, sin_x, cos_x]])
            @ np.array([[cos_z, -sin_z, 0], [sin_z, cos_z, 0], [0, 0, 1]]))


def seen(random, ratio, width, height):
    """The corners of a sheet in front of a camera, completely visible and neither tiny nor as large as the
    image."""
    while True:
        focal = random.uniform(0.8, 1.6) * max(width, height)
        flat = np.array([[-ratio, -1, 0], [ratio, -1, 0], [ratio, 1, 0], [-ratio, 1, 0]])
        points = flat @ turned(random.uniform(-1, 1, 3) * (0.6, 0.6, 0.35)).T
        points[:, 2] += random.uniform(2, 5)
        middle = np.array([width, height]) * (0.5 + random.uniform(-0.1, 0.1, 2))
        quad = points[:, :2] / points[:, 2:] * focal + middle
        share = cv2.contourArea(quad.astype(np.float32)) / (width * height)
        if (quad > 8).all() and (quad < (width - 8, height - 8)).all() and 0.12 < share < 0.85:
            return quad


def scene(photos, seed):
    """An image of 1.1 megapixels as a camera stores it, and the corners of the sheet in it."""
    random = np.random.default_rng(seed)
    width, height = (1200, 900) if random.random() < 0.5 else (900, 1200)
    photo = photos[random.integers(len(photos))]
    scale = min(photo.shape[1] / width, photo.shape[0] / height) * random.uniform(0.5, 1)
    wide, tall = int(width * scale), int(height * scale)
    left, top = random.integers(0, photo.shape[1] - wide + 1), random.integers(0, photo.shape[0] - tall + 1)
    desk = cv2.resize(photo[top:top + tall, left:left + wide], (width, height), interpolation=cv2.INTER_CUBIC)
    sheet = printed(random, photos)
    across, down = np.linspace(0, 1, sheet.shape[1])[None, :, None], np.linspace(0, 1, sheet.shape[0])[:, None, None]
    light = random.uniform(0.75, 1.05) + random.uniform(-0.2, 0.2) * across + random.uniform(-0.2, 0.2) * down
    lit = np.clip(sheet * light, 0, 255).astype(np.uint8)
    quad = seen(random, sheet.shape[1] / sheet.shape[0], width, height)
    flat = np.float32([[0, 0], [sheet.shape[1], 0], [sheet.shape[1], sheet.shape[0]], [0, sheet.shape[0]]])
    matrix = cv2.getPerspectiveTransform(flat, quad.astype(np.float32))
    laid = cv2.warpPerspective(lit, matrix, (width, height))
    mask = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), matrix, (width, height))[..., None] / 255
    moved = np.roll(mask, (int(random.integers(0, 14)), int(random.integers(-10, 10))), (0, 1))
    shadow = cv2.GaussianBlur(moved, (0, 0), random.uniform(3, 12))[..., None]
    picture = desk * (1 - random.uniform(0, 0.5) * shadow) * (1 - mask) + laid * mask
    picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.5, 1.6))
    picture += random.normal(0, random.uniform(1, 6), picture.shape)
    coded = cv2.imencode(".jpg", np.clip(picture, 0, 255), [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(70, 95))])[1]
    return cv2.imdecode(coded, cv2.IMREAD_COLOR), quad


def found(folder, pictures):
    """The corners that the page's module finds in images, in their pixels."""
    lines = []
    for number, picture in enumerate(pictures):
        (folder / f"{number}.rgba").write_bytes(cv2.cvtColor(picture, cv2.COLOR_RGB2RGBA).tobytes())
        lines.append(f"{picture.shape[1]} {picture.shape[0]} {folder / f'{number}.rgba'}")
    done = subprocess.run(
        ["node", ROOT / "Tests/Peers/sheets.mjs"], input="\n".join(lines), capture_output=True, text=True, check=True)
    return [corners and np.reshape(corners, (4, 2)) for corners in json.loads(done.stdout)]


def error(quad, wanted, picture):
    """The largest distance of a corner, as a fraction of the diagonal; it does not matter which corner is
    first."""
    farthest = min(np.hypot(*(np.roll(quad, turn, 0) - wanted).T).max() for turn in range(4))
    return farthest / np.hypot(*picture.shape[:2])


def overlap(quad, wanted):
    """The intersection divided by the union of both areas."""
    quad, wanted = quad.astype(np.float32), wanted.astype(np.float32)
    common = cv2.intersectConvexConvex(quad, wanted)[0]
    return common / (cv2.contourArea(quad) + cv2.contourArea(wanted) - common)


def whole(picture):
    height, width = picture.shape[:2]
    return np.float64([[0, 0], [width, 0], [width, height], [0, height]])


@pytest.mark.thorough
def test_the_corners_of_sheets_over_photos_are_found(tmp_path):
    photos = backgrounds()
    if len(photos) < 10:
        pytest.skip(f"few photos in {IMAGES}; set CROPKIT_IMAGES")
    scenes = [scene(photos, seed) for seed in range(120)]
    corners = found(tmp_path, [picture for picture, _ in scenes])
    errors = [1 if quad is None else error(quad, wanted, picture)
              for quad, (picture, wanted) in zip(corners, scenes, strict=True)]
    worse = [number for number, (quad, (picture, wanted)) in enumerate(zip(corners, scenes, strict=True))
             if quad is not None and overlap(quad, wanted) < overlap(whole(picture), wanted)]
    share = np.mean(np.array(errors) < 0.02)
    print(f"found {share:.1%}, median error {np.median(errors):.2%}, none proposed {sum(quad is None for quad in corners)}, "
          f"worse than the whole picture {worse}")
    assert share >= 0.8
    assert not worse


def test_in_a_photo_without_a_sheet_little_is_proposed(tmp_path):
    photos = backgrounds()
    corners = found(tmp_path, photos)
    assert sum(quad is not None for quad in corners) <= len(photos) // 2
