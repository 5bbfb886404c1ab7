"""Where the programs don't run, a WebAssembly module crops JPEGs: the same bytes, words and codes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from conftest import encoded

import cropkit
from cropkit._engine import _module
from cropkit._options import OPTIONS, WHAT

ROOT = Path(__file__).resolve().parents[2]
IMAGES = Path(os.environ.get("CROPKIT_IMAGES", ROOT / "../shared/images"))
pytestmark = pytest.mark.skipif(not _module.is_there(), reason="wasmtime or cropfile.wasm is missing")


@pytest.fixture
def alone(monkeypatch):
    """A machine without the programs."""
    monkeypatch.delenv("CROPKIT_PROGRAM", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)


def files() -> list[Path]:
    return [*sorted((ROOT / "Samples").glob("*.jpg")), *sorted(IMAGES.glob("*.jpg"))]


def corpora() -> list[Path]:
    return [
        path for name in ("JPEG", "Metadata", "Headers") for path in sorted((ROOT / "Fuzz/Corpora" / name).iterdir())
    ]


def test_it_says_what_makes_crops(alone, monkeypatch):
    assert cropkit.programs() == ("wasmtime", str(_module.FILE))
    monkeypatch.setenv("CROPKIT_PROGRAM", "/somewhere/cropkit")
    assert cropkit.programs() == ("native", "/somewhere/cropkit")


def test_without_both_the_error_names_both(alone, monkeypatch):
    monkeypatch.setattr(_module, "is_there", lambda: False)
    for use in (cropkit.programs, cropkit.program, cropkit.Pool):
        with pytest.raises(cropkit.ProgramError, match=r"there is no program cropkit.*pip install 'cropkit\[any\]'"):
            use()


def test_a_crop_is_that_of_the_program(photo, tmp_path, monkeypatch):
    path = photo()
    how = {"rect": (16, 32, 61, 43), "strip": "location", "rotate": 90, "lossless": "snap"}
    native = cropkit.crop_bytes(path, **how)
    monkeypatch.delenv("CROPKIT_PROGRAM")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert cropkit.crop_bytes(path, **how) == native
    assert cropkit.crop_bytes(path.read_bytes(), **how) == native
    made = cropkit.crop(path, tmp_path / "part.jpg", **how)
    assert (tmp_path / "part.jpg").read_bytes() == native
    assert (made.lossless, made.format, made.byte_count, made.data) == (True, "jpeg", len(native), None)
    assert made.output == str(tmp_path / "part.jpg")
    recipe = {"version": 1, "rect": {"x": 16, "y": 16, "width": 64, "height": 64}, "quarterTurns": 1}
    assert cropkit.crop_bytes(path, recipe=recipe)[:2] == b"\xff\xd8"


@pytest.mark.parametrize(
    "how", [{"rect": (-8, 0, 64, 64)}, {"rect": (0, 8, 9, 999), "rotate": 90}, {"rect": (999, 0, 8, 8)}]
)
def test_a_rectangle_outside_is_rejected_in_the_same_words(photo, monkeypatch, how):
    path = photo()
    with pytest.raises(cropkit.CropError) as native:
        cropkit.crop_bytes(path, **how)
    monkeypatch.delenv("CROPKIT_PROGRAM")
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(cropkit.CropError) as own:
        cropkit.crop_bytes(path, **how)
    assert own.value.message == native.value.message


def test_outputs_are_never_overwritten_by_accident(alone, photo, tmp_path):
    path = photo()
    part = tmp_path / "part.jpg"
    cropkit.crop(path, part, rect=(0, 0, 16, 16))
    before = part.read_bytes()
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop(path, part, rect=(0, 0, 32, 32))
    assert (caught.value.code, caught.value.exit_status) == ("output-exists", 73)
    assert caught.value.message.endswith("already exists; use force=True to overwrite it")
    assert part.read_bytes() == before
    cropkit.crop(path, part, rect=(0, 0, 32, 32), force=True, keep_time=True)
    assert part.stat().st_mtime_ns == path.stat().st_mtime_ns
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop(path, path, rect=(0, 0, 32, 32), force=True)
    assert caught.value.code == "output-is-input"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["part.jpg", "photo.jpg"]


def test_what_needs_a_decoder_is_one_sentence_that_names_the_programs(alone, photo, tmp_path):
    path = photo()
    png = encoded(format="png")
    for source, how in (
        (png, {}),
        (path, {"tilt": 1}),
        (path, {"shape": "ellipse"}),
        (path, {"max_side": 16}),
        (path, {"trim": True}),
        (path, {"quad": "auto"}),
        (path, {"format": "webp"}),
        (path, {"canvas": "1:1"}),
        (path, {"crop_from": "xmp"}),
        (path, {"rect": (1, 1, 16, 16)}),
        (path, {"max_bytes": 10}),
    ):
        with pytest.raises(cropkit.CropError) as caught:
            cropkit.crop_bytes(source, **how)
        assert (caught.value.code, caught.value.exit_status) == ("component-missing", 69), how
        assert "programs for Linux, cropkit and cropkit-worker" in caught.value.message
        assert not {"{", "\n"} & set(caught.value.message)
    with pytest.raises(cropkit.CropError, match="resume"):
        cropkit.Pool(resume=True)


def test_a_pool_makes_crops_in_threads(alone, photo):
    path = photo()
    crops = [cropkit.Crop(path, rect=(16 * (number % 10), 0, 16, 16)) for number in range(50)]
    with cropkit.Pool(jobs=2) as pool:
        results = list(pool.map(crops))
        outcomes = list(pool.map([*crops[:2], cropkit.Crop(b"no image"), crops[2]], errors="return"))
    assert [result.rect.x for result in results] == [16 * (number % 10) for number in range(50)]
    assert [getattr(one, "code", "made") for one in outcomes] == ["made", "made", "unsupported-format", "made"]
    assert not any(thread.name.startswith("cropkit_") for thread in threading.enumerate())
    with pytest.raises(cropkit.ProgramError, match="closed"):
        pool.submit(crops[0])


def test_files_that_once_stopped_a_parser_give_a_crop_or_one_error(alone):
    crops = [
        cropkit.Crop(path.read_bytes(), **how)
        for path in corpora()
        for how in ({}, {"aspect": "1:1"}, {"rect": (0, 0, 8, 8), "lossless": "snap", "lenient": True})
    ]
    with cropkit.Pool(jobs=2) as pool:
        for outcome in pool.map(crops, errors="return"):
            assert isinstance(outcome, cropkit.Result) or outcome.code not in ("worker-died", "program-died")


def random_crop(numbers: random.Random, path: Path, width: int, height: int) -> cropkit.Crop:
    def grid(side: int) -> int:
        return numbers.randrange(max(1, side // 16)) * 16

    place = grid if numbers.random() < 0.7 else numbers.randrange
    x, y = place(width), place(height)
    rect = {"x": x, "y": y, "width": numbers.randint(1, width - x), "height": numbers.randint(1, height - y)}
    turn = {} if numbers.random() < 0.6 else {"rotate": numbers.choice([90, 180, 270])}
    if numbers.random() < 0.2:
        turn["flip"] = numbers.choice(["horizontal", "vertical"])
    focus = {"focus": (numbers.random(), numbers.random())}
    mirrored = numbers.random() < 0.3
    recipe = {"version": 1, "rect": rect, "quarterTurns": numbers.randrange(4), "mirrored": mirrored}
    what = numbers.choice(
        [
            {"rect": tuple(rect.values())},
            {"rect": tuple(rect.values())},
            {"rect": (x - 40, y - 40, width, height), "outside": "clamp"},
            {"aspect": numbers.choice(["1:1", "16:9", 0.8]), **turn},
            {"aspect": "4:5", **focus, **turn},
            {"rect": f"{rect['width']}x{rect['height']}", "gravity": numbers.choice(["north", "southwest", "center"])},
            {"inset": numbers.choice([16, "5%", "8,16,24,32"]), **turn},
            {"max_side": numbers.choice([64, 100000])},
            {"size": numbers.choice(["35x45mm", "10x15cm", "300x200mm"]), **turn},
            {"size": "4x6in", "bleed": "3mm", **focus},
            {"recipe": recipe},
            dict(turn),
        ]
    )
    how = {
        "lossless": numbers.choice(["exact", "snap", "strict", "outward", "snap", "never"]),
        "strip": numbers.choice(["none", "none", "all", "location"]),
        "hdr": numbers.choice(["keep", "drop"]),
        "dpi": numbers.choice([None, None, None, 20, 300]),
    }
    return cropkit.Crop(path, **what, **how)


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.thorough)])
def test_random_crops_are_those_of_the_program(count, monkeypatch):
    numbers = random.Random(53)
    sizes = []
    for path in files():
        try:
            info = cropkit.info(path)
            sizes.append((path, info.width, info.height))
        except cropkit.CropError:
            sizes.append((path, 100, 100))
    crops = [random_crop(numbers, *numbers.choice(sizes)) for _ in range(count)]
    with cropkit.Pool(jobs=2) as pool:
        natives = list(pool.map(crops, errors="return"))
    monkeypatch.delenv("CROPKIT_PROGRAM")
    monkeypatch.setattr("shutil.which", lambda name: None)
    equal, warned = 0, set()
    with cropkit.Pool(jobs=2) as pool:
        for crop, native, own in zip(crops, natives, pool.map(crops, errors="return"), strict=True):
            if isinstance(native, cropkit.CropError):
                assert own.code in (native.code, "component-missing"), (crop, native, own)
            elif not native.lossless:
                assert own.code == "component-missing", (crop, native, own)
            elif own.__class__ is cropkit.CropError:
                # A progressive JPEG.
                assert own.code == "component-missing", (crop, native, own)
            else:
                assert (own.rect, own.width, own.height) == (native.rect or own.rect, native.width, native.height), crop
                assert own.warnings == native.warnings, crop
                warned |= {one.code for one in own.warnings}
                # Another encoder writes the samples of a map that its blocks don't fit.
                if native.gain_map != "re-coded":
                    assert own.data == native.data, crop
                    equal += 1
    assert equal > count * 0.3
    assert "metadata-dropped" in warned


def test_it_knows_every_option(alone, photo):
    path = photo()
    for name in [*WHAT, *OPTIONS]:
        with pytest.raises(cropkit.CropError) as caught:
            cropkit.crop_bytes(path, **{name: "clamp?" if name != "outside" else "clamp"})
        assert caught.value.code in ("usage", "component-missing", "invalid-recipe"), name


@pytest.mark.thorough
def test_the_wheel_for_any_system_crops_in_an_empty_environment(tmp_path):
    script = ROOT / "Scripts/wheel-any.sh"
    there = {**os.environ, "CROPKIT_DIST": str(tmp_path)}
    built = subprocess.run([script], env=there, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = [name for name in names if name.endswith("METADATA")]
        described = archive.read(metadata).decode()
    assert "cropkit/_engine/cropfile.wasm" in names
    assert not any(name.startswith("cropkit/bin") for name in names)
    assert "Requires-Dist: wasmtime" in described
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([venv / "bin/pip", "install", "-q", f"{wheel}[any]"], env=own, check=True)
    (tmp_path / "photo.jpg").write_bytes(encoded())
    script = (
        "import cropkit; print(cropkit.programs().engine); "
        "print(cropkit.crop('photo.jpg', 'part.jpg', rect=(16, 16, 64, 48)).lossless)"
    )
    clean = {"PATH": "/nowhere", "HOME": str(tmp_path)}
    done = subprocess.run([venv / "bin/python", "-c", script], cwd=tmp_path, env=clean, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "wasmtime\nTrue\n"), done.stderr
