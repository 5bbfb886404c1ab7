"""HEICs with a gain map as iPhones write them: an auxiliary image with XMP, and numbers in the maker note."""

import io
import struct

import imagecodecs
import numpy as np
import pillow_heif
from heif import GAIN_MAP, TURNS, Coded, File, av1, boxes, hevc, nclx, upright

MAIN, MAP, XMP, EXIF, TONE, TILES = 1, 10, 11, 12, 13, 20
#: XMP about a map: its version, and possibly its headroom.
PACKET = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description rdf:about="" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" '
    'xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/">'
    "<apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType>"
    "<HDRGainMap:HDRGainMapVersion>{}</HDRGainMap:HDRGainMapVersion>{}"
    "</rdf:Description></rdf:RDF></x:xmpmeta>")


def gray(array):
    """HEVC with one channel."""
    file = io.BytesIO()
    height, width = array.shape
    pillow_heif.options.SAVE_HDR_TO_12_BIT = False
    pillow_heif.encode("L", (width, height), np.ascontiguousarray(array).tobytes(), file, quality=-1)
    return Coded(file.getvalue())


def maker_note(headroom, gain):
    """Apple's fields 33 and 48, and one that is not about light."""
    start = 14 + 2 + 3 * 12 + 4
    fields = struct.pack(">HHII", 10, 9, 1, 2)
    fields += struct.pack(">HHII", 33, 10, 1, start) + struct.pack(">HHII", 48, 10, 1, start + 8)
    values = struct.pack(">iiii", round(headroom * 1e6), 10**6, round(gain * 1e6), 10**6)
    return b"Apple iOS\0\0\1MM" + struct.pack(">H", 3) + fields + bytes(4) + values


def exif(headroom=1.0, gain=0.0):
    """An EXIF block with a maker and Apple's note."""
    note = maker_note(headroom, gain)
    inner, place = 8 + 2 + 24 + 4, 8 + 2 + 24 + 4 + 2 + 12 + 4
    block = b"MM\0*" + struct.pack(">IH", 8, 2)
    block += struct.pack(">HHI4s", 0x10F, 2, 4, b"App\0") + struct.pack(">HHII", 0x8769, 4, 1, inner) + bytes(4)
    block += struct.pack(">HHHII", 1, 0x927C, 7, len(note), place) + bytes(4) + note
    return bytes(4) + block


def tone_mapped(stops=3):
    """The contents of a `tmap` item: the parameters of ISO 21496-1."""
    head = struct.pack(">BHHBIIII", 0, 0, 0, 0x40, 0, 1, stops, 1)
    return head + struct.pack(">iIiIIIiIiI", 0, 1, stops, 1, 1, 1, 1, 64, 1, 64)


def about(data):
    """An item that is not an image."""
    item = gray(np.zeros((64, 64), np.uint8))
    item.kind, item.properties, item.data = b"mime", [], data
    return item


