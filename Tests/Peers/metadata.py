"""Metadata blocks with an image hidden wherever one fits, and files that contain them."""

import base64
import binascii
import io
import json
import re
import struct
import subprocess
import zlib

import numpy as np
from PIL import Image

MARK = b"THIS-WAS-CUT-AWAY-"


def hidden():
    """The JPEG to hide, which must not be found in results."""
    rows = np.random.default_rng(7).integers(0, 256, (24, 24, 3), np.uint8)
    file = io.BytesIO()
    Image.fromarray(rows).save(file, "JPEG", quality=80, comment=MARK * 3)
    return file.getvalue()


HIDDEN = hidden()


def traces(file):
    """The forms in which `file` contains the hidden image: unchanged, base64, hexadecimal, compressed."""
    found = []
    pieces = {"mark": MARK * 2, "start": HIDDEN[:12] + HIDDEN[12:20], "body": HIDDEN[-60:-20]}
    for name, piece in pieces.items():
        if piece in file:
            found.append(name)
        plain = re.sub(rb"\s|&#xA;", b"", file)
        for shift in range(3):
            text = base64.b64encode(b"x" * shift + piece)[4:-4]
            if text in plain:
                found.append(f"{name} in base 64")
        if binascii.hexlify(piece) in plain.lower():
            found.append(f"{name} in digits")
    for at in [m.start() for m in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", file)]:
        try:
            inside = zlib.decompressobj().decompress(file[at:], 1 << 20)
        except zlib.error:
            continue
        if MARK in inside or binascii.hexlify(MARK) in inside:
            found.append("packed")
    return found


def exif(orientation=1, little=True, thumbnail=True, note=True, size=(48, 32)):
    """An EXIF block: camera, dates, location, and an image in the maker note and in the second directory."""
    order = "<" if little else ">"
    data = bytearray()

    def directory(entries, at, following=0):
        """Entries are (tag, type, count, bytes) or (tag, "ifd", entries)."""
        body = struct.pack(order + "H", len(entries))
        place = at + 2 + 12 * len(entries) + 4
        behind = b""
        for tag, kind, *rest in entries:
            if kind == "ifd":
                inner = directory(rest[0], place + len(behind))
                body += struct.pack(order + "HHII", tag, 4, 1, place + len(behind))
                behind += inner
                continue
            count, value = rest
            body += struct.pack(order + "HHI", tag, kind, count)
            if len(value) <= 4:
                body += value.ljust(4, b"\0")
            else:
                body += struct.pack(order + "I", place + len(behind))
                behind += value + b"\0" * (len(value) % 2)
        link = place + len(behind) if following else 0
        body += struct.pack(order + "I", link)
        if following:
            behind += directory(following, link)
        return body + behind

    def text(tag, words):
        value = words.encode() + b"\0"
        return (tag, 2, len(value), value)

    def short(tag, value):
        return (tag, 3, 1, struct.pack(order + "H", value))

    def long(tag, value):
        return (tag, 4, 1, struct.pack(order + "I", value))

    def fractions(tag, *values):
        return (tag, 5, len(values), b"".join(struct.pack(order + "II", v, 1) for v in values))

    inner = [text(0x9003, "2026:05:04 03:02:01"), long(0xA002, size[0]), long(0xA003, size[1])]
    if note:
        inner.insert(1, (0x927C, 7, len(HIDDEN) + 8, b"MAKER\0\0\0" + HIDDEN))
    place = [
        (1, 2, 2, b"N\0"), fractions(2, 48, 12, 30), (3, 2, 2, b"E\0"), fractions(4, 16, 22, 11)]
    main = [
        text(0x010E, "A lake"), text(0x010F, "Maker of cameras"), text(0x0110, "Model"),
        short(0x0112, orientation), text(0x8298, "Somebody"), (0x8769, "ifd", inner),
        (0x8825, "ifd", place)]
    second = []
    if thumbnail:
        second = [
            short(0x0103, 6), long(0x0201, 0), long(0x0202, len(HIDDEN)),
            (0xC4A5, 7, len(HIDDEN), HIDDEN)]
    block = directory(main, 8, second or 0)
    data += (b"II" if little else b"MM") + struct.pack(order + "HI", 42, 8) + block
    if thumbnail:
        at = data.index(struct.pack(order + "HHII", 0x0201, 4, 1, 0))
        data[at + 8 : at + 12] = struct.pack(order + "I", len(data))
        data += HIDDEN
    return bytes(data)


def xmp(pictures=True):
    """An XMP packet: title, location, sizes, and images in base64 in all places that programs use."""
    picture = base64.b64encode(HIDDEN).decode()
    lines = "&#xA;".join(picture[i : i + 76] for i in range(0, len(picture), 76))
    hiding = f"""
     <xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType="Resource"><xmpGImg:format>JPEG</xmpGImg:format>
      <xmpGImg:image>{lines}</xmpGImg:image></rdf:li></rdf:Alt></xmp:Thumbnails>
     <GDepth:Data>{picture}</GDepth:Data><GImage:Data>{picture}</GImage:Data>
     <Camera:HdrPlusMakernote>{picture}</Camera:HdrPlusMakernote>"""
    return f"""<?xpacket begin='\ufeff' id='W5M0MpCehiHzreSzNTczkc9d'?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
 <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
   xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpGImg="http://ns.adobe.com/xap/1.0/g/img/"
   xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
   xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"
   xmlns:GImage="http://ns.google.com/photos/1.0/image/"
   xmlns:Camera="http://ns.google.com/photos/1.0/camera/"
   xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
   tiff:Orientation="1" exif:GPSLatitude="48,12.5N" exif:GPSLongitude="16,22.2E"
   photoshop:City="Vienna" GImage:Mime="image/jpeg">
  <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Morning</rdf:li></rdf:Alt></dc:title>
  <exif:PixelXDimension>48</exif:PixelXDimension>{hiding if pictures else ""}
 </rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end='w'?>""".encode()


def iptc(pictures=True):
    """IPTC-IIM records: caption, city, preview."""
    def record(number, value):
        return struct.pack(">BBBH", 0x1C, 2, number, len(value)) + value

    records = record(120, b"A caption") + record(90, b"Vienna")
    return records + (record(202, HIDDEN) if pictures else b"")


def photoshop():
    """Photoshop resources: IPTC, and a thumbnail of both kinds."""
    def resource(number, value):
        body = b"8BIM" + struct.pack(">HxxI", number, len(value)) + value
        return body + b"\0" * (len(value) % 2)

    small = struct.pack(">6IHH", 1, 24, 24, 72, 1728, len(HIDDEN), 24, 1) + HIDDEN
    return b"Photoshop 3.0\0" + resource(1036, small) + resource(0x0404, iptc()) + resource(1033, small)


def segment(marker, contents):
    return struct.pack(">BBH", 0xFF, marker, len(contents) + 2) + contents


def jpeg(picture, **words):
    """`picture`, a JPEG, with everything that JPEGs can contain besides their pixels."""
    extended = b"http://ns.adobe.com/xmp/extension/\0" + b"0" * 32 + struct.pack(">II", len(HIDDEN), 0)
    parts = [
        segment(0xE0, b"JFIF\0\1\2\0\0\1\0\1" + bytes([2, 2]) + MARK[:12]),
        segment(0xE0, b"JFXX\0\x10" + HIDDEN),
        segment(0xE1, b"Exif\0\0" + exif(**words)),
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + xmp()),
        segment(0xE1, extended + HIDDEN),
        segment(0xE2, b"MPF\0" + b"II*\0\x08\0\0\0" + HIDDEN),
        segment(0xE2, b"FPXR\0" + HIDDEN),
        segment(0xE2, b"urn:iso:std:iso:ts:21496:-1\0" + HIDDEN),
        segment(0xEB, b"JP\0\1\0\0\0\1" + HIDDEN),
        segment(0xED, photoshop()),
        segment(0xEF, b"SOMETHING" + HIDDEN),
        segment(0xFE, b"A comment"),
        segment(0xFE, HIDDEN),
    ]
    # A gain map, then a video, after the end.
    return picture[:2] + b"".join(parts) + picture[2:] + HIDDEN + b"\0\0\0\x18ftypmp42" + HIDDEN


