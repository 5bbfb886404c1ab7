"""Objects in stores such as S3, Google Cloud Storage or Azure, accessed with fsspec."""

from __future__ import annotations

import asyncio
import importlib
import os
import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, NoReturn, TypeVar, cast

from . import _address, _requests
from ._errors import CropError
from ._requests import ChangedError, Info, Place, TooLargeError

#: The pauses before retries in seconds, each multiplied by a random factor from 0.5 to 1.5. The stores' libraries
#: retry before these count.
PAUSES = (0.2, 0.8, 3.2)
#: The maximum length of a library's error message in characters.
MOST_WORDS = 300

#: Errors for which a retry is useless.
_LASTING = (
    FileExistsError, FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError,
    ImportError, NotImplementedError, TypeError, ValueError,
)  # fmt: skip

Value = TypeVar("Value")


class Objects:
    """Reads and writes objects by their addresses. Thread-safe.

    Args:
        options: Options for fsspec's file systems, for all schemes or by scheme: {"s3": {...}, "gs": {...}}.
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self._options = dict(options or {})
        self._is_stopped = threading.Event()

    def stop(self) -> None:
        """Stops all retries."""
        self._is_stopped.set()

    def place(self, address: str) -> Place:
        """Parses an address.

        Raises:
            CropError: fsspec or its package for this scheme is missing, the scheme is unknown, or it is the address
                of a folder or bucket.
        """
        scheme = _address.scheme(address)
        assert scheme is not None
        try:
            fsspec: Any = importlib.import_module("fsspec")
        except ImportError:
            raise _unusable(address, "URLs need fsspec; run pip install 'cropkit[stores]'") from None
        try:
            kind = fsspec.get_filesystem_class(scheme)
        except ImportError as error:
            # "Install s3fs to access S3"
            raise _unusable(address, f"fsspec can't reach it; {error}") from None
        except ValueError:
            raise _unusable(address, f"fsspec knows no URLs that start with {scheme}://") from None
        try:
            made = kind._get_kwargs_from_urls(address) | self._for_scheme(scheme, fsspec.available_protocols())
            files = fsspec.filesystem(scheme, **made)
            path = files._strip_protocol(address)
        except Exception as error:
            raise _unusable(address, f"fsspec can't reach it; {self._words(error)}") from None
        if address.endswith("/") or (scheme in _requests.GUARDED and "/" not in path):
            raise _unusable(address, "this is the URL of a folder; add the name of an object")
        return Place(address, scheme, files, path)

    def info(self, place: Place) -> Info | None:
        """What the store reports about an object; None if there is none.

        Raises:
            CropError: The store denies access, or can't be reached.
        """
        return self._looked_up(place, "read-failed", "input-unreadable")

    def output(self, place: Place) -> Info | None:
        """What the store reports about an object before it is written; None if there is none, or if the store
        denies reading and also prevents overwriting.

        Raises:
            CropError: The store denies access, or can't be reached.
        """
        # S3 reports a missing object as denied to clients that may not list the bucket.
        hidden = (PermissionError,) if place.scheme in _requests.GUARDED else ()
        return self._looked_up(place, "write-failed", "output-uncreatable", (FileNotFoundError, *hidden))

    def _looked_up(
        self, place: Place, failed: str, denied: str, missing: tuple[type[Exception], ...] = (FileNotFoundError,)
    ) -> Info | None:
        try:
            return self._tried(_requests.info, place)
        except missing:
            return None
        except Exception as error:
            self._fail(place, "can't be looked at", error, failed, denied)

    def read(self, place: Place, expected: Info) -> bytes:
        """The contents of an object.

        Raises:
            ChangedError: It has changed.
            CropError: It is missing, or can't be read.
        """
        return self._read(place, _requests.read, place, expected)

    def copy(self, place: Place, expected: Info, file: IO[bytes], most: int) -> None:
        """Copies an object into an open file.

        Args:
            most: The maximum number of bytes, if the store reports no size.

        Raises:
            ChangedError: It has changed.
            TooLargeError: It has more than `most` bytes.
            CropError: It is missing or can't be read, or the file can't be written.
        """
        self._read(place, _requests.copy, place, expected, file, most)

    def write(self, place: Place, data: bytes, note: str, media_type: str, is_new: bool) -> None:
        """Writes an object atomically.

        Args:
            note: The text for `NOTE` in its metadata, if the store has metadata.
            is_new: Do not overwrite. If the store can't guarantee that, it is checked just before.

        Raises:
            FileExistsError: `is_new`, and the object exists.
            CropError: It can't be written.
        """
        try:
            self._tried(_requests.put, place, data, note, media_type, is_new)
        except FileExistsError:
            raise
        except FileNotFoundError:
            raise CropError("output-uncreatable", f"{shown(place)}: there is no such bucket or folder", 73) from None
        except Exception as error:
            self._fail(place, "can't be written", error, "write-failed", "output-uncreatable")

    def _for_scheme(self, scheme: str, known: list[str]) -> dict[str, Any]:
        of_scheme: dict[str, Mapping[str, Any]] = {
            name: value for name, value in self._options.items() if name in known and isinstance(value, Mapping)
        }
        rest = {name: value for name, value in self._options.items() if name not in of_scheme}
        return rest | dict(of_scheme.get(scheme, {}))

    def _read(self, place: Place, call: Callable[..., Value], *arguments: Any) -> Value:
        try:
            return self._tried(call, *arguments)
        except (ChangedError, TooLargeError):
            raise
        except FileNotFoundError:
            raise missing(place.address) from None
        except Exception as error:
            self._fail(place, "can't be read", error, "read-failed", "input-unreadable")

    def _tried(self, call: Callable[..., Value], *arguments: Any) -> Value:
        """Sends a request and retries it after a pause, if that may help."""
        for pause in PAUSES:
            try:
                return call(*arguments)
            except (*_LASTING, ChangedError, TooLargeError):
                raise
            except Exception as error:
                if "Credential" in type(error).__name__:
                    raise
                if self._is_stopped.wait(pause * random.uniform(0.5, 1.5)):
                    raise
        return call(*arguments)

    def _fail(self, place: Place, what: str, error: Exception, failed: str, denied: str) -> NoReturn:
        """Raises the error for a store's error, with the code `denied` or `failed`."""
        code = denied if isinstance(error, PermissionError) else failed
        status = {"input-unreadable": 66, "output-uncreatable": 73}.get(code, 74)
        raise CropError(code, f"{shown(place)}: it {what}: {self._words(error)}", status) from None

    def _words(self, error: BaseException) -> str:
        """A library's error message, on one line and without secrets."""
        if isinstance(error, (TimeoutError, asyncio.TimeoutError)):
            return "no answer in time"
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        text = _address.shown(" ".join(reason.split()))
        hidden = {value for name, value in os.environ.items() if _is_secret(name)} | set(_secrets(self._options))
        for value in sorted(hidden, key=len, reverse=True):
            if len(value) >= 4:
                text = text.replace(value, "***")
        return text[:MOST_WORDS]


def shown(place: Place) -> str:
    """An object's URL for messages."""
    return _address.shown(place.address)


def missing(address: str) -> CropError:
    """The error for an input that does not exist."""
    return CropError("input-missing", f"{_address.shown(address)}: no such object; check the name", 66)


def _unusable(address: str, why: str) -> CropError:
    return CropError("usage", f"{_address.shown(address)}: {why}", 64)


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in ("secret", "token", "pass", "key", "credential", "connection", "auth"))


def _secrets(options: object) -> Iterator[str]:
    """The values in options whose names mark them as secret."""
    if isinstance(options, Mapping):
        for name, value in cast("Mapping[str, Any]", options).items():
            if isinstance(value, str) and _is_secret(str(name)):
                yield value
            else:
                yield from _secrets(value)
    elif isinstance(options, (list, tuple)):
        for value in cast("Sequence[Any]", options):
            yield from _secrets(value)
