"""What the header of an image says."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from . import _address
from ._crop import Name, absolute
from ._errors import CropError
from ._limits import byte_count, check_limits
from ._objects import Objects
from ._options import Limit
from ._picture import Picture
from ._pool import BYTES
from ._program import READER, cannot_run, program
from ._result import Warned
from ._source import taken

if TYPE_CHECKING:
    from ._source import Source


@dataclass(frozen=True)
class Info:
    """An image's properties, from its header; no pixel was decoded."""

    format: str
    #: The size in pixels as the image is shown, to which rectangles refer.
    width: int
    height: int
    #: The size of the file in bytes.
    byte_count: int
    #: The EXIF orientation, 1 to 8.
    orientation: int
    #: Bits per channel.
    bit_depth: int
    has_alpha: bool
    frame_count: int
    page_count: int
    warnings: tuple[Warned, ...] = ()
    #: Everything that `cropkit info --json` prints, under the names that its help lists.
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)


def info(
    input: Source,
    *,
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Info:
    """Reads the header of an image.

    Args:
        input: The name of a file, the URL of an object, or an image as `Crop` accepts.
        limits: As for `crop`.
        storage_options: As for `Pool`.

    Raises:
        CropError: It is missing, damaged, over a limit, or no image.
        ProgramError: The program is missing or died.
    """
    limits = limits or {}
    check_limits(limits)
    source = taken(input)
    if _address.scheme(source) is None:
        return _info(source, limits, None)
    picture = Picture(str(source), Objects(storage_options), byte_count(limits.get("bytes", BYTES)))
    try:
        return _info(picture.content(), limits, _address.shown(str(source)))
    finally:
        picture.forget()


def _info(source: Any, limits: Mapping[Limit, int | str], shown: str | None) -> Info:
    """Runs the program for bytes or a file; `shown` is the name in messages, if it is another."""
    data: bytes | None = source if isinstance(source, bytes) else None
    name = "-" if data is not None else absolute(cast("Name", source))
    if data is None and os.path.isdir(name):
        raise CropError("input-unreadable", f"{name}: it is a folder; name a file in it", 66)
    words = [word for limit, value in limits.items() for word in (f"--limit-{limit}", str(value))]
    path = program()
    try:
        done = subprocess.run(
            [path, "info", "--json", *words, "--", name],
            input=data or b"",
            capture_output=True,
            env=os.environ | READER,
        )
    except OSError as error:
        raise cannot_run(path, str(error)) from error
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise cannot_run(path, done.stderr.decode(errors="replace") or f"status {done.returncode}") from None
    if "error" in answer:
        reason = answer["error"]
        called = "standard input" if data is not None else name
        message = reason["message"]
        label = shown or ("the input's bytes" if data is not None else name)
        if message.startswith(called):
            message = label + message[len(called) :]
        raise CropError(reason["code"], message, reason["exitStatus"])
    return Info(
        format=answer["format"],
        width=answer["shown"]["width"],
        height=answer["shown"]["height"],
        byte_count=answer["byteCount"],
        orientation=answer["orientation"],
        bit_depth=answer["bitDepth"],
        has_alpha=answer["hasAlpha"],
        frame_count=answer["frameCount"],
        page_count=answer["pageCount"],
        warnings=tuple(Warned(one["code"], one["message"]) for one in answer["warnings"]),
        fields=answer,
    )
