"""Where results go."""

from __future__ import annotations

import os
from typing import Protocol


class Store(Protocol):
    """Takes results. It is sent to the executors, so it must be possible to pickle it.

    A result may be written more than once, by tasks that are tried again or run twice at the same time. It is the
    same each time; a store must only see to it that it is there whole or not at all.
    """

    def place(self, name: str) -> str | None:
        """The path of the file that the program is to write, or None to have the bytes.

        Raises:
            OSError: There can't be one.
        """

    def write(self, name: str, data: bytes) -> None:
        """Stores a result that has no place, under the name that the job gave it.

        Raises:
            OSError: It could not be stored.
        """


class Files:
    """Files on a disk that every executor sees under the same name, and objects; folders are made as needed.

    The program writes each under another name and renames it once all of it is on the disk.
    """

    def place(self, name: str) -> str:
        os.makedirs(os.path.dirname(name), exist_ok=True)
        return name

    def write(self, name: str, data: bytes) -> None:
        raise NotImplementedError("the program writes files itself")
