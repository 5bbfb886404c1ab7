"""Notes in the metadata of objects about how they were made."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, cast

from ._crop import Crop, Rect, absolute
from ._options import FORMATS
from ._picture import Picture
from ._requests import Info, Place
from ._result import Result, Warned

#: The maximum length of a note. S3 allows 2,048 bytes of metadata.
NOTE_LENGTH = 1800


def mark(crop: Crop, picture: Picture | None) -> str:
    """Identifies an image's content, the crop and the options."""
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
            # The program reports the error.
            source = [path]
        else:
            source = [path, status.st_size, status.st_mtime_ns]
    asked = Crop(b"", None, **crop.how).line()
    asked.setdefault("options", {}).setdefault("format", FORMATS.get(str(crop.output).rpartition(".")[2].lower()))
    return hashlib.sha256(json.dumps([source, asked], sort_keys=True).encode()).hexdigest()


def note(mark: str, made: Result) -> str:
    """The note for an object's metadata: the mark, and the fields of a report."""
    fields: dict[str, Any] = {
        "format": made.format,
        "width": made.width,
        "height": made.height,
        "bytes": made.byte_count,
        "lossless": made.lossless,
        "rect": made.rect,
        "requantized": made.requantized,
        "gainMap": made.gain_map,
        "warnings": [[one.code, one.message] for one in made.warnings],
    }
    text = f"1 {mark} {json.dumps(fields, separators=(',', ':'))}"
    if len(text) > NOTE_LENGTH:
        fields["warnings"] = []
        text = f"1 {mark} {json.dumps(fields, separators=(',', ':'))}"
    return text


def noted(found: Info, mark: str) -> Mapping[str, Any] | None:
    """The fields in an object's note, if it has this mark and has not changed since."""
    kind, _, rest = (found.note or "").partition(" ")
    made, _, text = rest.partition(" ")
    if kind != "1" or made != mark:
        return None
    try:
        fields: Any = json.loads(text)
        return cast("Mapping[str, Any]", fields) if isinstance(fields, dict) and fields["bytes"] == found.size else None
    except (ValueError, KeyError):
        return None


def result(crop: Crop, target: Place, fields: Mapping[str, Any]) -> Result:
    """The result that a note describes."""
    return Result(
        crop=crop,
        output=target.address,
        format=fields["format"],
        width=fields["width"],
        height=fields["height"],
        byte_count=fields["bytes"],
        lossless=fields["lossless"],
        rect=Rect(*fields["rect"]) if fields["rect"] else None,
        requantized=tuple(fields["requantized"]) if fields.get("requantized") else None,
        gain_map=fields.get("gainMap"),
        warnings=tuple(Warned(*one) for one in fields["warnings"]),
        skipped=True,
    )
