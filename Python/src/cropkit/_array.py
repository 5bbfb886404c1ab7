"""Results as arrays; needs NumPy and Pillow."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from numpy import generic
    from numpy.typing import NDArray

#: An exact format for the pixels of any source, which Pillow can read.
FORMAT: Literal["png"] = "png"


def decoded(picture: bytes | str | None) -> NDArray[generic]:
    """The pixels of an encoded image, or of a file."""
    try:
        import numpy
        from PIL import Image, ImageOps
    except ImportError as error:
        raise ImportError("arrays need NumPy and Pillow: pip install 'cropkit[numpy]'") from error
    assert picture is not None
    with Image.open(io.BytesIO(picture) if isinstance(picture, bytes) else picture) as image:
        upright: Image.Image = ImageOps.exif_transpose(image)
        if upright.mode == "P":
            upright = upright.convert("RGBA" if "transparency" in upright.info else "RGB")
        return numpy.array(upright)