def png_chunks(size=(48, 32), **words):
    """Chunks for a PNG: EXIF, XMP, texts, and the hidden image in texts, compressed and not."""
    def raw(kind, value):
        digits = binascii.hexlify(value).decode()
        lines = "\n".join(digits[i : i + 72] for i in range(0, len(digits), 72))
        return f"\n{kind}\n{len(value):8}\n{lines}\n".encode()

    return [
        (b"eXIf", exif(size=size, **words)),
        (b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(xmp())),
        (b"tEXt", b"Title\0Ein See"), (b"zTXt", b"Author\0\0" + zlib.compress(b"Somebody")),
        (b"iTXt", "Description\0\0\0de\0Beschreibung\0Frühling".encode()),
        (b"zTXt", b"Raw profile type iptc\0\0" + zlib.compress(raw("iptc", iptc()))),
        (b"zTXt", b"Raw profile type 8bim\0\0" + zlib.compress(raw("8bim", photoshop()))),
        (b"tEXt", b"Preview\0" + base64.b64encode(HIDDEN)),
        (b"zTXt", b"Other\0\0" + zlib.compress(binascii.hexlify(HIDDEN))),
        (b"iTXt", b"More\0\1\0\0\0" + zlib.compress(base64.b64encode(HIDDEN))),
        (b"caBX", HIDDEN), (b"prVt", HIDDEN), (b"mkBF", HIDDEN), (b"juNk", zlib.compress(HIDDEN)),
    ]


