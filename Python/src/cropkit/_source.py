"""Images to crop, in all supported Python types."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Protocol, cast

from . import _pixels

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy import generic
    from numpy.typing import NDArray
    from PIL.Image import Image


class Readable(Protocol):
    """A file that is open in binary mode, or an object that behaves like one."""

    def read(self) -> bytes:
        """All bytes from the current position."""
        ...


if TYPE_CHECKING:
    Encoded: TypeAlias = bytes | bytearray | memoryview | Readable
    Pixels: TypeAlias = Image | NDArray[generic]
    #: The name of a file, an encoded image, or pixels.
    Source: TypeAlias = str | os.PathLike[str] | Encoded | Pixels


def taken(source: Source) -> str | os.PathLike[str] | bytes:
    """Returns a name unchanged, and anything else as the bytes of an image; pixels are not compressed.

    Raises:
        TypeError: The type is not supported.
        ValueError: The format of the pixels is not supported.
    """
    if isinstance(source, (str, bytes)):
        return source
    if isinstance(source, (bytearray, memoryview)):
        return bytes(source)
    if _is_pillow(source):
        return _pixels.of_image(source)
    if hasattr(source, "__array_interface__"):
        return _pixels.of_array(source)
    if hasattr(source, "read"):
        # A text file has this method too.
        data: Any = cast("Any", source).read()
        if isinstance(data, str):
            raise TypeError("an image file must be open in binary mode: open(name, 'rb')")
        return bytes(data)
    if isinstance(source, os.PathLike):
        return source
    if isinstance(source, (list, tuple)):
        raise TypeError("one image at a time; for several, pass a crop of each to a Pool: cropkit.Pool().map(crops)")
    raise TypeError(
        "an image must be the name of a file, bytes, an open file, a Pillow image or a NumPy array, "
        f"not {type(source).__name__}"
    )


def _is_pillow(source: object) -> bool:
    # A caller with such an image has imported Pillow.
    pillow = sys.modules.get("PIL.Image")
    return pillow is not None and isinstance(source, pillow.Image)
