"""The wheel does the main job in an empty environment, with the programs that it contains."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from conftest import BIN, encoded

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.thorough


def run(*words: str | Path, **environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CROPKIT_PROGRAM")}
    done = subprocess.run(words, env={**clean, **environment}, capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stderr
    return done.stdout


def pack(folder: Path) -> Path:
    """The wheel of the tested programs; what is linked into them is only known when a release is made."""
    linked = folder / "linked"
    folder.mkdir(exist_ok=True)
    linked.write_text("cropkit\tCropCore\ncropkit-worker\tCropCore\n")
    run(
        ROOT / "Scripts/wheel.sh",
        CROPKIT_BIN=os.path.abspath(BIN),
        CROPKIT_LINKED=str(linked),
        CROPKIT_DIST=str(folder),
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return pack(tmp_path_factory.mktemp("dist"))


def test_its_tag_is_the_platform_of_its_programs(wheel):
    assert wheel.name.startswith("cropkit-")
    assert "-py3-none-manylinux_2_" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        modes = {one.filename: one.external_attr >> 16 for one in archive.infolist()}
    assert {name for name, mode in modes.items() if mode & 0o111} == {
        "cropkit/bin/cropkit",
        "cropkit/bin/cropkit-worker",
    }
    assert {"cropkit/py.typed", "cropkit/spark/__init__.py"} <= modes.keys()
    assert not any("test" in name for name in modes)


def test_its_page_on_an_index_is_complete(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        head, _, text = archive.read(name).decode().partition("\n\n")
    fields = [line.split(": ", 1) for line in head.splitlines() if ": " in line]
    assert ["Author", "CropKit contributors"] in fields
    urls = dict(value.split(", ") for field, value in fields if field == "Project-URL")
    assert {"Homepage", "Documentation", "Changelog", "Issues"} == urls.keys()
    links = re.findall(r"\]\(([^)]*)\)", text)
    assert len(links) >= 4
    assert all(link.startswith(urls["Homepage"] + "/") for link in links)
    assert "make " not in text
    (minor,) = re.findall(r"glibc 2\.(\d+)", text)
    assert f"manylinux_2_{minor}_" in wheel.name


def test_it_has_the_same_bytes_again(wheel, tmp_path):
    again = pack(tmp_path / "again")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_an_empty_environment_runs_the_main_job(wheel, tmp_path):
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    run(python, "-m", "pip", "install", "-q", "--no-index", "--disable-pip-version-check", wheel)
    (tmp_path / "photo.jpg").write_bytes(encoded())
    # The path is empty, so no other program can be found.
    script = f"""
import cropkit
assert cropkit.program().startswith({str(tmp_path / "venv")!r}), cropkit.program()
made = cropkit.crop({str(tmp_path / "photo.jpg")!r}, {str(tmp_path / "part.jpg")!r}, rect=(16, 16, 32, 32))
assert made.lossless and (made.width, made.height) == (32, 32), made
webp = cropkit.crop_bytes({str(tmp_path / "photo.jpg")!r}, aspect="1:1", format="webp")
assert webp[8:12] == b"WEBP"
with cropkit.Pool(jobs=2) as pool:
    crops = [cropkit.Crop({str(tmp_path / "photo.jpg")!r}, rect=(0, 0, 16, side)) for side in range(1, 9)]
    assert [result.height for result in pool.map(crops)] == list(range(1, 9))
assert cropkit.__version__ == cropkit.version()
print(cropkit.version())
"""
    version = run(python, "-c", script, PATH="/nowhere").strip()
    assert wheel.name.split("-")[1] == version
    assert run(python, "-m", "cropkit", "--version").startswith(version)


def test_a_clone_packs_the_programs_that_were_built(tmp_path):
    for name in ("Python", "Packaging/project.sh", "Tools/Sources/CVersion/version.c"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("bin", "__pycache__"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for built in (True, False):
        for program in ("cropkit", "cropkit-worker"):
            if built:
                shutil.copy("/bin/true", tmp_path / "bin" / program)
            else:
                (tmp_path / "bin" / program).unlink()
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / f"dist-{built}"],
            cwd=tmp_path / "Python", capture_output=True, check=True,
        )  # fmt: skip
        (wheel,) = (tmp_path / f"dist-{built}").glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            packed = sorted(name for name in archive.namelist() if "/bin/" in name)
        assert packed == (["cropkit/bin/cropkit", "cropkit/bin/cropkit-worker"] if built else [])
