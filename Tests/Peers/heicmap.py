"""HEICs with a gain map as iPhones write them: an auxiliary image with XMP, and numbers in the maker note."""

import io
import struct

import numpy as np
import pillow_heif
from heif import GAIN_MAP, Coded, File, av1, boxes, hevc, nclx

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
    file.add(MAP, coded, *([GAIN_MAP] if auxiliary else []), nclx(1, 8), *turns, hidden=True, without=(b"colr",))
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
        a, b = inside[b"iref"]
        wide = data[a] == 1
        size = 4 if wide else 2
        self.references = []
        for kind, c, _ in boxes(data, a + 4, b):
            source = int.from_bytes(data[c : c + size], "big")
            count = int.from_bytes(data[c + size : c + size + 2], "big")
            to = [int.from_bytes(data[c + size + 2 + i * size :][:size], "big") for i in range(count)]
            self.references.append((kind, source, to))

    @property
    def light(self):
        """The samples of the only map."""
        (number,) = self.maps
        picture = self.image.get_aux_image(number)
        return np.asarray(picture.to_pillow())
