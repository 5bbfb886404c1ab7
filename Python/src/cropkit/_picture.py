"""Objects as inputs: downloaded once for adjacent crops."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections.abc import Generator
from typing import IO

from . import _address
from ._errors import CropError
from ._objects import Objects, missing
from ._requests import ChangedError, Info, Place, TooLargeError

#: Images up to this many bytes are held in memory; larger ones are stored in a temporary file.
IN_MEMORY = 32 << 20
#: The number of attempts to download an object that changes in the meantime.
ROUNDS = 3


class Picture:
    """An object with several crops; the first one that needs it checks and downloads it, once.

    Args:
        most: The maximum number of bytes.
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
        """Its place, and what the store reports about it; after `content`, about the returned version.

        Raises:
            CropError: It is missing or inaccessible.
        """
        with self._lock, self._remembering():
            return self._look()

    def content(self) -> bytes | str:
        """Its bytes, or the name of a temporary file.

        Raises:
            CropError: It is missing, too large or unreadable.
        """
        with self._lock, self._remembering():
            if self._content is None and self._file is None:
                self._fetch()
            # The file has no name, so that nothing is left of it if this process is killed.
            return self._content if self._file is None else f"/proc/{os.getpid()}/fd/{self._file.fileno()}"  # type: ignore[return-value]

    def forget(self) -> None:
        """Frees the memory or temporary file; the object is downloaded again if needed."""
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
    def _remembering(self) -> Generator[None]:
        """Raises an earlier error instead of retrying for each crop."""
        if self._error is not None:
            raise self._error
        try:
            yield
        except CropError as error:
            self._error = error
            raise
