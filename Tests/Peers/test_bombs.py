"""Small files that would need many resources: each is rejected, or processed within a memory limit."""

import io
import shutil
import struct
import subprocess
import zlib

import numpy as np
import pytest
from colors import png
from conftest import BIN, shared
from metadata import segment
from PIL import Image

pytestmark = pytest.mark.thorough

MIB = 1 << 20


def plain(kind="JPEG", **words):
    file = io.BytesIO()
    Image.fromarray(np.full((16, 16, 3), 90, np.uint8)).save(file, kind, **words)
    return file.getvalue()


def within(mebibytes, *words, program=BIN / "cropkit"):
    """The program's exit status and output if it and its workers may each use this much memory."""
    line = f"ulimit -d {mebibytes << 10}; exec \"$@\""
    # The default limit is wall time, which is too little on a busy machine.
    words = (words[0], "--limit-seconds", "600", *words[1:])
    done = subprocess.run(["sh", "-c", line, "sh", program, *words], capture_output=True, text=True)
    return done.returncode, done.stderr


def gif(width, height):
    return (b"GIF89a" + struct.pack("<HHBBB", 10, 10, 0x80, 0, 0) + b"\0" * 6 + b"\x2c"
            + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\2\2\x44\1\0;")


def scans(count):
    """A progressive JPEG that repeats its last scan again and again."""
    file = plain(progressive=True)
    start = file.rindex(b"\xff\xda")
    return file[:start] + file[start:-2] * count + file[-2:]


def frame(width, height, marker=0xC0):
    body = struct.pack(">BHHB", 8, height, width, 3) + bytes([1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
    file = plain()
    at = file.index(b"\xff\xc0")
    return file[:at] + segment(marker, body) + file[at + 2 + 17 :]


def tiff(width, height, rows=None):
    """A TIFF of one strip that claims to be large."""
    tags = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
            (277, 3, 1), (278, 4, rows or height), (279, 4, 4)]
    body = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    return b"II*\0" + struct.pack("<I", 12) + b"\1\2\3\4" + struct.pack("<H", 9) + body + b"\0" * 4


def webp(width, height):
    bits = (width - 1) | (height - 1) << 14
    chunk = b"VP8L" + struct.pack("<IBI", 8, 0x2F, bits) + b"\0\0\0"
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk


def texts(count, size):
    packed = zlib.compress(b"\0" * size, 9)
    return [(b"zTXt", b"Comment\0\0" + packed)] * count


REFUSED = {
    "a PNG of 4 gigapixels": lambda: shared("bomb-png-65536x65536.png").read_bytes(),
    "a GIF whose frame is larger than its canvas": lambda: gif(60_000, 60_000),
    "a JPEG of 4 gigapixels": lambda: frame(65_500, 65_500),
    "a progressive JPEG of 200 megapixels' coefficients": lambda: frame(17_000, 17_000, 0xC2),
    "a JPEG of 883 scans": lambda: scans(883),
    "a TIFF of 2^64 pixels": lambda: tiff(0xFFFFFFFF, 0xFFFFFFFF),
    "a TIFF of one strip of 4 GiB": lambda: tiff(70_000, 61_000),
    "a WebP of 268 megapixels": lambda: webp(16_383, 16_383),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bomb_is_refused_before_anything_is_decoded(folder, name):
    (folder / "bomb").write_bytes(REFUSED[name]())
    # Without a worker, the program can't decode anything: it would exit with 69. Progressive coefficients are
    # counted where they would be decoded.
    program, most = BIN / "cropkit", 400
    if "coefficients" not in name:
        program, most = shutil.copy2(program, folder / "cropkit"), 100
    status, words = within(
        most, "crop", folder / "bomb", "--rect", "0,0,1,1", "--limit-memory", "1G", "-o",
        folder / "out.png", program=program)
    assert status == 65, words
    assert not (folder / "out.png").exists()


ENTITIES = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">""" + b"".join(
    b'<!ENTITY a%d "%s">' % (i, b"&a%s;" % (str(i - 1).encode() if i else b"") * 10) for i in range(9)
) + b"""]><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>&a8;</rdf:RDF></x:xmpmeta>"""
COSTLY = {
    "texts of 100 MiB in a PNG": lambda: png(np.full((16, 16, 3), 9, np.uint8), *texts(1, 100 * MIB)),
    "a thousand packed texts": lambda: png(np.full((16, 16, 3), 9, np.uint8), *texts(1000, MIB)),
    "a profile of 100 MiB": lambda: png(
        np.full((16, 16, 3), 9, np.uint8), (b"iCCP", b"x\0\0" + zlib.compress(b"\0" * 100 * MIB, 9))),
    "entities in XMP": lambda: plain().replace(
        b"\xff\xd8", b"\xff\xd8" + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + ENTITIES), 1),
    "directories of EXIF in a circle": lambda: plain().replace(
        b"\xff\xd8", b"\xff\xd8" + segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0" + struct.pack(
            "<HHHIII", 1, 0x8769, 4, 1, 8, 8)), 1),
    "a thousand comments": lambda: plain().replace(
        b"\xff\xd8", b"\xff\xd8" + segment(0xFE, b"a" * 60_000) * 1000, 1),
}


@pytest.mark.parametrize("name", COSTLY)
@pytest.mark.parametrize("policy", ["none", "location", "all"])
def test_compressed_metadata_needs_little_memory(folder, name, policy):
    (folder / "bomb").write_bytes(COSTLY[name]())
    for words in (["--rect", "0,0,8,8"], ["--rect", "0,0,16,16"]):
        status, reported = within(
            400, "crop", folder / "bomb", *words, "--strip", policy, "-o", folder / "out.png",
            "--format", "png", "--force")
        # The decoder may or may not reject an invalid profile.
        assert status in (0, 65), reported


def test_exceeded_limits_are_detected_and_reported(folder):
    # To be turned, an image must be completely in memory.
    (folder / "large.png").write_bytes(png(np.zeros((8000, 8000, 3), np.uint8)))
    words = ["crop", folder / "large.png", "--rotate", "90", "-o", folder / "out.png"]
    status, reported = within(200, *words)
    assert status == 70 and "(ulimit -d)" in reported, reported
    assert within(4000, *words)[0] == 0
