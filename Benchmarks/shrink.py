"""Goal f, measured with a peer: shrink.py pillow|vips PICTURE: 80 % × 80 %, scaled to 1024 pixels, without an
output."""

import io
import sys

SIDE = 1024


def with_pillow(path):
    from PIL import Image
    picture = Image.open(path)
    width, height = picture.size
    left, top = width // 10, height // 10
    scale = SIDE / (width * 0.8)
    picture.draft("RGB", (int(width * scale), int(height * scale)))
    across, down = picture.size[0] / width, picture.size[1] / height
    box = (left * across, top * down, (width - left) * across, (height - top) * down)
    small = picture.resize((SIDE, round(height * 0.8 * scale)), Image.LANCZOS, box=box)
    small.save(io.BytesIO(), "JPEG", quality=90, subsampling="4:2:0")


def with_vips(path):
    import pyvips
    picture = pyvips.Image.new_from_file(path, access="sequential", shrink=2)
    width, height = picture.width, picture.height
    part = picture.crop(width // 10, height // 10, width * 8 // 10, height * 8 // 10)
    part.resize(SIDE / part.width).write_to_buffer(".jpg[Q=90,subsample-mode=on]")


{"pillow": with_pillow, "vips": with_vips}[sys.argv[1]](sys.argv[2])
