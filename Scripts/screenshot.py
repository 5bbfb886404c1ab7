#!/usr/bin/env python3
"""Takes the README's picture of the page: screenshot.py ADDRESS, with a running server's address."""

import argparse
import io
import pathlib
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))
from editor import open_photo  # noqa: E402


def main():
    """Frames the lake's pier in the studio and keeps what is seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--output", default=ROOT / "docs" / "screenshot.jpg", type=pathlib.Path)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="dark")
        page.goto(options.address)
        open_photo(page, ROOT / "Samples" / "lake-at-dusk.jpg", style="Studio")
        page.get_by_role("radio", name="3:2").or_(page.get_by_role("button", name="3:2")).first.click()
        page.wait_for_timeout(600)
        box = page.evaluate("""() => {
          const box = document.querySelector('crop-view').selectionBox;
          return [box.left, box.top, box.right, box.bottom];
        }""")
        left, top, right, bottom = box
        middle = (left + (right - left) * 0.28, top + (bottom - top) * 0.28)
        page.mouse.move(left, top)
        page.mouse.down()
        page.mouse.move(*middle, steps=8)
        page.wait_for_timeout(200)
        shot = page.screenshot()
        page.mouse.up()
        browser.close()
    options.output.parent.mkdir(exist_ok=True)
    Image.open(io.BytesIO(shot)).convert("RGB").save(options.output, quality=88, optimize=True)
    print(f"{options.output}: {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
