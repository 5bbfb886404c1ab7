"""Objects in stores such as S3, Google Cloud Storage or Azure, reached with fsspec."""

from __future__ import annotations

import asyncio
import errno
import os
import random
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from . import _address
from ._errors import CropError

#: How long one try of a request may take, in seconds. It bounds file systems of fsspec that are asynchronous inside,
#: which those of the large stores are.
TIMEOUT = 60.0
#: How long is waited before each further try, in seconds, times 0.5 to 1.5 by chance. The libraries of the stores
#: try again themselves before these count.
PAUSES = (0.2, 0.8, 3.2)
#: The name of an object's metadata that says what it was made of.
NOTE = "cropkit"
#: Up to this size an object of S3 is written by one request: no upload in parts that could be left behind.
S3_PUT = 5 << 30

#: Stores that show an object once all of it is there. In others a result is written under another name and renamed.
WHOLE = ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci", "memory")

#: What another try does not mend.
_LASTING = (
    FileExistsError, FileNotFoundError, PermissionError, IsADirectoryError, NotADirectoryError,
    ImportError, NotImplementedError, TypeError, ValueError,
)  # fmt: skip

Value = TypeVar("Value")


class Info(NamedTuple):
    """What a store says of an object."""

    #: In bytes; None where the store does not say.
    size: int | None
    #: Changes with the content: an ETag, a generation, a time. None where the store has none of them.
    version: str | None
    #: What `NOTE` says in its metadata.
    note: str | None


class Place(NamedTuple):
    """An object's address, taken apart."""

    address: str
    scheme: str
    files: Any
    path: str