def with_chunks(file, chunks):
    """A PNG with chunks after its header, and the hidden image after its end."""
    news = b""
    for name, contents in chunks:
        news += struct.pack(">I", len(contents)) + name + contents
        news += struct.pack(">I", zlib.crc32(name + contents))
    return file[:33] + news + file[33:] + HIDDEN


def webp(file, size, **words):
    """A WebP of one image with EXIF, XMP and unknown chunks."""
    def chunk(name, contents):
        return name + struct.pack("<I", len(contents)) + contents + b"\0" * (len(contents) % 2)

    edges = struct.pack("<I", size[0] - 1)[:3] + struct.pack("<I", size[1] - 1)[:3]
    body = chunk(b"VP8X", bytes([0x0C, 0, 0, 0]) + edges) + file[12:]
    body += chunk(b"EXIF", exif(size=size, **words)) + chunk(b"XMP ", xmp())
    body += chunk(b"C2PA", HIDDEN) + chunk(b"JUNK", HIDDEN)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body + HIDDEN


def gif(file):
    """A GIF with comments, XMP, and unknown extensions."""
    def blocks(data):
        return b"".join(
            bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255)
        ) + b"\0"

    def application(name, contents):
        return b"\x21\xff\x0b" + name + blocks(contents)

    magic = b"\1" + bytes(range(255, -1, -1)) + b"\0"
    news = b"\x21\xfe" + blocks(b"A comment") + b"\x21\xfe" + blocks(HIDDEN)
    news += b"\x21\xff\x0bXMP DataXMP" + xmp() + magic
    news += application(b"C2PA_GIF\1\0\0", HIDDEN) + application(b"PRIVATE1ABC", HIDDEN)
    start = 13 + (3 << ((file[10] & 7) + 1) if file[10] & 0x80 else 0)
    return b"GIF89a" + file[6:start] + news + file[start:] + HIDDEN


def tiff_of_many(pixels):
    """A TIFF with hidden images in `SubIFDs`, in a small page after it, and in a maker note."""
    height, width = pixels.shape[:2]
    data = bytearray(b"II*\0\0\0\0\0")

    def put(contents):
        data.extend(b"\0" * (len(data) % 2))
        data.extend(contents)
        return len(data) - len(contents)

    def directory(entries, following=0):
        entries = sorted(entries)
        body = struct.pack("<H", len(entries))
        for tag, kind, count, value in entries:
            body += struct.pack("<HHII", tag, kind, count, value)
        return put(body + struct.pack("<I", following))

    def picture(place, size, across, down, compression, *more, following=0):
        bits = put(struct.pack("<3H", 8, 8, 8))
        return directory([
            (256, 4, 1, across), (257, 4, 1, down), (258, 3, 3, bits), (259, 3, 1, compression),
            (262, 3, 1, 6 if compression == 7 else 2), (273, 4, 1, place), (277, 3, 1, 3),
            (278, 4, 1, down), (279, 4, 1, size), *more], following)

    small = put(HIDDEN)
    page = picture(small, len(HIDDEN), 24, 24, 7, (254, 4, 1, 1))
    inner = picture(put(HIDDEN), len(HIDDEN), 24, 24, 7, (254, 4, 1, 1))
    note = directory([(0x927C, 7, len(HIDDEN), put(HIDDEN))])
    strip = put(pixels.tobytes())
    main = picture(strip, pixels.size, width, height, 1, (330, 4, 1, inner), (0x8769, 4, 1, note),
                   following=page)
    data[4:8] = struct.pack("<I", main)
    return bytes(data)


def reported(path):
    """The tags that exiftool finds."""
    done = subprocess.run(
        ["exiftool", "-j", "-G1", "-a", "-struct", path], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)[0]
