"""What users write, which type checkers must accept with all checks; it is not run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

import cropkit

made = cropkit.crop("photo.jpg", Path("part.jpg"), rect=(100, 50, 800, 600), lossless="snap")
size: tuple[int, int] = (made.width, made.height)
data: bytes = cropkit.crop_bytes(b"", aspect="1:1", max_side=1080, format="webp", max_bytes="200K")
part = {"x": 0, "y": 0, "width": 8, "height": 8}
pixels: NDArray[np.uint8 | np.uint16] = cropkit.crop_bytes(Image.new("RGB", (9, 9)), rect=part, decode=True)
info = cropkit.info("photo.heic", limits={"pixels": "100M"})
print(info.format, info.width, size, pixels.shape, data)
for result in cropkit.targets("photo.jpg", "out/", "social", focus=(0.42, 0.30), quality=80):
    print(result.target, result.output)
crops = [cropkit.Crop(name, f"out/{number}.jpg", aspect="1:1") for number, name in enumerate(["a.jpg"])]
with cropkit.Pool(jobs=8, resume=True) as pool:
    for one in pool.map(crops, progress=True):
        print(one.output, one.lossless, one.warnings, one.rect)
    for outcome in pool.map(crops, errors="return"):
        if isinstance(outcome, cropkit.CropError):
            print(outcome.code, outcome.message, outcome.exit_status, outcome.crop)
        else:
            print(outcome.data)
    future = pool.submit(crops[0])
    print(future.result().array())
try:
    cropkit.crop("a.jpg", "b.jpg", recipe='{"version": 1}', outside="clamp")
except cropkit.CropError as error:
    print(error.code)
