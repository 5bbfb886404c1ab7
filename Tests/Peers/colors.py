"""Color patches, profiles, and color differences."""

import io
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image, ImageCms

SIDE = 16
# Red, green, blue: corners, grays, skin, sky, leaves, and colors outside of sRGB.
PATCHES = [
    (0, 0, 0), (255, 255, 255), (128, 128, 128), (64, 64, 64), (200, 200, 200), (20, 20, 20),
    (255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 255, 255), (255, 0, 255), (255, 255, 0),
    (224, 172, 138), (92, 148, 206), (70, 108, 52), (150, 80, 30), (180, 60, 110), (30, 90, 110),
]


def patches(count=3):
    """The patches next to each other, with `count` channels of 8 bits."""
    rows = np.zeros((SIDE, SIDE * len(PATCHES), count), np.uint8)
    for i, (r, g, b) in enumerate(PATCHES):
        color = {
            1: (g,), 2: (g, 255), 3: (r, g, b), 4: (255 - r, 255 - g, 255 - b, (i * 5) % 60),
        }[count]
        rows[:, i * SIDE : (i + 1) * SIDE] = color
    return rows


def centers(pixels):
    """The middle pixel of each patch."""
    return np.asarray(pixels)[SIDE // 2, SIDE // 2 :: SIDE][: len(PATCHES)].astype(float)


def lab(rgb):
    """CIE L*a*b* of sRGB values, 0 to 255 (IEC 61966-2-1, CIE 15)."""
    rgb = np.asarray(rgb, float) / 255
    if rgb.ndim == 1:
        rgb = np.stack([rgb] * 3, axis=-1)
    light = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    matrix = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = light @ matrix.T / np.array([0.9505, 1, 1.089])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1
    )


def distance(one, other):
    """The largest ΔE (CIE 1976, which is stricter than later ones) of any two colors."""
    return float(np.sqrt(((lab(one) - lab(other)) ** 2).sum(-1)).max())


def to_srgb(image, profile):
    """The result of another program: relative colorimetric, with black point compensation."""
    return ImageCms.profileToProfile(
        image, io.BytesIO(profile), ImageCms.createProfile("sRGB"),
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC, outputMode="RGB",
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)


def matrix_profile(primaries, gamma, white=(0.3127, 0.3290), gray=False):
    """An ICC profile, version 2, assembled from its definition (ICC.1:2001-04)."""
    d50 = np.array([0.9642, 1, 0.8249])

    def fixed(value):
        return struct.pack(">i", round(value * 65536))

    def column(values):
        return b"XYZ \0\0\0\0" + b"".join(fixed(v) for v in values)

    def xyz(x, y):
        return np.array([x / y, 1, (1 - x - y) / y])

    if callable(gamma):
        table = [round(65535 * gamma(i / 1023)) for i in range(1024)]
        curve = b"curv\0\0\0\0" + struct.pack(">I", 1024) + struct.pack(">1024H", *table)
    else:
        curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, round(gamma * 256)) + b"\0\0"
    text = b"desc\0\0\0\0" + struct.pack(">I", 8) + b"by hand\0" + b"\0" * 79
    tags = [(b"desc", text), (b"cprt", b"text\0\0\0\0none"), (b"wtpt", column(d50))]
    if gray:
        tags.append((b"kTRC", curve))
    else:
        bradford = np.array(
            [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
        )
        light = xyz(*white)
        raw = np.stack([xyz(*p) for p in primaries], axis=1)
        scaled = raw * np.linalg.solve(raw, light)
        gain = np.diag((bradford @ d50) / (bradford @ light))
        adapted = np.linalg.inv(bradford) @ gain @ bradford @ scaled
        for name, values in zip([b"rXYZ", b"gXYZ", b"bXYZ"], adapted.T):
            tags.append((name, column(values)))
        tags += [(name, curve) for name in [b"rTRC", b"gTRC", b"bTRC"]]
    data, table = b"", struct.pack(">I", len(tags))
    for name, contents in tags:
        contents += b"\0" * (-len(contents) % 4)
        table += name + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(contents))
        data += contents
    head = struct.pack(">I4xI", 132 + 12 * len(tags) + len(data), 0x02400000)
    head += b"mntr" + (b"GRAY" if gray else b"RGB ") + b"XYZ " + struct.pack(">6H", 2026, 1, 1, 0, 0, 0)
    head += b"acsp" + b"\0" * 28 + b"".join(fixed(v) for v in d50)
    return head + b"\0" * (128 - len(head)) + table + data


