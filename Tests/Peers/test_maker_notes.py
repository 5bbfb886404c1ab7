"""Maker notes before and after a lossless crop, tag by tag, as exiftool reads them."""

import io
import json
import shutil
import struct
import subprocess

import numpy as np
import pytest
from conftest import IMAGES, crop
from PIL import Image

pytestmark = pytest.mark.skipif(not shutil.which("exiftool"), reason="no exiftool")
CAMERAS = sorted(path.name for path in IMAGES.glob("camera-*.jpg"))

#: The start of a maker's notes, the base of their offsets (bytes after the note's start; None: the TIFF
#: header), the byte order, and fields: tag, type and text.
MAKERS = {
    "Canon": (b"", None, "<", [(0x06, 2, b"IMG:PowerShot S40 JPEG\0"), (0x09, 2, b"Somebody\0")]),
    "NIKON CORPORATION": (b"Nikon\0\2\x10\0\0MM\0\x2a\0\0\0\x08", 10, ">",
                          [(0x04, 2, b"JPEG FINE\0"), (0x1D, 2, b"NO 2030405\0")]),
    "FUJIFILM": (b"FUJIFILM\x0c\0\0\0", 0, "<", [(0x10, 2, b"FPX 1234567\0"), (0x1000, 2, b"NORMAL FINE\0")]),
    "OLYMPUS IMAGING CORP.": (b"OLYMPUS\0II\3\0", 0, "<", [(0x207, 2, b"D4322\0")]),
    "Panasonic": (b"Panasonic\0\0\0", None, "<", [(0x51, 2, b"LUMIX G 20/F1.7\0"), (0x52, 2, b"08JG1201858\0")]),
    "PENTAX": (b"AOC\0II", None, "<", [(0x229, 2, b"NO 7654321\0")]),
    "Apple": (b"Apple iOS\0\0\1MM", 0, ">", [(0x11, 2, b"5C1E2A3B-0D4F\0")]),
}


def notes(path):
    """The tags that exiftool finds in a file's maker notes, including unknown ones, and its warnings about
    them."""
    done = subprocess.run(
        ["exiftool", "-j", "-n", "-U", "-a", "-G1:4", "-MakerNotes:all", path],
        capture_output=True, text=True, check=True)
    tags = json.loads(done.stdout)[0]
    del tags["SourceFile"]
    return tags


def warnings(path):
    """exiftool's warnings about a file."""
    done = subprocess.run(["exiftool", "-validate", "-warning", "-a", "-s3", path],
                          capture_output=True, text=True, check=False)
    # The first line has their number.
    return set(done.stdout.splitlines()[1:])


def note_of(maker, at, is_short):
    """A maker note at a position of the TIFF structure, and its stated length."""
    head, base, order, fields = MAKERS[maker]
    start = len(head)
    base = -at if base is None else base
    directory, values = struct.pack(order + "H", len(fields)), b""
    behind = start + 2 + 12 * len(fields) + 4
    for tag, kind, value in fields:
        directory += struct.pack(order + "HHII", tag, kind, len(value), behind + len(values) - base)
        values += value + b"\0" * (len(value) % 2)
    note = head + directory + bytes(4) + values
    return note, behind if is_short else len(note)


def photo(maker, is_short):
    """A JPEG with the maker's notes; if they are short, their values come after them."""
    make = maker.encode() + b"\0"
    order = MAKERS[maker][2]
    inner_at = 8 + 2 + 12 * 2 + 4 + len(make) + len(make) % 2
    note_at = inner_at + 2 + 12 + 4
    note, length = note_of(maker, note_at, is_short)
    block = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    block += struct.pack(order + "HHHIIHHIII", 2, 0x010F, 2, len(make), 38, 0x8769, 4, 1, inner_at, 0)
    block += make + b"\0" * (len(make) % 2)
    block += struct.pack(order + "HHHIII", 1, 0x927C, 7, length, note_at, 0) + note
    file = io.BytesIO()
    rows = np.random.default_rng(3).integers(0, 256, (64, 64, 3), np.uint8)
    Image.fromarray(rows).save(file, "JPEG", exif=b"Exif\0\0" + block)
    return file.getvalue()


@pytest.mark.parametrize("name", CAMERAS)
def test_a_camera_s_notes_are_unchanged(folder, name):
    source, target = IMAGES / name, folder / "a.jpg"
    crop(source, target, "--rect", "32,32,64,64", "--lossless", "snap")
    before = notes(source)
    assert len(before) > 10
    assert notes(target) == before
    assert warnings(target) <= warnings(source)


@pytest.mark.parametrize("is_short", [False, True], ids=["whole", "values behind"])
@pytest.mark.parametrize("maker", MAKERS)
def test_notes_of_each_layout_are_unchanged(folder, maker, is_short):
    source, target = folder / "source.jpg", folder / "a.jpg"
    source.write_bytes(photo(maker, is_short))
    before = notes(source)
    if not is_short:
        # The notes are as intended, so that there is something to lose.
        for *_, value in MAKERS[maker][3]:
            assert value[:-1].decode() in before.values()
    crop(source, target, "--rect", "16,16,32,32", "--lossless", "snap")
    assert notes(target) == before
    assert warnings(target) <= warnings(source)
    data = target.read_bytes()
    for *_, value in MAKERS[maker][3]:
        assert value in data

