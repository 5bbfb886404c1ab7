"""HEIC and AVIF files assembled from boxes (ISO/IEC 23008-12), with images that other programs encoded."""

import io
import struct

import imagecodecs
import numpy as np
import pillow_heif


def box(kind, contents):
    return struct.pack(">I", len(contents) + 8) + kind + contents


def full(kind, contents, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags) + contents)


def boxes(file, start=0, end=None):
    """The boxes between two positions: type, start and end of the contents."""
    found, end = [], len(file) if end is None else end
    while start + 8 <= end:
        size = struct.unpack(">I", file[start : start + 4])[0]
        found.append((file[start + 4 : start + 8], start + 8, start + size))
        start += size
    return found


def turn(quarters):
    """Quarter turns, counterclockwise."""
    return box(b"irot", bytes([quarters]))


# The sides that are exchanged.
TOP_BOTTOM, LEFT_RIGHT = box(b"imir", b"\0"), box(b"imir", b"\1")
TURNS = {b"irot", b"imir"}


def nclx(primaries, transfer, matrix=6):
    """The meaning of the channel values, by code points."""
    return box(b"colr", b"nclx" + struct.pack(">HHHB", primaries, transfer, matrix, 0x80))


def about(purpose):
    """The type of an auxiliary image."""
    return full(b"auxC", purpose + b"\0")


ALPHA = about(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
GAIN_MAP = about(b"urn:com:apple:photo:2020:aux:hdrgainmap")
DEPTH_MAP = about(b"urn:mpeg:hevc:2015:auxid:2")


def upright(array, properties):
    """How viewers show an array with `irot` and `imir`, in their order."""
    for property in properties:
        if property[4:8] == b"irot":
            array = np.rot90(array, property[8])
        elif property[4:8] == b"imir":
            array = array[:, ::-1] if property[8] else array[::-1]
    return array


class Coded:
    """An encoded image: the type of its item, its data, and the properties needed to decode it."""

    def __init__(self, file):
        top = {kind: (start, end) for kind, start, end in boxes(file)}
        start, end = top[b"meta"]
        meta = {kind: (start, end) for kind, start, end in boxes(file, start + 4, end)}
        entry = meta[b"iinf"][0] + 6
        self.kind = file[entry + 16 : entry + 20]
        # The only item has all the data.
        self.data = file[slice(*top[b"mdat"])]
        start, end = meta[b"iprp"]
        inside = boxes(file, start, end)
        properties = next(boxes(file, a, b) for kind, a, b in inside if kind == b"ipco")
        self.properties = [box(kind, file[a:b]) for kind, a, b in properties]


def hevc(array, depth=8):
    """HEVC of an RGB array, with samples of this many bits."""
    height, width = array.shape[:2]
    mode, data = "RGB", array.astype(np.uint8)
    if depth > 8:
        mode, data = "RGB;16", array.astype(np.uint16) << (16 - depth)
    file = io.BytesIO()
    pillow_heif.options.SAVE_HDR_TO_12_BIT = depth == 12
    pillow_heif.encode(mode, (width, height), data.tobytes(), file, quality=-1, chroma=444)
    return Coded(file.getvalue())


def av1(array, depth=8):
    """AV1 of an RGB array, lossless."""
    samples = array.astype(np.uint8 if depth == 8 else np.uint16)
    return Coded(imagecodecs.avif_encode(
        samples, level=100, speed=9, bitspersample=depth, pixelformat=imagecodecs.AVIF.PIXEL_FORMAT.YUV444))


class File:
    """A file of several items, with numbers of 16 bits or, if it is wide, of 32.

    The references come before the properties, as cameras write them, or after them if they are late.
    """

    def __init__(self, wide=False, brand=None, late=False):
        self.items, self.references, self.groups = {}, [], []
        self.contents = {}
        self.wide, self.brand, self.late = wide, brand, late

    def add(self, number, coded, *more, hidden=False, without=(), content=b""):
        """An item, with further properties, and without those of some types."""
        kept = [p for p in coded.properties if p[4:8] not in without]
        self.items[number] = (coded.kind, coded.data, kept + list(more), hidden)
        self.contents[number] = content
        return number

    def refer(self, kind, number, *others):
        self.references.append((kind, number, others))

    def bytes(self, main, rest=b""):
        """The file, with `rest` after all data."""
        brand = b"avif" if self.items[main][0] == b"av01" else b"heic"
        id = "I" if self.wide else "H"
        infos, links, places, data = b"", b"", [], b""
        pool = []
        for number, (kind, contents, properties, hidden) in self.items.items():
            content = self.contents[number]
            infos += full(
                b"infe", struct.pack(f">{id}H", number, 0) + kind + b"\0" + content + b"\0" * bool(content),
                3 if self.wide else 2, int(hidden))
            pool += [p for p in properties if p not in pool]
            essential = TURNS | {b"clap", b"hvcC", b"av1C"}
            indexes = [pool.index(p) + 1 | 0x80 * (p[4:8] in essential) for p in properties]
            links += struct.pack(f">{id}B", number, len(indexes)) + bytes(indexes)
            places.append((number, len(data), len(contents)))
            data += contents
        count = len(self.items)
        references = b"".join(
            box(kind, struct.pack(f">{id}H{len(to)}{id}", number, len(to), *to))
            for kind, number, to in self.references)

        groups = b"".join(
            full(kind, struct.pack(f">II{len(members)}I", 1000, len(members), *members))
            for kind, members in self.groups)

        def meta(base):
            located = b"".join(
                struct.pack(f">{id}{'H' * self.wide}HHII", n, *[0] * self.wide, 0, 1, base + at, size)
                for n, at, size in places)
            parts = full(b"hdlr", b"\0" * 4 + b"pict" + b"\0" * 13)
            parts += full(b"pitm", struct.pack(f">{id}", main), int(self.wide))
            parts += full(
                b"iloc", struct.pack(f">H{id}", 0x4400, count) + located, 2 * int(self.wide))
            parts += full(b"iinf", struct.pack(">H", count) + infos)
            refs = full(b"iref", references, int(self.wide)) if references else b""
            props = box(b"iprp", box(b"ipco", b"".join(pool)) + full(
                b"ipma", struct.pack(">I", count) + links, int(self.wide)))
            parts += props + refs if self.late else refs + props
            parts += box(b"grpl", groups) if groups else b""
            return full(b"meta", parts)

        brands = b"mif1" + brand if self.brand is None else self.brand + b"miaf"
        head = box(b"ftyp", (self.brand or brand) + b"\0" * 4 + brands)
        base = len(head) + len(meta(0)) + 8
        return head + meta(base) + box(b"mdat", data + rest)


def single(coded, *more, without=()):
    """A file of one image."""
    file = File()
    file.add(1, coded, *more, without=without)
    return file.bytes(1)