def photo(base, light, *turns, headroom=None, numbers=(1.0, 0.0), tiles=False, tone=False, auxiliary=True,
          wide=False, avif=False):
    """A file of `base` with the map `light`, which has one or three channels, both turned by `turns`."""
    code = av1 if avif else hevc
    file = File(wide=wide)
    if tiles:
        height, width = base.shape[:2]
        parts = []
        for y in range(0, height, 64):
            for x in range(0, width, 64):
                parts.append(file.add(TILES + len(parts), hevc(base[y : y + 64, x : x + 64]), hidden=True))
        whole = hevc(base[:64, :64])
        whole.kind = b"grid"
        whole.data = bytes([0, 0, height // 64 - 1, width // 64 - 1]) + struct.pack(">HH", width, height)
        whole.properties = [
            p[:12] + struct.pack(">II", width, height) if p[4:8] == b"ispe" else p
            for p in whole.properties if p[4:8] != b"hvcC"]
        file.add(MAIN, whole, *turns)
        file.refer(b"dimg", MAIN, *parts)
    else:
        file.add(MAIN, code(base), *turns)
    coded = gray(light) if light.ndim == 2 else code(light)
    # Lossless AV1 of three channels has green, blue and red.
    colors = nclx(1, 8, 0 if coded.kind == b"av01" else 6)
    file.add(MAP, coded, *([GAIN_MAP] if auxiliary else []), colors, *turns, hidden=True, without=(b"colr",))
    others = []
    if tone:
        derived = code(base)
        derived.kind, derived.data = b"tmap", tone_mapped()
        derived.properties = [p for p in derived.properties if p[4:8] == b"ispe"]
        others.append(file.add(TONE, derived, *turns))
        file.refer(b"dimg", TONE, MAIN, MAP)
        file.groups.append((b"altr", [TONE, MAIN]))
    if auxiliary:
        file.refer(b"auxl", MAP, MAIN, *others)
        more = f"<HDRGainMap:HDRGainMapHeadroom>{headroom}</HDRGainMap:HDRGainMapHeadroom>" if headroom else ""
        file.add(XMP, about(PACKET.format(131072 if headroom else 65536, more).encode()),
                 content=b"application/rdf+xml")
        file.refer(b"cdsc", XMP, MAP)
    if numbers:
        block = about(exif(*numbers))
        block.kind = b"Exif"
        file.add(EXIF, block)
        file.refer(b"cdsc", EXIF, MAIN)
    return file.bytes(MAIN)


class Read:
    """A HEIC with a gain map, as read by `pillow_heif` and a parser of boxes."""

    def __init__(self, data):
        self.heif = pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)
        self.image = self.heif[self.heif.primary_index]
        self.maps = self.image.info.get("aux", {}).get("urn:com:apple:photo:2020:aux:hdrgainmap", [])
        self.pixels = np.asarray(self.image.to_pillow())
        top = {kind: (start, end) for kind, start, end in boxes(data)}
        start, end = top[b"meta"]
        self.meta = data[start:end]
        inside = {kind: (a, b) for kind, a, b in boxes(data, start + 4, end)}
        self.references = self.references_of(data, *inside[b"iref"])

    @staticmethod
    def references_of(data, start, end):
        """The references in an `iref` box: type, item, other items."""
        size = 4 if data[start] == 1 else 2
        found = []
        for kind, at, _ in boxes(data, start + 4, end):
            source = int.from_bytes(data[at : at + size], "big")
            count = int.from_bytes(data[at + size : at + size + 2], "big")
            to = [int.from_bytes(data[at + size + 2 + i * size :][:size], "big") for i in range(count)]
            found.append((kind, source, to))
        return found

    @property
    def light(self):
        """The samples of the only map."""
        (number,) = self.maps
        picture = self.image.get_aux_image(number)
        return np.asarray(picture.to_pillow())


class Brighter:
    """The brighter image (`tmap`) of a HEIC or AVIF and its inputs, found by parsing the boxes."""

    def __init__(self, data):
        top = {kind: (start, end) for kind, start, end in boxes(data)}
        self.data = bytearray(data)
        self.brands = [data[at : at + 4] for at in range(top[b"ftyp"][0] + 8, top[b"ftyp"][1], 4)]
        start, end = top[b"meta"]
        self.inside = {kind: (a, b) for kind, a, b in boxes(data, start + 4, end)}
        self.wide = data[self.inside[b"pitm"][0]] == 1
        self.size = 4 if self.wide else 2
        self.primary = self.number(self.inside[b"pitm"][0] + 4)
        self.entries = {}
        a, b = self.inside[b"iinf"]
        for _, at, _ in boxes(data, a + (6 if data[a] == 0 else 8), b):
            size = 2 if data[at] == 2 else 4
            number = int.from_bytes(data[at + 4 : at + 4 + size], "big")
            self.entries[number] = (data[at + 6 + size : at + 10 + size], data[at + 3] & 1, at)
        self.references = Read.references_of(data, *self.inside[b"iref"])
        (self.item,) = [n for n, (kind, _, _) in self.entries.items() if kind == b"tmap"]
        (self.inputs,) = [to for kind, source, to in self.references if (kind, source) == (b"dimg", self.item)]
        self.map = self.inputs[1]
        self.is_hidden = {n: bool(hidden) for n, (_, hidden, _) in self.entries.items()}
        self.groups = []
        for kind, a, b in boxes(data, *self.inside[b"grpl"]):
            count = int.from_bytes(data[a + 8 : a + 12], "big")
            self.groups.append((kind, list(struct.unpack_from(f">{count}I", data, a + 12))))

    def number(self, at):
        return int.from_bytes(self.data[at : at + self.size], "big")

    def properties(self, item):
        """The properties of an item, as boxes."""
        data = bytes(self.data)
        inside = {kind: (a, b) for kind, a, b in boxes(data, *self.inside[b"iprp"])}
        pool = [data[a - 8 : b] for _, a, b in boxes(data, *inside[b"ipco"])]
        a, _ = inside[b"ipma"]
        size, width = 4 if data[a] else 2, 2 if data[a + 3] & 1 else 1
        at = a + 8
        for _ in range(int.from_bytes(data[a + 4 : a + 8], "big")):
            number, count = int.from_bytes(data[at : at + size], "big"), data[at + size]
            at += size + 1
            links = [int.from_bytes(data[at + i * width :][:width], "big") for i in range(count)]
            at += count * width
            if number == item:
                return [pool[(link & (0x7F if width == 1 else 0x7FFF)) - 1] for link in links]
        return []

    @property
    def payload(self):
        """The data of the brighter image: its parameters."""
        data, (at, _) = self.data, self.inside[b"iloc"]
        version, sizes, size = data[at], data[at + 4], 4 if data[at] == 2 else 2
        count, at = int.from_bytes(data[at + 6 : at + 6 + size], "big"), at + 6 + size
        offset, length, base = sizes >> 4, sizes & 15, data[self.inside[b"iloc"][0] + 5] >> 4
        for _ in range(count):
            number, at = int.from_bytes(data[at : at + size], "big"), at + size
            is_inside = version > 0 and data[at + 1] & 15 == 1
            at += (2 if version else 0) + 2
            start, at = int.from_bytes(data[at : at + base], "big"), at + base + 2
            assert data[at - 1] == 1 or number != self.item
            for _ in range(int.from_bytes(data[at - 2 : at], "big")):
                place = start + int.from_bytes(data[at : at + offset], "big")
                reach = int.from_bytes(data[at + offset : at + offset + length], "big")
                at += offset + length
                if number == self.item:
                    place += self.inside[b"idat"][0] if is_inside else 0
                    return bytes(data[place : place + reach])
        raise AssertionError("the brighter image has no data")

    @property
    def light(self):
        """The samples of the map, by other programs: as if it were the main image of the file."""
        data = bytearray(self.data)
        place = self.inside[b"pitm"][0] + 4
        data[place : place + self.size] = self.map.to_bytes(self.size, "big")
        data[self.entries[self.map][2] + 3] = 0
        for kind, a, b in boxes(bytes(data), self.inside[b"iref"][0] + 4, self.inside[b"iref"][1]):
            if kind == b"auxl" and int.from_bytes(data[a : a + self.size], "big") == self.map:
                data[a - 4 : a] = b"skip"
        if self.entries[self.map][0] == b"av01":
            return imagecodecs.avif_decode(bytes(data))
        heif = pillow_heif.open_heif(io.BytesIO(bytes(data)), convert_hdr_to_8bit=True)
        return np.asarray(heif[heif.primary_index].to_pillow())

    def turns(self, item):
        """How an item is turned and mirrored: what happens to a small array."""
        probe = np.arange(6).reshape(2, 3)
        return upright(probe, [p for p in self.properties(item) if p[4:8] in TURNS]).tolist()
