#!/usr/bin/env python3
"""Makes the README's animation, docs/lossless.webp: a crop is snapped to the block grid, and its badge turns green.

Runs the built server, and takes a screenshot for each step of a drag. The pointer is drawn, since screenshots lack it.
"""

import argparse
import io
import pathlib
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))
from conftest import serving, signing_in  # noqa: E402
from editor import open_photo, settle, wait_until  # noqa: E402

WIDTH, HEIGHT = 720, 520
LARGEST = 1_000_000
SNAP = "Snap to lossless"
POINTER = """() => {
  const pointer = document.createElement('div');
  pointer.id = 'pointer';
  pointer.style.cssText = 'position: fixed; z-index: 9999; pointer-events: none; inline-size: 22px; block-size: 22px; '
    + 'margin: -3px 0 0 -5px; background: no-repeat url("data:image/svg+xml,'
    + '%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 22 22%22%3E'
    + '%3Cpath d=%22M5 3v15l4-4 3 6 3-1-3-6h6z%22 stroke=%22white%22 stroke-width=%221.5%22/%3E%3C/svg%3E")';
  document.body.append(pointer);
  addEventListener('pointermove', ({ clientX, clientY }) => {
    pointer.style.left = `${clientX}px`;
    pointer.style.top = `${clientY}px`;
  }, true);
}"""


class Film:
    """The frames of the animation, and the time for which each is shown."""

    def __init__(self, page):
        self.page, self.frames, self.times = page, [], []

    def take(self, milliseconds):
        shot = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        self.frames.append(shot)
        self.times.append(milliseconds)

    def move(self, start, end, steps):
        """Moves the pointer, slower at both ends."""
        for step in range(1, steps + 1):
            part = step / steps
            share = part * part * (3 - 2 * part)
            self.page.mouse.move(*(a + (b - a) * share for a, b in zip(start, end, strict=True)))
            self.take(60)

    def save(self, path):
        """Saves it with the best quality that is small enough."""
        for quality in (70, 60, 50, 40, 30):
            self.frames[0].save(path, save_all=True, append_images=self.frames[1:], duration=self.times, loop=0,
                                quality=quality, method=6)
            if path.stat().st_size < LARGEST:
                break
        print(f"{path}: {path.stat().st_size} bytes, {sum(self.times) / 1000:.1f} s, {len(self.times)} frames")


def center(page, locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def crop(page, film):
    """Drags a corner off the grid, snaps the crop to it, and crops."""
    open_photo(page, ROOT / "Samples" / "lake-at-dusk.jpg", style="Studio")
    page.evaluate(POINTER)
    page.mouse.move(WIDTH / 2, HEIGHT / 2)
    film.take(700)
    left, top, right, bottom = page.evaluate("""() => {
      const box = document.querySelector('crop-view').selectionBox;
      return [box.left, box.top, box.right, box.bottom];
    }""")
    corner = left + 1, top + 1
    film.move((WIDTH / 2, HEIGHT / 2), corner, 12)
    page.mouse.down()
    place = left + (right - left) * 0.3, top + (bottom - top) * 0.25
    film.move(corner, place, 26)
    page.mouse.up()
    settle(page)
    film.take(1300)
    snap = page.get_by_role("button", name=SNAP).locator("visible=true").first
    film.move(place, center(page, snap), 16)
    film.take(600)
    page.mouse.down()
    page.mouse.up()
    wait_until(page, "document.querySelector('crop-view').writing === 'lossless'")
    settle(page)
    film.take(4000)


def main():
    """Makes the animation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--output", default=ROOT / "docs/lossless.webp", type=pathlib.Path)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        with serving() as address:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark", bypass_csp=True)
            page.goto(signing_in(address))
            film = Film(page)
            crop(page, film)
            film.save(options.output)
        browser.close()


if __name__ == "__main__":
    main()
