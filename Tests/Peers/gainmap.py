"""JPEGs with gain maps, written and parsed here, and a renderer of their light.

A map of any size covers the complete image: sample (i, j) of w × h is the light at the center of [i/w,
(i+1)/w) × [j/h, (j+1)/h). It is bilinear between the centers, and constant beyond the outermost ones.
"""

import io
import re
import struct

import numpy as np
from PIL import Image

XMP = b"http://ns.adobe.com/xap/1.0/\0"
ISO = b"urn:iso:std:iso:ts:21496:-1\0"
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
#: The gain of the samples 0 and 255 of every map made here, in stops.
STOPS = (0.0, 3.0)
#: The size of a photo of ``made``, and the kinds of its map.
WIDTH, HEIGHT = 416, 320
BOTH = ("ultra-hdr", "iso-21496-1")


def segment(marker, content):
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def segments(data):
    """The segments before the first scan of the JPEG at the start of `data`: marker, content, position."""
    found, at = [], 2
    while data[at + 1] != 0xDA:
        assert data[at] == 0xFF, at
        length = struct.unpack_from(">H", data, at + 2)[0]
        found.append((data[at + 1], data[at + 4: at + 2 + length], at + 4))
        at += 2 + length
    return found


def end_of(data, start=0):
    """The end of the JPEG that starts at `start`, found by its markers."""
    assert data[start: start + 2] == b"\xff\xd8"
    at = start + 2
    while True:
        assert data[at] == 0xFF, at
        marker = data[at + 1]
        if marker == 0xD9:
            return at + 2
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
        if marker == 0xDA:
            while data[at] != 0xFF or data[at + 1] == 0 or 0xD0 <= data[at + 1] <= 0xD7:
                at += 1


def packet(attributes, inside=""):
    return XMP + (
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF {RDF}><rdf:Description rdf:about="" '
        f"{attributes}>{inside}</rdf:Description></rdf:RDF></x:xmpmeta>").encode()


def hdrgm(per_channel=False):
    """Ultra HDR's parameters."""
    space = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"'
    plain = (f' hdrgm:GainMapMin="{STOPS[0]}" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.015625" '
             'hdrgm:OffsetHDR="0.015625" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="3" '
             'hdrgm:BaseRenditionIsHDR="False"')
    if not per_channel:
        return packet(space + plain + f' hdrgm:GainMapMax="{STOPS[1]}"')
    items = "".join(f"<rdf:li>{STOPS[1]}</rdf:li>" for _ in range(3))
    return packet(space + plain, f"<hdrgm:GainMapMax><rdf:Seq>{items}</rdf:Seq></hdrgm:GainMapMax>")


def iso(channels):
    """The parameters of ISO 21496-1, as fractions."""
    per = struct.pack(">iIiIIIiIiI", 0, 1, 3, 1, 1, 1, 1, 64, 1, 64)
    flags = 0x80 if channels == 3 else 0
    return ISO + struct.pack(">HHBIIII", 0, 0, flags, 0, 1, 3, 1) + per * channels


def jpeg(pixels, quality=95, **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality, **options)
    return file.getvalue()


def with_segments(data, *added):
    return data[:2] + b"".join(segment(*one) for one in added) + data[2:]


def table(first, second, place):
    return b"MPF\0MM\0*" + struct.pack(
        ">IHHHI4sHHIIHHIII", 8, 3, 0xB000, 7, 4, b"0100", 0xB001, 4, 1, 2, 0xB002, 7, 32, 50, 0
    ) + struct.pack(">IIIII4xII4x", 0x030000, first, 0, 0, 0, second, place)[:16] + struct.pack(
        ">IIII", 0, second, place, 0)


