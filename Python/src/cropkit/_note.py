"""Notes in the metadata of objects, which describe what they were made of."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

from ._crop import Crop, Rect, absolute
from ._options import FORMATS
from ._picture import Picture
from ._requests import Info, Place
from ._result import Result, Warned

#: How long a note may be. S3 takes 2,048 bytes of metadata.
NOTE_LENGTH = 1800


def mark(crop: Crop, picture: Picture | None) -> str:
    """Identifies a picture's content, what is cut and how."""
    if picture is not None:
        place, info = picture.found()
        source = [place.path, info.size, info.version]
    elif isinstance(crop.input, bytes):
        source = ["sha256", hashlib.sha256(crop.input).hexdigest()]
    else:
        path = absolute(crop.input)
        try:
            status = os.stat(path)
        except OSError:
            # The program says what is wrong.
            source = [path]
        else:
            source = [path, status.st_size, status.st_mtime_ns]
    asked = Crop(b"", None, **crop.how).line()
    asked.setdefault("options", {}).setdefault("format", FORMATS.get(str(crop.output).rpartition(".")[2].lower()))
    return hashlib.sha256(json.dumps([source, asked], sort_keys=True).encode()).hexdigest()


def note(mark: str, made: Result) -> str:
    """What an object's metadata says: the mark, and the fields of a report."""
    told: dict[str, Any] = {
        "format": made.format,
        "width": made.width,
        "height": made.height,
        "bytes": made.byte_count,
        "lossless": made.lossless,
        "rect": made.rect,
        "requantized": made.requantized,
        "warnings": [[one.code, one.message] for one in made.warnings],
    }
    text = f"1 {mark} {json.dumps(told, separators=(',', ':'))}"
    if len(text) > NOTE_LENGTH:
        told["warnings"] = []
        text = f"1 {mark} {json.dumps(told, separators=(',', ':'))}"
    return text


def noted(found: Info, mark: str) -> Mapping[str, Any] | None:
    """The fields in the note of an object, if it was made as the mark says and has not changed since."""
    kind, _, rest = (found.note or "").partition(" ")
    made, _, text = rest.partition(" ")
    if kind != "1" or made != mark:
        return None
    try:
        told = json.loads(text)
        return told if isinstance(told, dict) and told["bytes"] == found.size else None
    except (ValueError, KeyError):
        return None


def result(crop: Crop, target: Place, told: Mapping[str, Any]) -> Result:
    """The result that a note describes."""
    return Result(
        crop=crop,
        output=target.address,
        format=told["format"],
        width=told["width"],
        height=told["height"],
        byte_count=told["bytes"],
        lossless=told["lossless"],
        rect=Rect(*told["rect"]) if told["rect"] else None,
        requantized=tuple(told["requantized"]) if told.get("requantized") else None,
        warnings=tuple(Warned(*one) for one in told["warnings"]),
        skipped=True,
    )
