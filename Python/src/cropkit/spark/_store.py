"""The destinations of results."""

from __future__ import annotations

import os
from typing import Protocol


class Store(Protocol):
    """Writes results. It is sent to the executors, so it must be picklable.

    A result may be written more than once, by tasks that are retried or run twice at the same time. It is identical
    each time; a store must only write it atomically.
    """

    def place(self, name: str) -> str | None:
        """The path of the file for the program to write, or None to get the bytes.

        Raises:
            OSError: It can't be created.
        """

    def write(self, name: str, data: bytes) -> None:
        """Stores a result for which `place` returned None, under the job's name for it.

        Raises:
            OSError: It could not be stored.
        """


class Files:
    """Files on a disk that all executors see under the same names, and objects. Folders are created as needed.

    The program writes each file under another name and renames it when it is completely on the disk.
    """

    def __init__(self) -> None:
        # Of this task: another one may run after the folders have been removed.
        self._folders: set[str] = set()

    def place(self, name: str) -> str:
        folder = os.path.dirname(name)
        if folder not in self._folders:
            os.makedirs(folder, exist_ok=True)
            self._folders.add(folder)
        return name

    def write(self, name: str, data: bytes) -> None:
        raise NotImplementedError("the program writes files itself")
