"""What one client sends never shows another client's picture, whatever a decoder does with it.

Mutated files of every format are cropped between crops of a victim's marked pictures, twice, with two victims. No
answer holds a mark (pixels, or the text in EXIF), and none depends on whose pictures came before. A sample in CI; with
CROPKIT_SOAK=1, or CROPKIT_LEAKS=COUNT, more files.
"""

import hashlib
import json
import os
import struct
import subprocess
import urllib.parse
import zlib

from served import TOKEN, Served
from soak import LONG, Soak, read, run, write

COUNT = int(os.environ.get("CROPKIT_LEAKS", 2000 if LONG else 64))
VICTIM = "victim-wears-a-green-hat"
FORMATS = ["jpeg", "png", "webp", "gif", "tiff", "heic", "avif", "jxl"]
SIDE = 192


def noise(seed):
    """The bytes of a gray picture that no other one has."""
    return b"".join(
        hashlib.sha256(b"%d %d" % (seed, index)).digest() for index in range(SIDE * SIDE // 32))


def victims(soak, seed):
    """A picture in all formats, with a text in its EXIF, and the marks."""
    gray = noise(seed)
    text = f"victim {hashlib.sha256(b'%d' % seed).hexdigest()[:24]}"
    rows = b"".join(
        b"\0" + bytes(value for value in gray[y * SIDE:(y + 1) * SIDE] for _ in range(3))
        for y in range(SIDE))
    exif = b"II*\0\x08\0\0\0\1\0" + struct.pack("<HHII", 0x010E, 2, len(text) + 1, 26)
    exif += b"\0\0\0\0" + text.encode() + b"\0"
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0))
    picture += chunk(b"eXIf", exif) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    write(soak.path("victim.png"), picture)
    made = {"png": picture}
    for format in FORMATS:
        path = soak.path(f"victim-{seed}.{format}")
        done = run([
            "crop", soak.path("victim.png"), "--rect", f"0,0,{SIDE},{SIDE}", "--format", format,
            "--lossless", "never", *(["--quality", "100"] if format in ("jpeg", "webp", "avif", "jxl") else []),
            "-o", path])
        soak.check(done.returncode == 0, f"no victim as {format}: {done.stderr!r}")
        made[format] = read(path)
    return made, Marks(gray, text.encode())


class Marks:
    """What no answer to somebody else may hold."""

    def __init__(self, gray, text):
        self.text = text
        self.gray = {gray[at:at + 12] for at in range(len(gray) - 11)}
        # Four pixels are too few: damaged files decode to such runs by chance, also where no victim was.
        self.wide = {bytes(value for value in gray[at:at + 8] for _ in range(3)) for at in range(len(gray) - 7)}

    def found(self, answer):
        everything = answer + unpacked(answer)
        places = range(len(everything) - 11)
        return self.text in everything or any(
            everything[at:at + 12] in self.gray or everything[at:at + 24] in self.wide for at in places)


def unpacked(png):
    """The rows of a PNG."""
    parts, at = b"", 8
    while png[:4] == b"\x89PNG" and at + 8 <= len(png):
        length, = struct.unpack(">I", png[at:at + 4])
        if png[at + 4:at + 8] == b"IDAT":
            parts += png[at + 8:at + 8 + length]
        at += 12 + length
    return zlib.decompress(parts) if parts else b""


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def box(name, *contents):
    content = b"".join(contents)
    return struct.pack(">I", 8 + len(content)) + name + content


def full(name, version, *contents):
    return box(name, struct.pack(">I", version << 24), *contents)


def derived(avif, kind, layout, canvas, count):
    """An AVIF whose main picture consists of the picture of another one, `count` times."""

    def part(name):
        at = avif.index(name) - 4
        return avif[at:at + struct.unpack(">I", avif[at:at + 4])[0]]

    coded = part(b"mdat")[8:]
    properties = box(b"ipco", part(b"av1C"), part(b"ispe"), full(b"ispe", 0, struct.pack(">II", *canvas)))
    links = full(
        b"ipma", 0, struct.pack(">I", 2), struct.pack(">HBB", 1, 1, 3), struct.pack(">HBBB", 2, 2, 0x81, 2))
    entries = b"".join(
        full(b"infe", 2, struct.pack(">HH", number, 0), name + b"\0") for number, name in ((1, kind), (2, b"av01")))
    references = full(b"iref", 0, box(b"dimg", struct.pack(">HH", 1, count), struct.pack(">H", 2) * count))

    def meta(start):
        places = full(
            b"iloc", 1, struct.pack(">HH", 0x4400, 2), struct.pack(">HHHHII", 1, 1, 0, 1, 0, len(layout)),
            struct.pack(">HHHHII", 2, 0, 0, 1, start, len(coded)))
        return full(
            b"meta", 0, full(b"hdlr", 0, b"\0\0\0\0pict", bytes(13)), full(b"pitm", 0, b"\0\1"), places,
            full(b"iinf", 0, b"\0\2", entries), references, box(b"iprp", properties, links), box(b"idat", layout))

    head = box(b"ftyp", b"avif\0\0\0\0avifmif1miaf")
    return head + meta(len(head) + len(meta(0)) + 8) + box(b"mdat", coded)


