"""Results as arrays; needs NumPy and Pillow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Literal

from ._options import FORMATS

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy import uint8, uint16
    from numpy.typing import NDArray

    #: Pixels with eight bits per channel; gray of 16 bits keeps them.
    Array: TypeAlias = NDArray[uint8 | uint16]

#: An exact format for the pixels of any source, which Pillow can read.
FORMAT: Literal["png"] = "png"


def check_readable(format: str) -> None:
    """Rejects a format of results that Pillow can't read here, before anything is cropped.

    Raises:
        ImportError: NumPy or Pillow is missing.
        ValueError: Pillow has no code or plugin for the format.
    """
    _, Image, _ = _libraries()
    Image.init()
    # Plugins register the extensions of a format.
    extensions = [one for one, name in FORMATS.items() if name == format]
    readable = {one for one, name in Image.registered_extensions().items() if name in Image.OPEN}
    if extensions and not any(f".{one}" in readable for one in extensions):
        raise ValueError(
            f"decode=True reads the result with Pillow, which can't read {format} here; leave out format, or install "
            "a plugin such as pillow-heif"
        )


def _libraries() -> tuple[Any, Any, Any]:
    try:
        import numpy
        from PIL import Image, ImageOps
    except ImportError as error:
        raise ImportError("arrays need NumPy and Pillow: pip install 'cropkit[numpy]'") from error
    return numpy, Image, ImageOps


def decoded(picture: bytes | str | None) -> Array:
    """The pixels of an encoded image, or of a file.

    Raises:
        ImportError: NumPy or Pillow is missing.
        ValueError: Pillow can't read the format.
    """
    numpy, Image, ImageOps = _libraries()
    assert picture is not None
    try:
        return _pixels(picture, numpy, Image, ImageOps)
    except Image.UnidentifiedImageError as error:
        raise ValueError(f"Pillow can't read this result: {error}; choose another format, such as 'png'") from None


def _pixels(picture: bytes | str, numpy: Any, Image: Any, ImageOps: Any) -> Array:
    with Image.open(io.BytesIO(picture) if isinstance(picture, bytes) else picture) as image:
        upright = ImageOps.exif_transpose(image)
        if upright.mode == "P":
            upright = upright.convert("RGBA" if "transparency" in upright.info else "RGB")
        elif upright.mode == "1":
            upright = upright.convert("L")
        array: Array = numpy.array(upright)
        return array