def photo(base, light, kinds=("ultra-hdr", "iso-21496-1"), orientation=1, between=b"", behind=b"",
          declared=None, quality=95, map_quality=98, map_progressive=False, **options):
    """A file of the image `base` with the map `light`, both as stored.

    `between` is inserted before the map, `behind` after it; `declared` is the length stated for the map.
    """
    channels = 3 if light.ndim == 3 else 1
    own = []
    if "ultra-hdr" in kinds:
        own.append((0xE1, hdrgm(per_channel=channels == 3)))
    if "iso-21496-1" in kinds:
        own.append((0xE2, iso(channels)))
    if "apple" in kinds:
        own.append((0xE1, packet(
            'xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" '
            'xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"',
            "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap"
            "</apdi:AuxiliaryImageType><HDRGainMap:HDRGainMapVersion>131072"
            "</HDRGainMap:HDRGainMapVersion><HDRGainMap:HDRGainMapHeadroom>8"
            "</HDRGainMap:HDRGainMapHeadroom>")))
    second = with_segments(jpeg(light, map_quality, progressive=map_progressive), *own)
    exif = Image.Exif()
    exif[0x0112] = orientation
    first = jpeg(base, quality, exif=exif, **options)
    head = []
    if "ultra-hdr" in kinds:
        items = "".join(
            f'<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" {rest}/></rdf:li>'
            for rest in ('Item:Semantic="Primary"',
                         f'Item:Semantic="GainMap" Item:Length="{declared or len(second)}"'))
        head.append((0xE1, packet(
            'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" '
            'xmlns:Container="http://ns.google.com/photos/1.0/container/" '
            'xmlns:Item="http://ns.google.com/photos/1.0/container/item/"',
            f"<Container:Directory><rdf:Seq>{items}</rdf:Seq></Container:Directory>")))
    if "iso-21496-1" in kinds:
        head.append((0xE2, ISO + bytes(4)))
    # The table is inserted last, so its position is known.
    length = len(with_segments(first, *head, (0xE2, table(0, 0, 0))))
    place = length + len(between) - (2 + sum(4 + len(c) for _, c in head) + 4 + 4)
    made = with_segments(first, *head, (0xE2, table(length, declared or len(second), place)))
    assert len(made) == length
    return made + between + second + behind


class Read:
    """A file with a gain map, parsed with its table of images; everything that leads to the map is checked."""

    def __init__(self, data, expects=("ultra-hdr", "iso-21496-1"), numbers=None):
        self.end = end_of(data)
        heads = segments(data)
        tables = [(c, at) for m, c, at in heads if m == 0xE2 and c.startswith(b"MPF\0")]
        assert len(tables) == 1
        content, at = tables[0]
        first, zero, _, _, second, place = struct.unpack_from(">IIIIII", content, 4 + 50 + 4)
        assert (first, zero) == (self.end, 0)
        start = at + 4 + place
        assert start == self.end, "the map follows the picture"
        assert start + second == len(data) == end_of(data, start), "nothing else is in the file"
        self.base, self.map = data[:self.end], data[start:]
        packets = [c for m, c, _ in heads if m == 0xE1 and c.startswith(XMP)]
        reported = [m for p in packets for m in re.findall(rb'Item:Length="(\d+)"', p)]
        assert reported == ([str(second).encode()] if "ultra-hdr" in expects else [])
        isos = [c for m, c, _ in heads if m == 0xE2 and c.startswith(ISO)]
        assert isos == ([ISO + bytes(4)] if "iso-21496-1" in expects else [])
        self.own = segments(self.map)
        if "iso-21496-1" in expects:
            channels = 3 if Image.open(io.BytesIO(self.map)).mode == "RGB" else 1
            reported = [c for m, c, _ in self.own if m == 0xE2 and c.startswith(ISO)]
            assert len(reported) == 1 and (numbers == "others" or reported == [iso(channels)])
        self.orientation = Image.open(io.BytesIO(self.base)).getexif().get(0x0112, 1)

    @property
    def pixels(self):
        return np.asarray(Image.open(io.BytesIO(self.base)))

    @property
    def light(self):
        return np.asarray(Image.open(io.BytesIO(self.map)))

    def stops(self):
        """The gain of each upright pixel."""
        height, width = self.pixels.shape[:2]
        return upright(stops(self.light, width, height), self.orientation)


def bilinear(field, x, y):
    """Values of `field` at positions in its samples, where (0.5, 0.5) is the center of the first."""
    height, width = field.shape[:2]
    x, y = np.clip(x - 0.5, 0, width - 1), np.clip(y - 0.5, 0, height - 1)
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    right, bottom = np.minimum(left + 1, width - 1), np.minimum(top + 1, height - 1)
    dx, dy = x - left, y - top
    if field.ndim == 3:
        dx, dy = dx[..., None], dy[..., None]
    upper = field[top, left] * (1 - dx) + field[top, right] * dx
    return upper * (1 - dy) + (field[bottom, left] * (1 - dx) + field[bottom, right] * dx) * dy


def stops(light, width, height):
    """The gain of each pixel of an image of this size, in stops."""
    field = STOPS[0] + light.astype(float) / 255 * (STOPS[1] - STOPS[0])
    rows, columns = light.shape[:2]
    x, y = np.meshgrid((np.arange(width) + 0.5) * columns / width, (np.arange(height) + 0.5) * rows / height)
    return bilinear(field, x, y)


