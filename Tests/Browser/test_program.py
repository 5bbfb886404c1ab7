"""The npm package cropkit in browsers: crops with the bytes of the program."""

import json
import os
import random
import subprocess
import tarfile
from hashlib import sha256

import packed
import pytest
from conftest import BIN
from editor import wait_until
from marionette import FIREFOX

SAMPLES = sorted((packed.ROOT / "Samples").glob("*.jpg"))
COUNT = 1000 if os.environ.get("CROPKIT_TEST_ALL") else 100
PAGE = """<!doctype html><meta charset="utf-8"><title>Crops</title><script type="module">
import { open } from './package/index.js';
const crops = await (await fetch('crops.json')).json();
const photos = new Map();
window.digests = [];
for (const { photo, ...options } of crops) {
  if (!photos.has(photo)) photos.set(photo, await open(await fetch(photo)));
  const { bytes } = await photos.get(photo).crop(options);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  window.digests.push([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}
</script>"""
#: How many crops are made one after another: a busy machine takes long for all.
STEPS = [f"(window.digests ?? []).length >= {count}" for count in range(COUNT // 10, COUNT + 1, COUNT // 10)]


def random_crops():
    """Crops that are lossless, of photos by name."""
    numbers = random.Random(53)
    for _ in range(COUNT):
        what = numbers.choice([
            {"rect": f"{16 * numbers.randrange(40)},{16 * numbers.randrange(40)},{numbers.randint(1, 400)},{numbers.randint(1, 400)}"},
            {"aspect": numbers.choice(["1:1", "16:9", "4:5"]), "focus": f"{numbers.random():.2f},{numbers.random():.2f}"},
            {"inset": f"{numbers.randint(1, 30)}%", "rotate": numbers.choice([90, 180, 270])},
        ])
        yield {"photo": numbers.choice(SAMPLES).name, **what, "lossless": numbers.choice(["snap", "outward"]),
               "strip": numbers.choice(["all", "location", "none"])}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """A folder with the page, the photos and the package, and the digests of the program's crops."""
    folder = tmp_path_factory.mktemp("program")
    [tarball] = (packed.ROOT / "dist").glob("cropkit-[0-9].*[0-9].tgz")
    with tarfile.open(tarball) as archive:
        archive.extractall(folder, filter="data")
    crops = list(random_crops())
    for sample in SAMPLES:
        (folder / sample.name).write_bytes(sample.read_bytes())
    (folder / "crops.json").write_text(json.dumps(crops))
    (folder / "page.html").write_text(PAGE)
    lines = []
    for number, crop in enumerate(crops):
        options = {name: crop[name] for name in ("lossless", "strip")}
        what = {name: value for name, value in crop.items() if name not in (*options, "photo")}
        lines.append(json.dumps({"input": str(folder / crop["photo"]), "output": str(folder / f"{number}.part.jpg"),
                                 **what, "options": options}))
    subprocess.run([BIN / "cropkit", "batch", "-"], input="\n".join(lines).encode(), check=True, capture_output=True)
    return folder, [sha256((folder / f"{number}.part.jpg").read_bytes()).hexdigest() for number in range(COUNT)]


def test_random_crops_are_those_of_the_program_in_chromium(expected, new_page):
    folder, digests = expected
    page = new_page()
    with packed.serving(folder) as server:
        page.goto(f"{server.address}/page.html")
        for step in STEPS:
            wait_until(page, step)
        assert page.evaluate("window.digests") == digests


@pytest.mark.thorough
@pytest.mark.skipif(not FIREFOX, reason="needs the package firefox-esr")
def test_random_crops_are_those_of_the_program_in_firefox(expected, firefox):
    """Takes long: another browser starts."""
    folder, digests = expected
    with packed.serving(folder) as server:
        firefox.open(f"{server.address}/page.html")
        for step in STEPS:
            firefox.wait(step)
        assert firefox.run("window.digests") == digests