SRGB = [(0.64, 0.33), (0.3, 0.6), (0.15, 0.06)]
DISPLAY_P3 = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]
ADOBE = [(0.64, 0.33), (0.21, 0.71), (0.15, 0.06)]
BT2020 = [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)]


def srgb_curve(value):
    """The linear light of an sRGB value."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def png(pixels, *chunks, depth=8):
    """A PNG of 1, 3 or 4 channels, with chunks of (name, contents) before its pixels."""
    height, width, channels = pixels.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    big = pixels.astype(">u2" if depth == 16 else "u1")
    rows = b"".join(b"\0" + row.tobytes() for row in big)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)), *chunks]
    parts += [(b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    file = b"\x89PNG\r\n\x1a\n"
    for name, contents in parts:
        file += struct.pack(">I", len(contents)) + name + contents
        file += struct.pack(">I", zlib.crc32(name + contents))
    return file


def animated_png(canvas, frames, depth=16):
    """An APNG of frames (left, top, pixels, disposal, blend), each a tenth of a second."""
    first = frames[0][2]
    whole = np.zeros((canvas[1], canvas[0], first.shape[2]), first.dtype)
    parts, sequence = [], 0
    head = chunks(png(whole, depth=depth))[0]
    parts += [head, (b"acTL", struct.pack(">II", len(frames), 0))]
    for index, (left, top, pixels, disposal, blend) in enumerate(frames):
        size = (pixels.shape[1], pixels.shape[0], left, top)
        parts.append((b"fcTL", struct.pack(">5IHHBB", sequence, *size, 1, 10, disposal, blend)))
        data = next(c for n, c in chunks(png(pixels, depth=depth)) if n == b"IDAT")
        sequence += 1
        if index:
            data = struct.pack(">I", sequence) + data
            sequence += 1
        parts.append((b"fdAT" if index else b"IDAT", data))
    file = b"\x89PNG\r\n\x1a\n"
    for name, contents in [*parts, (b"IEND", b"")]:
        file += struct.pack(">I", len(contents)) + name + contents
        file += struct.pack(">I", zlib.crc32(name + contents))
    return file


def chunks(file):
    """The chunks of a PNG, as (name, contents)."""
    found, at = [], 8
    while at < len(file):
        length = struct.unpack(">I", file[at : at + 4])[0]
        found.append((file[at + 4 : at + 8], file[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


# libvips loads its bundled libheif, so it must not be in a process with pillow_heif's.
PRESS = """
import ctypes, sys
vips = ctypes.CDLL("libvips.so.42")
vips.vips_init(b"peers")
blob, size = ctypes.c_void_p(), ctypes.c_size_t()
assert vips.vips_profile_load(b"cmyk", ctypes.byref(blob), None) == 0
vips.vips_blob_get.restype = ctypes.c_void_p
place = vips.vips_blob_get(blob, ctypes.byref(size))
sys.stdout.buffer.write(ctypes.string_at(place, size.value))
"""


def press_profile():
    """The CMYK profile for files without one: the one bundled with libvips, obtained from libvips."""
    return subprocess.run([sys.executable, "-c", PRESS], capture_output=True, check=True).stdout


def opened(path):
    """Pixels of a file as an RGB array of 8 bits."""
    return np.asarray(Image.open(path).convert("RGB"))