def upright(pixels, orientation):
    """Pixels as displayed with an EXIF orientation."""
    if orientation in (2, 4, 5, 7):
        pixels = pixels[:, ::-1]
    turns = {1: 0, 2: 0, 3: 2, 4: 2, 5: 3, 6: 1, 7: 1, 8: 3}[orientation]
    return np.rot90(pixels, -turns)


def framed(pixels, recipe):
    """Upright pixels in the frame of a recipe."""
    if recipe.get("mirrored"):
        pixels = pixels[:, ::-1]
    return np.rot90(pixels, -recipe.get("quarterTurns", 0))


def cropped(field, recipe):
    """The values of a crop of an upright `field`, by the definition of a recipe."""
    field = framed(field, recipe)
    height, width = field.shape[:2]
    rect = recipe["rect"]
    output = recipe.get("output") or {"width": rect["width"], "height": rect["height"]}
    x, y = np.meshgrid(
        rect["x"] + (np.arange(output["width"]) + 0.5) * rect["width"] / output["width"],
        rect["y"] + (np.arange(output["height"]) + 0.5) * rect["height"] / output["height"])
    angle = np.radians(recipe.get("tilt", 0))
    dx, dy = x - width / 2, y - height / 2
    x = width / 2 + dx * np.cos(angle) + dy * np.sin(angle)
    y = height / 2 - dx * np.sin(angle) + dy * np.cos(angle)
    return bilinear(field, x, y)


def straightened(field, corners, width, height):
    """The values between four corners of a `field`, clockwise from the top left, as a rectangle of `width` × `height`."""
    rows, values = [], []
    for (u, v), (x, y) in zip(((0, 0), (width, 0), (width, height), (0, height)), corners):
        rows += [[u, v, 1, 0, 0, 0, -u * x, -v * x], [0, 0, 0, u, v, 1, -u * y, -v * y]]
        values += [x, y]
    matrix = np.append(np.linalg.solve(np.array(rows, float), np.array(values, float)), 1).reshape(3, 3)
    u, v = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    x, y, w = np.einsum("ij,jab->iab", matrix, np.stack([u, v, np.ones_like(u)]))
    return bilinear(field, x / w, y / w)


def random_corners(chance, width, height):
    """Four corners of a convex shape, on the grid of a recipe, clockwise from the top left."""
    # One in each quarter, all near the corners.
    away = chance.uniform(0.02, 0.3, (4, 2)) * (width, height)
    at = np.array([(0, 0), (width, 0), (width, height), (0, height)]) + away * [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return np.round(at * 64) / 64


def scene(width, height, seed, channels=1):
    """An image, and the light in each part of it, 0 to 1: smooth, with a soft edge."""
    chance = np.random.default_rng(seed)
    x, y = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
    base = np.stack([120 + 100 * np.sin(7 * x + c) * np.cos(5 * y + c) for c in range(3)], -1)
    light = np.zeros((height, width, channels))
    for channel in range(channels):
        for _ in range(4):
            u, v, spread = chance.uniform(0, 1), chance.uniform(0, 1), chance.uniform(0.1, 0.3)
            light[..., channel] += np.exp(-((x - u) ** 2 + (y - v) ** 2) / spread ** 2)
        light[..., channel] += 1 / (1 + np.exp(-(x + y - chance.uniform(0.5, 1.5)) * 25))
    light /= light.max()
    return base.clip(0, 255).astype(np.uint8), light if channels == 3 else light[..., 0]


def shrunk(light, width, height):
    """Light as samples of 8 bits."""
    rows, columns = light.shape[:2]
    x, y = np.meshgrid((np.arange(width) + 0.5) * columns / width, (np.arange(height) + 0.5) * rows / height)
    return np.rint(bilinear(light, x, y) * 255).astype(np.uint8)


def made(path, scale=4, channels=1, seed=1, width=WIDTH, height=HEIGHT, size=None, **options):
    """Writes a photo whose map has one sample per `scale` pixels; returns its map as decoded."""
    base, light = scene(width, height, seed, channels)
    light = shrunk(light, *(size or (width // scale, height // scale)))
    data = photo(base, light, **options)
    path.write_bytes(data)
    return data


def map_of(data):
    """The map of a file that was made here, as decoded."""
    start = data.rindex(b"\xff\xd8\xff\xe1" if b"hdrgm:GainMapMin" in data else b"\xff\xd8\xff\xe2")
    return np.asarray(Image.open(io.BytesIO(data[start:end_of(data, start)])))


def difference(found, expected):
    """Mean and 99th percentile of the difference in stops."""
    assert found.shape == expected.shape
    away = np.abs(found - expected)
    return away.mean(), np.percentile(away, 99)
