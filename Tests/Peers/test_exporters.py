"""Recipes written for other programs give the same pixels there, however the image is stored and turned."""

import contextlib
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pytest
from conftest import crop, run
from PIL import Image, ImageOps

pytestmark = pytest.mark.thorough

ORIENTATIONS = range(1, 9)
#: Edits of the upright image, 96 × 64; turned, its frame is 64 × 96.
EDITS = [
    ["--rect", "10,7,40,30"],
    ["--rect", "0,0,41,64"],
    ["--flip", "horizontal", "--rect", "10,7,40,30"],
    ["--rotate", "90", "--rect", "7,10,30,40"],
    ["--rotate", "180", "--rect", "10,7,40,30"],
    ["--rotate", "270", "--rect", "7,10,30,40"],
    ["--flip", "horizontal", "--rotate", "90", "--rect", "7,10,30,40"],
    ["--flip", "vertical", "--rect", "10,7,40,30"],
    ["--flip", "horizontal", "--rotate", "270", "--rect", "7,10,30,40"],
    ["--rotate", "90"],
]


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    """The same upright image, stored in each of the eight orientations."""
    folder = tmp_path_factory.mktemp("photos")
    rows = np.random.default_rng(15).integers(0, 256, (8, 12, 3), np.uint8).repeat(8, 0).repeat(8, 1)
    rows[::3, ::5, 0] ^= 90
    upright = Image.fromarray(rows)
    turns = {1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
             4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE,
             6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270}
    for orientation, turn in turns.items():
        exif = Image.Exif()
        exif[0x0112] = orientation
        stored = upright.transpose(turn) if turn is not None else upright
        stored.save(folder / f"{orientation}.jpg", quality=95, subsampling=0, exif=exif)
    return folder


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def wanted(path, words):
    """Pillow's result, by the definition of a recipe."""
    options = dict(zip(words[::2], words[1::2]))
    with Image.open(path) as image:
        image = ImageOps.exif_transpose(image).convert("RGB")
    match options.get("--flip"):
        case "horizontal": image = ImageOps.mirror(image)
        case "vertical": image = ImageOps.flip(image)
    if turn := int(options.get("--rotate", 0)):
        image = image.rotate(-turn, expand=True)
    if "--rect" in options:
        x, y, width, height = map(int, options["--rect"].split(","))
        image = image.crop((x, y, x + width, y + height))
    return np.asarray(image)


def shell(text, source, target, folder):
    text = text.replace("INPUT", shlex.quote(str(source))).replace("OUTPUT", shlex.quote(str(target)))
    done = subprocess.run(text, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{text}: {done.stderr}"
    return pixels(target)


def by_vips(text, source, folder):
    return shell(text, source, folder / "out.png", folder)


def by_imagemagick(text, source, folder):
    program, rest = text.split(" ", 1)
    assert program == "magick"
    # Version 6 has the same commands under its old name.
    program = next(p for p in ("magick", "convert-im6.q16", "convert-im6.q16hdri") if shutil.which(p))
    return shell(f"{program} {rest}", source, folder / "out.png", folder)


@pytest.mark.parametrize(("name", "program", "cut"), [
    ("vips", ["vips"], by_vips),
    ("imagemagick", ["magick", "convert-im6.q16", "convert-im6.q16hdri"], by_imagemagick),
])
@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_the_text_gives_the_same_pixels(photos, folder, orientation, name, program, cut):
    if not any(map(shutil.which, program)):
        pytest.skip(f"no {program[0]}")
    source = photos / f"{orientation}.jpg"
    for words in EDITS:
        text = run("recipe", source, "--to", name, *words).strip()
        assert np.array_equal(cut(text, source, folder), wanted(source, words)), text
        crop(source, folder / "own.png", *words)
        assert np.array_equal(pixels(folder / "own.png"), wanted(source, words)), words


@pytest.mark.parametrize("orientation", [1, 6, 7])
def test_a_result_of_another_size_has_that_size(photos, folder, orientation):
    source = photos / f"{orientation}.jpg"
    for words in EDITS:
        with_size = [*words, "--max-side", "20"]
        size = crop(source, folder / "own.png", *with_size)
        for name, cut in (("vips", by_vips), ("imagemagick", by_imagemagick)):
            text = run("recipe", source, "--to", name, *with_size).strip()
            assert cut(text, source, folder).shape[:2] == (size["height"], size["width"]), text


@pytest.fixture(scope="module")
def thumbor(photos):
    """The address of a server of the photos, with the setting that its parameters require."""
    pytest.importorskip("thumbor")
    config = photos / "thumbor.conf"
    config.write_text(
        f"LOADER = 'thumbor.loaders.file_loader'\nFILE_LOADER_ROOT_PATH = {str(photos)!r}\n"
        "STORAGE = 'thumbor.storages.no_storage'\nRESPECT_ORIENTATION = True\nALLOW_UNSAFE_URL = True\n")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "thumbor.server", "-i", "127.0.0.1", "-p", str(port), "-c", config, "-l", "error"],
        stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(3000):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/healthcheck") as answer:
                assert answer.status == 200
                break
            assert server.poll() is None, "thumbor did not start"
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_thumbor_gives_the_same_pixels(photos, folder, thumbor, orientation):
    source = photos / f"{orientation}.jpg"

    def ask(text):
        # PNG, so that the response has exactly the cropped pixels.
        text = text.replace("filters:", "filters:format(png):") if "filters:" in text else f"{text}/filters:format(png)"
        with urllib.request.urlopen(f"{thumbor}/unsafe/{text}/{source.name}") as answer:
            (folder / "out.png").write_bytes(answer.read())
        return pixels(folder / "out.png")

    for words in EDITS:
        text = run("recipe", source, "--to", "thumbor", *words).strip()
        assert np.array_equal(ask(text), wanted(source, words)), text
        size = crop(source, folder / "own.png", *words, "--max-side", "20")
        text = run("recipe", source, "--to", "thumbor", *words, "--max-side", "20").strip()
        assert ask(text).shape[:2] == (size["height"], size["width"]), text


def test_crops_that_a_program_can_not_express_are_rejected(photos):
    source = photos / "1.jpg"
    for words in (["--tilt", "5"], ["--shape", "ellipse"], ["--shape", "rounded:5"]):
        for name in ("sharp", "imgproxy", "thumbor", "vips", "imagemagick"):
            run("recipe", source, "--to", name, *words, status=64)
        assert run("recipe", source, "--to", "css", *words)
    run("recipe", source, "--to", "nobody", status=64)


def test_the_recipe_in_json_is_one_that_crop_takes(photos, folder):
    for orientation in ORIENTATIONS:
        source = photos / f"{orientation}.jpg"
        (folder / "recipe.json").write_text(run("recipe", source, "--rotate", "90", "--aspect", "1:1"))
        crop(source, folder / "a.png", "--recipe", folder / "recipe.json")
        crop(source, folder / "b.png", "--rotate", "90", "--aspect", "1:1")
        assert (folder / "a.png").read_bytes() == (folder / "b.png").read_bytes()
