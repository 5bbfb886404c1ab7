# Made by Scripts/schema.mjs of Schema/options.json and formats.json; change that.
"""The options of a crop, and the formats."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict


class HowButRect(TypedDict, total=False):
    """All of `How` but the rectangle."""

    #: Four corners that are straightened, clockwise from the one that becomes top left: pairs, eight numbers or a text.
    quad: Sequence[Sequence[float]] | Sequence[float] | str
    inset: int | str
    #: The largest part of this ratio: "16:9".
    aspect: str
    gravity: str
    turn: Literal[90, 180, 270]
    mirror: Literal["horizontal", "vertical"]
    tilt: float
    #: "ellipse" or "rounded:RADIUS".
    shape: str
    #: Exactly this width and height: (600, 400) or "600x400".
    size: tuple[int, int] | str
    max_side: int
    #: All of the above, as the page and `<crop-view>` give it.
    recipe: Mapping[str, Any]
    #: The crop that another program left: "xmp" for the one in the picture, or a sidecar's name (photo.xmp, IMG_1.AAE).
    crop_from: str | os.PathLike[str]
    format: Literal["jpeg", "png", "webp", "gif", "tiff", "heic", "avif"]
    quality: int
    max_bytes: int
    subsampling: Literal["444", "422", "420", "keep"]
    lossless: Literal["never", "exact", "snap", "strict", "outward"]
    bake: bool
    progressive: bool
    strip: Literal["all", "location", "none"]
    srgb: bool
    linear: bool
    hdr: Literal["keep", "drop"]
    background: str
    page: int | Literal["all"]
    lenient: bool


class How(HowButRect, total=False):
    """What is cut and how it is written; names and values are those of `cropkit crop --help`."""

    #: x, y, width and height in pixels, or a text as for `--rect`: "10%,10%,80%,80%".
    rect: Sequence[float] | str


#: What stands in a line itself, as the line calls it.
WHAT = {
    "rect": "rect",
    "quad": "quad",
    "inset": "inset",
    "aspect": "aspect",
    "gravity": "gravity",
    "turn": "turn",
    "mirror": "mirror",
    "tilt": "tilt",
    "shape": "shape",
    "size": "size",
    "max_side": "maxSide",
    "recipe": "recipe",
    "crop_from": "cropFrom",
}

#: What stands in a line's options, as the line calls it.
OPTIONS = {
    "format": "format",
    "quality": "quality",
    "max_bytes": "maxBytes",
    "subsampling": "subsampling",
    "lossless": "lossless",
    "bake": "bake",
    "progressive": "progressive",
    "strip": "strip",
    "srgb": "srgb",
    "linear": "linear",
    "hdr": "hdr",
    "background": "background",
    "page": "page",
    "lenient": "lenient",
}

#: Formats by the extension of what is written.
FORMATS = {
    "jpg": "jpeg",
    "jpeg": "jpeg",
    "jpe": "jpeg",
    "jfif": "jpeg",
    "png": "png",
    "apng": "png",
    "webp": "webp",
    "gif": "gif",
    "tif": "tiff",
    "tiff": "tiff",
    "heic": "heic",
    "heif": "heic",
    "avif": "avif",
}
