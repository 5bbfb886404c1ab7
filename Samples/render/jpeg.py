"""Writes the samples as JPEGs."""

import io

from PIL import Image, ImageCms


def srgb_profile():
    """An sRGB profile whose date doesn't depend on the day it was made."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    data[24:36] = bytes([0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    return bytes(data)


def save(pixels, path, quality, subsampling, orientation, taken):
    """Writes a baseline JPEG under 1 MB, stepping the quality down only if it must."""
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "CropKit", "Rendered scene"
    # The software tag of the samples as they are: the same scene gives the same file.
    exif[0x0112], exif[0x0131] = orientation, "render-samples.py"
    exif[0x0132] = taken
    exif.get_ifd(0x8769)[0x9003] = taken
    while True:
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(
            buffer, "JPEG", quality=quality, subsampling=subsampling, optimize=True,
            progressive=False, exif=exif, icc_profile=srgb_profile())
        if buffer.tell() < 1_000_000 or quality <= 70:
            break
        quality -= 1
    path.write_bytes(buffer.getvalue())
    print(f"{path.name}: {pixels.shape[1]} x {pixels.shape[0]}, q{quality}, "
          f"{buffer.tell() // 1000} kB", flush=True)
