"""PNGs of few bits: the pixels after a crop, read with Pillow, are those of the source.

They are written by the system's libvips, whose versions pack samples differently; `Scripts/systems.sh` runs this
file on other systems."""

import struct
import zlib

import numpy as np
import pytest
from conftest import crop, info
from PIL import Image


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(rows, bits, colors=None, clear=None):
    """A PNG of gray samples, or of indexes of colors, of 1, 2, 4 or 8 bits."""
    raw = b""
    for row in rows:
        text = "".join(format(value, f"0{bits}b") for value in row)
        text += "0" * (-len(text) % 8)
        raw += b"\0" + bytes(int(text[at : at + 8], 2) for at in range(0, len(text), 8))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), bits, 0 if colors is None else 3, 0, 0, 0)
    table = b"" if colors is None else chunk(b"PLTE", bytes(colors))
    if clear is not None:
        table += chunk(b"tRNS", bytes(clear))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + table + chunk(b"IDAT", zlib.compress(raw))
            + chunk(b"IEND", b""))


def pixels(path):
    return np.asarray(Image.open(path).convert("RGBA"))


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("width", [1, 2, 7, 8])
@pytest.mark.parametrize("bits", [1, 2, 4, 8])
@pytest.mark.parametrize("kind", ["palette", "clear", "gray"])
def test_every_pixel_stays(folder, kind, bits, width, interlaced):
    count = min(1 << bits, 200)
    values = [[(5 * x + 3 * y) % count for x in range(width + 3)] for y in range(7)]
    colors = None if kind == "gray" else [index * 37 % 251 for index in range(3 * count)]
    clear = [index * 29 % 256 for index in range(count)] if kind == "clear" else None
    (folder / "in.png").write_bytes(png(values, bits, colors, clear))
    words = ["--progressive"] if interlaced else []
    report = crop(folder / "in.png", folder / "out.png", "--rect", f"1,1,{width},5", "--bake", *words)
    assert report["lossless"]
    wanted = pixels(folder / "in.png")[1:6, 1 : 1 + width]
    assert (pixels(folder / "out.png") == wanted).all()
    # An odd number of samples of 4 bits takes 8.
    if kind == "gray":
        assert info(folder / "out.png")["bitDepth"] == (8 if bits == 4 and width % 2 else bits)
