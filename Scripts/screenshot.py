#!/usr/bin/env python3
"""Takes the README's pictures, docs/*.jpg: the page's editor, targets and library, the crop screen for iOS.

Runs the built server over a folder of photos made for it: parts of the samples, so that there are many.
"""

import argparse
import datetime
import io
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from PIL import Image, ImageOps
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))
from conftest import serving, signing_in  # noqa: E402
from editor import open_photo  # noqa: E402

ALBUMS = {"Garden": 9, "Harbour": 16, "Lisbon 2024": 14, "Winter": 11}
LARGEST = 300_000


def make_photos(folder):
    """Albums of photos: parts of the samples, with capture dates over some weeks."""
    chance = random.Random(7)
    samples = [ImageOps.exif_transpose(Image.open(path)) for path in sorted((ROOT / "Samples").glob("*.jpg"))]
    taken = datetime.datetime(2026, 11, 20, 17, 0)
    names = [name for name, count in ALBUMS.items() for _ in range(count)]
    chance.shuffle(names)
    for number, album in enumerate(names):
        whole = samples[number % len(samples)]
        share = chance.uniform(0.35, 0.75)
        width, height = round(whole.width * share), round(whole.height * share)
        left, top = chance.randint(0, whole.width - width), chance.randint(0, whole.height - height)
        part = whole.crop((left, top, left + width, top + height)).convert("RGB")
        part.thumbnail((1400, 1400))
        exif = Image.Exif()
        exif.get_ifd(0x8769)[0x9003] = taken.strftime("%Y:%m:%d %H:%M:%S")
        (folder / album).mkdir(exist_ok=True)
        part.save(folder / album / f"IMG_{4100 - number}.jpg", quality=88, exif=exif)
        taken -= datetime.timedelta(hours=chance.randint(5, 40))


def show_editor(page):
    """A square of the lake in the studio style, which is lossless."""
    open_photo(page, ROOT / "Samples" / "lake-at-dusk.jpg", style="Studio")
    page.get_by_role("button", name="Square").click()
    page.wait_for_function("document.querySelector('crop-view').writing === 'lossless'")
    page.wait_for_timeout(600)


def show_targets(page):
    """The focus on the end of the pier, and the resulting crops."""
    open_photo(page, ROOT / "Samples" / "lake-at-dusk.jpg", style="Studio")
    page.get_by_role("button", name="Sizes", exact=True).click()
    page.locator(".target canvas").nth(6).wait_for()
    page.wait_for_timeout(600)
    box = page.locator("#targets .stage").bounding_box()
    left, top = box["x"] + box["width"] * 0.46, box["y"] + box["height"] * 0.42
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + box["width"] * 0.2, top + box["height"] * 0.3, steps=8)
    page.mouse.up()
    page.wait_for_timeout(600)


def show_library(page):
    """Waits for the visible photos."""
    page.wait_for_function("document.querySelectorAll('a.photo img').length > 20", timeout=60000)
    page.wait_for_timeout(1500)


def show_views(page, folder):
    """The crop screen as its layers would show it, drawn with the stand-ins for UIKit."""
    command = ["swift", "test", "--package-path", ROOT / "Checks/UIKitStub", "--filter", "ScreenPicture"]
    subprocess.run(command, check=True, env={**os.environ, "CROPKIT_SCREENS": str(folder)})
    shutil.copy(ROOT / "Samples/tilted-harbour.jpg", folder / "photo.jpg")
    screens = "".join(f"<div>{(folder / name).read_text()}</div>" for name in ("upright.svg", "aside.svg"))
    (folder / "views.html").write_text(f"""<!doctype html><meta charset=utf-8><style>
      body {{ margin: 0; height: 100vh; background: #2a2c30;
             display: flex; gap: 40px; align-items: center; justify-content: center }}
      div {{ border-radius: 38px; overflow: hidden; box-shadow: 0 0 0 6px #000, 0 12px 40px #0008 }}
      svg {{ display: block }}
      </style>{screens}""")
    page.set_viewport_size({"width": 1400, "height": 940})
    page.goto((folder / "views.html").as_uri())


def keep(shot, path):
    """Saves a screenshot as a JPEG of at most LARGEST bytes."""
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    for quality in (90, 86, 82, 76):
        image.save(path, quality=quality, optimize=True)
        if path.stat().st_size <= LARGEST:
            break
    print(f"{path}: {path.stat().st_size} bytes")


def main():
    """Takes all screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--output", default=ROOT / "docs", type=pathlib.Path)
    options = parser.parse_args()
    options.output.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        folder = pathlib.Path(home, "Pictures")
        folder.mkdir()
        make_photos(folder)
        places = {f"XDG_{kind}_HOME": f"{home}/{kind}" for kind in ("CACHE", "DATA")}
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        with serving("--library", str(folder), **places) as address:
            for name, scheme, show in (
                ("screenshot", "dark", show_editor), ("targets", "dark", show_targets),
                ("library", "light", show_library),
            ):
                page = browser.new_page(
                    viewport={"width": 1280, "height": 800}, color_scheme=scheme, bypass_csp=True
                )
                page.goto(signing_in(address))
                show(page)
                keep(page.screenshot(), options.output / f"{name}.jpg")
                page.close()
        page = browser.new_page()
        show_views(page, pathlib.Path(home))
        keep(page.screenshot(), options.output / "ios.jpg")
        browser.close()


if __name__ == "__main__":
    main()
