"""What can go wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._crop import Crop


class CropError(Exception):
    """A crop that was refused or failed, in the program's words."""

    #: What happened, for a program; stable from version to version.
    code: str
    #: What happened and what to do about it, for a person.
    message: str
    #: The exit status of `cropkit crop` for the same.
    exit_status: int
    #: What was to be cut, where that is known.
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
    """The program itself is missing or has ended; other crops are likely to fail, too."""


#: Options of the command that take no value.
FLAGS = ("force", "resume", "lenient", "bake", "progressive", "srgb", "linear")


def in_python(message: str, names: Iterable[str]) -> str:
    """A message of the program with its options as Python has them, behind the name that it may start with."""
    start = max((name for name in names if message.startswith(name)), key=len, default="")
    rest = message[len(start) :].replace("use --in-place to replace it", "name another output")
    return start + re.sub(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)", _argument, rest)


def _argument(option: re.Match[str]) -> str:
    name = option[1].replace("-", "_")
    if name in FLAGS:
        return f"{name}=True"
    return f'limits["{name.removeprefix("limit_")}"]' if name.startswith("limit_") else name
