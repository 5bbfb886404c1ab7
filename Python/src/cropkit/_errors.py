"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
