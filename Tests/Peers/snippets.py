"""A folder with the files that the documentation names, and the programs on the path."""

import os
import shutil

import gainmap
import numpy as np
import pytest
from conftest import BIN, ROOT, run
from PIL import Image, ImageDraw


def install_node_package(folder):
    """Installs the npm package `cropkit` with its sources, and its command."""
    package = folder / "node_modules/cropkit"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "cropkit", "type": "module", "exports": "./index.js"}')
    (package / "index.js").write_text(f"export * from '{ROOT}/Web/Program/index.js';")
    (folder / "node_modules/.bin").mkdir()
    (folder / "node_modules/.bin/cropkit").symlink_to(ROOT / "Web/Program/command.js")


@pytest.fixture(scope="session")
def material(tmp_path_factory):
    """Photos, a sheet, scans, sidecars, a batch. `photo.jpg` is a sample, so that readers see the same output."""
    folder = tmp_path_factory.mktemp("material")
    shutil.copy(ROOT / "Samples/lake-at-dusk.jpg", folder / "photo.jpg")
    print_ = Image.linear_gradient("L").resize((2480, 2800)).point(lambda level: level // 2)
    sheet = Image.new("RGB", (2600, 2920), "white")
    sheet.paste(print_, (60, 60))
    sheet.save(folder / "sheet.jpg", quality=95)
    desk = Image.new("RGB", (1200, 900), "#3d2b1f")
    ImageDraw.Draw(desk).polygon([(300, 120), (860, 150), (910, 800), (260, 780)], fill="#f4f1ea")
    desk.save(folder / "desk.jpg", quality=95)
    scan = Image.new("RGB", (1000, 1400), "white")
    scan.paste(print_.resize((800, 1200)), (90, 110))
    scan.save(folder / "scan.png")
    scan.save(folder / "scan.jpg", quality=95)
    scan.save(folder / "scan.tif")
    run("crop", folder / "photo.jpg", "--max-side", "320", "--format", "heic", "-o", folder / "photo.heic")
    (folder / "broken.heic").write_bytes((folder / "photo.heic").read_bytes()[:2000])
    with Image.open(folder / "photo.jpg") as photo:
        light = photo.convert("L").resize((photo.width // 4, photo.height // 4))
        (folder / "hdr.jpg").write_bytes(gainmap.photo(np.asarray(photo), np.asarray(light)))
    (folder / "products").mkdir()
    shutil.copy(folder / "photo.jpg", folder / "products/chair.jpg")
    shutil.copy(folder / "photo.heic", folder / "products/lamp.heic")
    (folder / "products/notes.txt").write_text("Prices by Friday\n")
    # A photo with the crop of another program.
    shutil.copy(folder / "photo.jpg", folder / "edited.jpg")
    run("mark", folder / "edited.jpg", "--aspect", "1:1", "--to", "lightroom")
    run("mark", folder / "edited.jpg", "--aspect", "1:1", "--to", "embedded")
    (folder / "photos/2026").mkdir(parents=True)
    shutil.copy(ROOT / "Samples/still-life.jpg", folder / "photos/2026/garden.jpg")
    (folder / "crops.jsonl").write_text('{"input": "photo.jpg", "output": "batch.jpg", "aspect": "1:1"}\n')
    (folder / "crops.csv").write_text("id,path,x,y,width,height\n1,photo.jpg,96,48,800,600\n2,photo.jpg,0,0,9000,9000\n")
    # What the README names from the root of a clone.
    (folder / "Samples").symlink_to(ROOT / "Samples")
    (folder / "Tools/.build").mkdir(parents=True)
    (folder / "Tools/.build/debug").symlink_to(BIN.resolve())
    (folder / "bin").mkdir()
    (folder / "bin/wl-copy").write_text("#!/bin/sh\nexec cat >/dev/null\n")
    (folder / "bin/wl-copy").chmod(0o755)
    return folder


@pytest.fixture
def place(material, tmp_path, monkeypatch):
    """A folder with these files, and with the programs on the path."""
    shutil.copytree(material, tmp_path, dirs_exist_ok=True, symlinks=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{BIN.resolve()}:{tmp_path}/bin:{os.environ['PATH']}")
    return tmp_path
