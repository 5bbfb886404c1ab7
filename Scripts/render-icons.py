#!/usr/bin/env python3
"""Draws the page's icons, Web/App/icon-*.png: the crop mark of icon.svg on the dark background.

Needs Python 3.11 with Pillow.
"""

import argparse
import pathlib

from PIL import Image, ImageDraw

ROOT = pathlib.Path(__file__).resolve().parents[1]
BACKGROUND = (0x1A, 0x1C, 0x1F)
ACCENT = (0xFF, 0xB8, 0x3D)
FINE = 4

# The mark in a box of 24: two overlapping angles, as in icons.js.
ANGLES = [[(7, 3), (7, 17), (21, 17)], [(3, 7), (17, 7), (17, 21)]]
STROKE = 2.2


def draw(side, mark, corner):
    """An icon; the mark's size and the corner radius are fractions of its side."""
    size = side * FINE
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((0, 0, size - 1, size - 1), radius=corner * size, fill=BACKGROUND)
    scale = mark * size / 24
    shift = (size - 24 * scale) / 2
    for angle in ANGLES:
        points = [(shift + x * scale, shift + y * scale) for x, y in angle]
        width = STROKE * scale
        pen.line(points, fill=ACCENT, width=round(width))
        for x, y in points:
            pen.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=ACCENT)
    return image.resize((side, side), Image.Resampling.LANCZOS)


def main():
    """Writes the icons for browsers and launchers, including those that apply their own mask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default=ROOT / "Web" / "App", type=pathlib.Path)
    folder = parser.parse_args().output
    draw(192, 0.66, 0.22).save(folder / "icon-192.png", optimize=True)
    draw(512, 0.66, 0.22).save(folder / "icon-512.png", optimize=True)
    # A launcher may cut off everything but the inner four fifths.
    draw(512, 0.52, 0).convert("RGB").save(folder / "icon-maskable.png", optimize=True)


if __name__ == "__main__":
    main()