class Objects:
    """Reads and writes objects by their addresses. Several threads may use it.

    Args:
        options: What fsspec's file systems are made with, for all schemes, or by scheme: {"s3": {...}, "gs": {...}}.
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        self._options = dict(options or {})

    def place(self, address: str) -> Place:
        """Takes an address apart.

        Raises:
            CropError: fsspec, or what it needs for this scheme, is missing, or the scheme is unknown.
        """
        scheme = _address.scheme(address)
        assert scheme is not None
        try:
            import fsspec
        except ImportError:
            raise _unusable(address, "addresses need fsspec; run pip install 'cropkit[stores]'") from None
        try:
            kind = fsspec.get_filesystem_class(scheme)
        except ImportError as error:
            # "Install s3fs to access S3"
            raise _unusable(address, f"fsspec can't reach it; {error}") from None
        except ValueError:
            raise _unusable(address, f"fsspec knows no addresses that start with {scheme}://") from None
        try:
            made = kind._get_kwargs_from_urls(address) | self._for_scheme(scheme, fsspec.available_protocols())
            files = fsspec.filesystem(scheme, **made)
            return Place(address, scheme, files, files._strip_protocol(address))
        except Exception as error:
            raise _unusable(address, f"fsspec can't reach it; {self._words(error)}") from None

    def info(self, place: Place) -> Info | None:
        """What there is of an object; None if there is none.

        Raises:
            CropError: The store refused to tell, or can't be reached.
        """
        place.files.invalidate_cache(place.files._parent(place.path))
        try:
            found = self._tried(place, "read-failed", "can't be looked at", self._info, place)
        except FileNotFoundError:
            return None
        return None if found["type"] == "directory" else Info(found["size"], _version(found), found.get(NOTE))

    def read(self, place: Place) -> bytes:
        """All of an object.

        Raises:
            CropError: It is missing, or can't be read.
        """
        try:
            return bytes(self._tried(place, "read-failed", "can't be read", _call, place, "cat_file"))
        except FileNotFoundError:
            raise missing(place.address) from None

    def copy(self, place: Place, path: str) -> None:
        """Copies an object to a file.

        Raises:
            CropError: It is missing, or can't be read, or the file can't be written.
        """
        try:
            self._tried(place, "read-failed", "can't be read", _call, place, "get_file", path)
        except FileNotFoundError:
            raise missing(place.address) from None

    def write(self, place: Place, data: bytes, note: str, media_type: str, is_new: bool) -> None:
        """Puts an object, whole or not at all.

        Args:
            note: What its metadata is to say under `NOTE`, where the store keeps metadata.
            is_new: Replace nothing. A store that can't promise that of one that comes at the same time is looked at.

        Raises:
            FileExistsError: `is_new`, and there is one.
            CropError: It can't be written.
        """
        how: dict[str, Any] = {"mode": "create"} if is_new else {}
        if place.scheme in ("s3", "s3a"):
            how |= {"Metadata": {NOTE: note}, "ContentType": media_type, "chunksize": S3_PUT}
        elif place.scheme in ("gs", "gcs"):
            how |= {"metadata": {NOTE: note}, "content_type": media_type}
        put = _put if place.scheme in WHOLE else _put_and_rename
        try:
            self._tried(place, "write-failed", "can't be written", put, place, data, how)
        except FileNotFoundError:
            raise CropError(
                "output-uncreatable", f"{_address.shown(place.address)}: there is no such bucket or folder", 73
            ) from None

    def _for_scheme(self, scheme: str, known: list[str]) -> dict[str, Any]:
        of_scheme = {
            name: value for name, value in self._options.items() if name in known and isinstance(value, Mapping)
        }
        rest = {name: value for name, value in self._options.items() if name not in of_scheme}
        return rest | dict(of_scheme.get(scheme, {}))

    def _info(self, place: Place) -> dict[str, Any]:
        if place.scheme in ("s3", "s3a"):
            return _head(place)
        found = dict(_call(place, "info"))
        if place.scheme in ("gs", "gcs"):
            found[NOTE] = (found.get("metadata") or {}).get(NOTE)
        return found

    def _tried(self, place: Place, code: str, what: str, call: Callable[..., Value], *arguments: Any) -> Value:
        """Tries a request, again after a pause if that may help.

        Raises:
            FileNotFoundError, FileExistsError: As the store says.
            CropError: Everything else.
        """
        for pause in (*PAUSES, None):
            try:
                return call(*arguments)
            except (FileNotFoundError, FileExistsError):
                raise
            except Exception as error:
                if pause is None or _is_lasting(error):
                    denied = isinstance(error, PermissionError) and code == "read-failed"
                    words = f"{_address.shown(place.address)}: it {what}: {self._words(error)}"
                    raise CropError("input-unreadable" if denied else code, words, 66 if denied else 74) from None
            time.sleep(pause * random.uniform(0.5, 1.5))
        raise AssertionError

    def _words(self, error: BaseException) -> str:
        """What a library says, in one line and without anything that is secret."""
        if isinstance(error, (TimeoutError, asyncio.TimeoutError)):
            return f"no answer within {TIMEOUT:g} s"
        said = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        text = _address.shown(" ".join(said.split()))
        hidden = {value for name, value in os.environ.items() if _is_secret(name)} | set(_secrets(self._options))
        for value in sorted(hidden, key=len, reverse=True):
            if len(value) >= 4:
                text = text.replace(value, "***")
        return text[:300]


def missing(address: str) -> CropError:
    """An input that is not there."""
    return CropError("input-missing", f"{_address.shown(address)}: no such object; check the name", 66)


def _unusable(address: str, why: str) -> CropError:
    return CropError("usage", f"{_address.shown(address)}: {why}", 64)


def _version(found: Mapping[str, Any]) -> str | None:
    told = [found.get(name) for name in ("ETag", "etag", "VersionId", "generation")]
    if not any(told):
        told = [found.get(name) for name in ("mtime", "modified", "last_modified", "LastModified", "created")]
    return "|".join(str(one) for one in told if one) or None


def _call(place: Place, name: str, *arguments: Any, **how: Any) -> Any:
    """Calls a method of a file system for a path, for no longer than `TIMEOUT` where that can be said."""
    files = place.files
    if getattr(files, "async_impl", False) and hasattr(files, f"_{name}"):
        from fsspec.asyn import sync

        return sync(files.loop, getattr(files, f"_{name}"), place.path, *arguments, timeout=TIMEOUT, **how)
    return getattr(files, name)(place.path, *arguments, **how)


def _head(place: Place) -> dict[str, Any]:
    """What S3 says of an object, in one request; s3fs's `info` lists the bucket, too, if there is none."""
    from fsspec.asyn import sync

    files = place.files
    bucket, key, version = files.split_path(place.path)
    of_version = {"VersionId": version} if version else {}
    found = sync(
        files.loop, files._call_s3, "head_object", files.kwargs, Bucket=bucket, Key=key, timeout=TIMEOUT, **of_version
    )
    told = {"type": "file", "size": found["ContentLength"], NOTE: found.get("Metadata", {}).get(NOTE)}
    return told | {name: found.get(name) for name in ("ETag", "VersionId", "LastModified")}


def _put(place: Place, data: bytes, how: Mapping[str, Any]) -> None:
    _call(place, "pipe_file", data, **how)


def _put_and_rename(place: Place, data: bytes, how: Mapping[str, Any]) -> None:
    files = place.files
    folder, _, name = place.path.rpartition("/")
    part = f"{folder}/.{name}.{secrets.token_hex(6)}.part"
    files.makedirs(folder, exist_ok=True)
    try:
        _call(place._replace(path=part), "pipe_file", data)
        if files.exists(place.path):
            if how.get("mode") == "create":
                raise FileExistsError(errno.EEXIST, "it exists", place.path)
            files.rm_file(place.path)
        files.mv(part, place.path)
    except BaseException:
        if files.exists(part):
            files.rm_file(part)
        raise


def _is_lasting(error: Exception) -> bool:
    return isinstance(error, _LASTING) or "Credential" in type(error).__name__


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in ("secret", "token", "password", "key", "credential", "connection"))


def _secrets(options: object) -> Iterator[str]:
    """The values in options whose names say that they are secret."""
    if isinstance(options, Mapping):
        for name, value in options.items():
            if isinstance(value, str) and _is_secret(str(name)):
                yield value
            else:
                yield from _secrets(value)
    elif isinstance(options, (list, tuple)):
        for value in options:
            yield from _secrets(value)
