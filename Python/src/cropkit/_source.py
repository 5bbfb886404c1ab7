"""Images to crop, in all supported Python types."""

from __future__ import annotations

import io
import os
import struct
import sys
import zlib
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy import generic
    from numpy.typing import NDArray
    from PIL.Image import Image


class Readable(Protocol):
    """A file that is open in binary mode, or an object that behaves like one."""

    def read(self) -> bytes:
        """All bytes from the current position."""


if TYPE_CHECKING:
    Encoded: TypeAlias = bytes | bytearray | memoryview | Readable
    Pixels: TypeAlias = Image | NDArray[generic]
    #: The name of a file, an encoded image, or pixels.
    Source: TypeAlias = str | os.PathLike[str] | Encoded | Pixels

#: PNG's color types by the number of channels.
PNG_COLORS = {1: 0, 2: 4, 3: 2, 4: 6}


def taken(source: Source) -> str | os.PathLike[str] | bytes:
    """Returns a name unchanged, and anything else as the bytes of an image; pixels are encoded losslessly.

    Raises:
        TypeError: The type is not supported.
        ValueError: PNG does not support the pixels' format.
    """
    if isinstance(source, (str, bytes)):
        return source
    if isinstance(source, (bytearray, memoryview)):
        return bytes(source)
    if _is_pillow(source):
        return _encoded(source)
    if hasattr(source, "__array_interface__"):
        return _png(source)
    if hasattr(source, "read"):
        data = source.read()
        if isinstance(data, str):
            raise TypeError("an image file must be open in binary mode: open(name, 'rb')")
        return bytes(data)
    if isinstance(source, os.PathLike):
        return source
    raise TypeError(
        "an image must be the name of a file, bytes, an open file, a Pillow image or a NumPy array, "
        f"not {type(source).__name__}"
    )


def _is_pillow(source: object) -> bool:
    # A caller with such an image has imported Pillow.
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(source, pillow.Image)


def _encoded(image: Any) -> bytes:
    """Encodes a Pillow image as it is shown: its current frame, without metadata but with its color profile."""
    if image.mode not in ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "I;16", "CMYK"):
        raise ValueError(f"a Pillow image of mode {image.mode} can't be cropped; convert it, as by .convert('RGB')")
    if image.mode == "PA":
        image = image.convert("RGBA")
    file = io.BytesIO()
    profile = image.info.get("icc_profile")
    if image.mode == "CMYK":
        image.save(file, "TIFF", icc_profile=profile)
    else:
        image.save(file, "PNG", compress_level=1, icc_profile=profile, exif=b"")
    return file.getvalue()


def _png(source: Any) -> bytes:
    """Encodes an array as PNG: (height, width) or (height, width, channels) with 8 or 16 bits."""
    import numpy

    array = numpy.asarray(source)
    shape = array.shape if array.ndim == 3 else (*array.shape, 1)
    if len(shape) != 3 or shape[2] not in PNG_COLORS or array.dtype.kind != "u" or array.dtype.itemsize > 2:
        raise ValueError(
            "an array must be of uint8 or uint16 and have the shape (height, width) or (height, width, 1 to 4), "
            f"not {array.dtype} and {array.shape}"
        )
    height, width, channels = shape
    if not (height and width):
        raise ValueError(f"an array of shape {array.shape} has no pixels")
    depth = array.dtype.itemsize * 8
    # PNG is big-endian, and each row starts with a byte for its filter.
    rows = numpy.ascontiguousarray(array.reshape(height, -1), f">u{depth // 8}").view("u1").reshape(height, -1)
    data = numpy.pad(rows, ((0, 0), (1, 0))).tobytes()
    header = struct.pack(">IIBBBBB", width, height, depth, PNG_COLORS[channels], 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(data, 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
