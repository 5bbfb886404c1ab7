"""Images whose colors identify their pixels."""

import io

import numpy
from PIL import Image

UPRIGHT_TO_STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def coordinates(width, height):
    """Every pixel has a different color: red counts columns, green rows, blue their overflow."""
    x, y = numpy.meshgrid(numpy.arange(width), numpy.arange(height))
    return numpy.stack([x & 255, y & 255, (x >> 8) << 4 | (y >> 8)], axis=-1).astype(numpy.uint8)


def gradient(width, height):
    """Red increases to the right, green downwards; JPEG preserves that well enough to identify positions."""
    x, y = numpy.meshgrid(numpy.linspace(0, 255, width), numpy.linspace(0, 255, height))
    return numpy.stack([x, y, numpy.full_like(x, 128)], axis=-1).astype(numpy.uint8)


def png(array):
    """An array as a PNG file."""
    data = io.BytesIO()
    Image.fromarray(array).save(data, "PNG")
    return data.getvalue()


def jpeg(array, orientation=1):
    """An upright array as a JPEG file stored in one of the eight orientations."""
    image = Image.fromarray(array)
    if UPRIGHT_TO_STORED[orientation] is not None:
        image = image.transpose(UPRIGHT_TO_STORED[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = io.BytesIO()
    image.save(data, "JPEG", quality=95, subsampling=0, exif=exif)
    return data.getvalue()


def noise(width, height):
    """A JPEG of random colors."""
    array = numpy.random.default_rng(4).integers(0, 256, (height, width, 3), numpy.uint8)
    data = io.BytesIO()
    Image.fromarray(array).save(data, "JPEG", quality=95, subsampling=2)
    return data.getvalue()


def moving(width, height):
    """A GIF of two frames."""
    frames = [Image.new("RGB", (width, height), color) for color in ("red", "green")]
    data = io.BytesIO()
    frames[0].save(data, "GIF", save_all=True, append_images=frames[1:])
    return data.getvalue()