def overlays(avif):
    """Overlays that leave their canvas, and grids that do, or do not cover it."""
    offsets = [[(-32768, -32768), (-1, -1)], [(-1, 0)], [(0, -1)], [(-300, 0)], [(900, 900)], [(0, 0)] * 40]
    for places in offsets:
        layout = b"\0\0" + bytes(6) + b"\xff\xff" + struct.pack(">HH", 1024, 1024)
        layout += b"".join(struct.pack(">hh", *place) for place in places)
        yield derived(avif, b"iovl", layout, (1024, 1024), len(places))
    for columns, width in ((2, 1024), (2, 20), (1, 1024), (4, 2 * SIDE)):
        layout = struct.pack(">BBBBHH", 0, 0, 0, columns - 1, width, SIDE)
        yield derived(avif, b"grid", layout, (width, SIDE), columns)


def mutated(soak, file):
    """A file with a few wrong bytes, mostly near its start, or a wrong length."""
    chance = soak.random
    copy = bytearray(file)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at = chance.randrange(min(len(copy), chance.choice((64, 600, len(copy)))))
        copy[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    if chance.random() < 0.1:
        del copy[chance.randrange(len(copy)):]
    if chance.random() < 0.1:
        at = chance.randrange(len(copy) + 1)
        copy[at:at] = copy[at:at + chance.randrange(1, 64)]
    return bytes(copy)


def attack(soak, files, seed, name):
    """The answers to the files, between crops of the victim's pictures."""
    pictures, marks = victims(soak, seed)
    query = urllib.parse.urlencode({"recipe": "{}", "encoding": json.dumps(
        {"format": "png", "lenient": True, "lossless": "never"})})
    server = Served(soak.path(name), "--jobs", "1", "--limit-seconds", "10", tokens=(TOKEN, VICTIM))
    answers = []
    with server:
        for index, file in enumerate(files):
            format = FORMATS[index % len(FORMATS)]
            status, body = server.call(
                "POST", f"/api/crop?{query}", pictures[format], {"Authorization": f"Bearer {VICTIM}"})
            soak.check(status == 200, f"the victim's {format}: {status} {body[:200]!r}")
            if format in ("png", "tiff"):
                soak.check(marks.found(body), f"the mark is not found in the victim's own {format}")
            status, body = server.call("POST", f"/api/crop?{query}", file)
            soak.check(status != 0, f"no answer to file {index}")
            soak.check(not marks.found(body), f"file {index} shows the victim's {format}; seed {seed}")
            answers.append((status, hashlib.sha256(body).hexdigest() if status == 200 else ""))
    return answers


with Soak("leaks") as soak:
    source = soak.photo(width=SIDE, height=SIDE)
    bases = []
    for format in FORMATS:
        path = soak.path(f"base.{format}")
        soak.check(run(["crop", source, "--format", format, "-o", path]).returncode == 0, f"no {format}")
        bases.append(read(path))
    progressive = soak.path("progressive.jpg")
    subprocess.run(["jpegtran", "-progressive", "-outfile", progressive, source], check=True)
    bases.append(read(progressive))
    files = list(overlays(bases[FORMATS.index("avif")]))
    files += [mutated(soak, bases[index % len(bases)]) for index in range(COUNT)]
    first, second = (attack(soak, files, seed, f"server{seed}") for seed in (1, 2))
    for index, (one, other) in enumerate(zip(first, second)):
        soak.check(one == other, f"the answer to file {index} depends on other clients: {one}, {other}")
    kinds = [status for status, _ in first]
    print(f"leaks: {len(files)} files, {kinds.count(200)} of them cropped")
