"""Errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._options import FLAGS, OPTIONS, WHAT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._crop import Crop


class CropError(Exception):
    """A crop failed or was rejected; the message is the program's."""

    #: A name for the error, for programs; stable across versions.
    code: str
    #: What happened, and what to do about it.
    message: str
    #: The exit status of `cropkit crop` for this error.
    exit_status: int
    #: The crop, if known.
    crop: Crop | None

    def __init__(self, code: str, message: str, exit_status: int, crop: Crop | None = None) -> None:
        super().__init__(code, message, exit_status, crop)
        self.code = code
        self.message = message
        self.exit_status = exit_status
        self.crop = crop

    def __str__(self) -> str:
        return self.message


class ProgramError(CropError):
    """The program is missing or has ended; other crops will probably fail too."""


def in_python(message: str, names: Iterable[str] = ()) -> str:
    """A message of the program with the Python names of its options and keys, except in a file name at its start."""
    start = max((name for name in names if message.startswith(name)), key=len, default="")
    rest = message[len(start) :].replace("use --in-place to overwrite it", "name another output")
    rest = rest.replace("is the input of a line", "is the input of a crop")
    rest = re.sub(r"\boptions\.([a-z]+(?:[A-Z][a-z]+)*)( true)?", _option, rest)
    # A key of several words can't be anything else; of one word, it starts a message.
    rest = re.sub(r"\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[a-z]+(?=: )", _key, rest)
    return start + re.sub(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)", _argument, rest)


def _argument(option: re.Match[str]) -> str:
    name = option[1].replace("-", "_")
    if name in ("force", "resume", "keep_time", *FLAGS):
        return f"{name}=True"
    return f'limits["{name.removeprefix("limit_")}"]' if name.startswith("limit_") else name


def _option(found: re.Match[str]) -> str:
    name = next((name for name, key in OPTIONS.items() if key == found[1]), None)
    return found[0] if name is None else name + ("=True" if found[2] else "")


def _key(found: re.Match[str]) -> str:
    return next((name for name, key in WHAT.items() if key == found[0]), found[0])
