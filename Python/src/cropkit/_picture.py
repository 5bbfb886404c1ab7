"""Objects as inputs: fetched once for the crops that follow each other."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections.abc import Iterator
from typing import IO

from . import _address
from ._errors import CropError
from ._objects import Objects, missing
from ._requests import ChangedError, Info, Place, TooLargeError

#: Up to this many bytes a picture is held in memory; a larger one goes through a temporary file.
IN_MEMORY = 32 << 20
#: How often an object that changes while it is fetched is fetched again.
ROUNDS = 3


class Picture:
    """An object that several crops are made of; it is looked at and fetched once, by the first that needs it.

    Args:
        most: How many bytes it may have.
    """

    def __init__(self, address: str, objects: Objects, most: int) -> None:
        self.expected = 0
        self.users = 0
        self._address = address
        self._objects = objects
        self._most = most
        self._lock = threading.Lock()
        self._found: tuple[Place, Info] | None = None
        self._content: bytes | None = None
        self._file: IO[bytes] | None = None
        self._error: CropError | None = None

    def found(self) -> tuple[Place, Info]:
        """Where it is, and what the store reports about it; after `content`, about what that returned.

        Raises:
            CropError: It is missing, or can't be looked at.
        """
        with self._lock, self._remembering():
            return self._look()

    def content(self) -> bytes | str:
        """Its bytes, or the name of a temporary file.

        Raises:
            CropError: It is missing or too large, or can't be read.
        """
        with self._lock, self._remembering():
            if self._content is None and self._file is None:
                self._fetch()
            # The file has no name of its own, so that nothing is left of it if this process is killed.
            return self._content if self._file is None else f"/proc/{os.getpid()}/fd/{self._file.fileno()}"  # type: ignore[return-value]

    def forget(self) -> None:
        """Gives memory or the temporary file back; it is fetched again if needed."""
        with self._lock:
            self._content = None
            if self._file is not None:
                self._file.close()
                self._file = None

    def _look(self) -> tuple[Place, Info]:
        if self._found is None:
            place = self._objects.place(self._address)
            info = self._objects.info(place)
            if info is None:
                raise missing(self._address)
            if info.size is not None and info.size > self._most:
                raise self._too_large(f"has {info.size} bytes")
            self._found = place, info
        return self._found

    def _fetch(self) -> None:
        for _ in range(ROUNDS):
            place, info = self._look()
            try:
                if info.size is not None and info.size <= IN_MEMORY:
                    self._content = self._objects.read(place, info)
                else:
                    self._file = self._spooled(place, info)
            except ChangedError:
                self._found = None
            else:
                return
        name = _address.shown(self._address)
        raise CropError("read-failed", f"{name}: it changes while it is read; crop it again later", 74)

    def _spooled(self, place: Place, info: Info) -> IO[bytes]:
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(tempfile.TemporaryFile(prefix="cropkit-"))
            try:
                self._objects.copy(place, info, file, self._most)
            except TooLargeError:
                raise self._too_large("is too large") from None
            stack.pop_all()
            return file

    def _too_large(self, what: str) -> CropError:
        name = _address.shown(self._address)
        words = f'{name}: {what}, more than the limit of {self._most}; raise limits["bytes"] to allow it'
        return CropError("limit-bytes", words, 65)

    @contextlib.contextmanager
    def _remembering(self) -> Iterator[None]:
        """Raises what went wrong before rather than trying it again for each crop."""
        if self._error is not None:
            raise self._error
        try:
            yield
        except CropError as error:
            self._error = error
            raise
