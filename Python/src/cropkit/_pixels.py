"""Pixels as the bytes of an image: an uncompressed TIFF, whose samples are those in memory."""

from __future__ import annotations

import struct
from typing import Any

#: The modes of Pillow images whose samples can be used as they are, by their number of channels.
MODES = {"L": 1, "I;16": 1, "LA": 2, "RGB": 3, "RGBA": 4, "CMYK": 4}
#: The modes without and with transparency that stand for other ones.
OTHER_MODES = {"1": ("L", "LA"), "L": ("L", "LA"), "RGB": ("RGB", "RGBA"), "P": ("RGB", "RGBA"), "PA": ("RGBA", "RGBA")}
#: About how many bytes a strip has: a decoder reads one at a time.
STRIP = 1 << 18
#: The largest offset in a TIFF.
MOST = 0xFFFFFFFF

SHORT, LONG, UNDEFINED = 3, 4, 7
#: Values of PhotometricInterpretation.
GRAY, RGB, CMYK = 1, 2, 5


class Pixels(bytes):
    """Pixels that were no file; results are PNG unless another format is named."""


def of_image(image: Any) -> bytes:
    """A Pillow image as it is shown: its current frame, without metadata but with its color profile.

    Raises:
        ValueError: Its mode is not supported.
    """
    if image.mode not in MODES and image.mode not in OTHER_MODES:
        raise ValueError(f"a Pillow image of mode {image.mode} can't be cropped; convert it, as by .convert('RGB')")
    if image.mode in OTHER_MODES:
        is_transparent = "transparency" in image.info or (image.mode == "P" and image.palette.mode == "RGBA")
        wanted = OTHER_MODES[image.mode][is_transparent]
        image = image if image.mode == wanted else image.convert(wanted)
    is_cmyk = image.mode == "CMYK"
    file = _tiff(
        image.tobytes(),
        image.size,
        channels=MODES[image.mode],
        depth=16 if image.mode == "I;16" else 8,
        profile=image.info.get("icc_profile"),
        is_cmyk=is_cmyk,
    )
    # A PNG can't have these colors.
    return file if is_cmyk else Pixels(file)


def of_array(source: Any) -> bytes:
    """An array: (height, width) or (height, width, channels) with 8 or 16 bits.

    Raises:
        ValueError: It has another shape or type.
    """
    import numpy

    array = numpy.asarray(source)
    shape = array.shape if array.ndim == 3 else (*array.shape, 1)
    if len(shape) != 3 or not 1 <= shape[2] <= 4 or array.dtype.kind != "u" or array.dtype.itemsize > 2:
        raise ValueError(
            "an array must be of uint8 or uint16 and have the shape (height, width) or (height, width, 1 to 4), "
            f"not {array.dtype} and {array.shape}"
        )
    height, width, channels = shape
    if not (height and width):
        raise ValueError(f"an array of shape {array.shape} has no pixels")
    size = array.dtype.itemsize
    samples: Any = numpy.ascontiguousarray(array, f"<u{size}").reshape(-1).view("u1")
    return Pixels(_tiff(memoryview(samples), (width, height), channels=channels, depth=8 * size))


def _tiff(
    samples: bytes | memoryview,
    size: tuple[int, int],
    *,
    channels: int,
    depth: int,
    profile: bytes | None = None,
    is_cmyk: bool = False,
) -> bytes:
    """A little-endian TIFF of one page, in strips."""
    width, height = size
    row = width * channels * depth // 8
    rows = max(1, min(height, STRIP // row))
    lengths = [min(rows, height - start) * row for start in range(0, height, rows)]
    fields = [
        (256, LONG, [width]),
        (257, LONG, [height]),
        (258, SHORT, [depth] * channels),
        (259, SHORT, [1]),
        (262, SHORT, [CMYK if is_cmyk else RGB if channels > 2 else GRAY]),
        (273, LONG, [0] * len(lengths)),
        (277, SHORT, [channels]),
        (278, LONG, [rows]),
        (279, LONG, lengths),
    ]
    if channels in (2, 4) and not is_cmyk:
        # Colors are not multiplied by alpha.
        fields.append((338, SHORT, [2]))
    start = len(_head(fields, profile))
    if start + len(samples) > MOST:
        raise ValueError(f"an image of {width} × {height} pixels has more than 4 GiB; crop it from a file")
    fields[5] = (273, LONG, [start + index * rows * row for index in range(len(lengths))])
    return b"".join((_head(fields, profile), samples))


def _head(fields: list[tuple[int, int, list[int]]], profile: bytes | None) -> bytes:
    """Everything before the samples: the header, the directory and its values."""
    values = [(tag, kind, len(numbers), struct.pack(f"<{len(numbers)}{'H' if kind == SHORT else 'I'}", *numbers))
              for tag, kind, numbers in fields]  # fmt: skip
    if profile:
        values.append((34675, UNDEFINED, len(profile), profile))
    place = 8 + 2 + 12 * len(values) + 4
    directory, rest = struct.pack("<H", len(values)), b""
    for tag, kind, count, data in values:
        if len(data) <= 4:
            held = data.ljust(4, b"\0")
        else:
            held = struct.pack("<I", place + len(rest))
            # Offsets are even.
            rest += data + b"\0" * (len(data) % 2)
        directory += struct.pack("<HHI", tag, kind, count) + held
    return b"II*\0" + struct.pack("<I", 8) + directory + struct.pack("<I", 0) + rest
