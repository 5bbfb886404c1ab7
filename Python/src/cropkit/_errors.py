"""Errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
