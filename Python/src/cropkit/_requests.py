"""Single requests to stores, in the way of fsspec's file systems."""

from __future__ import annotations

import contextlib
import errno
import importlib
import secrets
from collections.abc import Mapping
from typing import IO, Any, NamedTuple

#: The timeout of a request in seconds. It applies to the file systems of fsspec that are asynchronous inside, as
#: those of the large stores are.
TIMEOUT = 60.0
#: A transfer may take longer by the time it needs at this speed, in bytes per second.
SLOWEST = 1 << 20
#: The key in an object's metadata for the note about how it was made.
NOTE = "cropkit"
#: Objects up to this size are written to S3 with one request: an upload in parts could leave parts behind.
S3_PUT = 5 << 30
#: How many bytes to read at a time if the size is unknown.
CHUNK = 1 << 20

S3, GOOGLE, AZURE = ("s3", "s3a"), ("gs", "gcs"), ("abfs", "abfss", "az")
#: Stores in which an object only appears when it is complete. In others, a result is written under another name and
#: renamed.
WHOLE = (*S3, *GOOGLE, *AZURE, "adl", "oss", "oci", "memory")
#: Stores that can atomically reject overwriting.
GUARDED = (*S3, *GOOGLE, *AZURE)


class Info(NamedTuple):
    """What a store reports about an object."""

    #: In bytes; None if the store does not report it.
    size: int | None
    #: Changes with the content: an ETag, a generation or a time. None if the store has none of them.
    version: str | None
    #: The note in its metadata.
    note: str | None


class Place(NamedTuple):
    """An object's parsed URL."""

    address: str
    scheme: str
    files: Any
    path: str


class ChangedError(Exception):
    """An object has changed since it was checked."""


class TooLargeError(Exception):
    """An object has more bytes than allowed."""


def info(place: Place) -> Info | None:
    """What the store reports about an object; None for a folder.

    Raises:
        FileNotFoundError: There is no such object.
    """
    if place.scheme in S3:
        found: dict[str, Any] = _head(place)
    else:
        place.files.invalidate_cache(place.files._parent(place.path))
        found = dict(_call(place, "info"))
        if place.scheme in GOOGLE:
            metadata: dict[str, Any] = found.get("metadata") or {}
            found[NOTE] = metadata.get(NOTE)
    return None if found["type"] == "directory" else Info(found["size"], _version(found), found.get(NOTE))


def read(place: Place, expected: Info) -> bytes:
    """All of an object.

    Raises:
        ChangedError: It is not what was expected.
        FileNotFoundError: It no longer exists.
    """
    timeout = _timeout(expected.size)
    data = _get(place, expected, timeout) if place.scheme in S3 else bytes(_call(place, "cat_file", timeout=timeout))
    if expected.size is not None and len(data) != expected.size:
        raise ChangedError
    if place.scheme not in S3:
        _check_version(place, expected)
    return data


def copy(place: Place, expected: Info, file: IO[bytes], most: int) -> None:
    """Copies an object into an open file.

    Args:
        most: The maximum number of bytes.

    Raises:
        ChangedError: It is not what was expected.
        TooLargeError: It has more than `most` bytes.
        FileNotFoundError: It no longer exists.
    """
    file.seek(0)
    file.truncate()
    if expected.size is None:
        with place.files.open(place.path, "rb") as source:
            while data := source.read(CHUNK):
                if file.tell() + len(data) > most:
                    raise TooLargeError
                file.write(data)
        file.flush()
    else:
        _call(place, "get_file", f"/proc/self/fd/{file.fileno()}", timeout=_timeout(expected.size))
    _check_version(place, expected)


def put(place: Place, data: bytes, note: str, media_type: str, is_new: bool) -> None:
    """Writes an object completely or not at all.

    Raises:
        FileExistsError: `is_new`, and there is one.
        FileNotFoundError: There is no such bucket.
    """
    how: dict[str, Any] = {"mode": "create"} if is_new else {}
    if place.scheme in S3:
        how |= {"Metadata": {NOTE: note}, "ContentType": media_type, "chunksize": S3_PUT}
    elif place.scheme in GOOGLE:
        how |= {"metadata": {NOTE: note}, "content_type": media_type}
    if place.scheme in WHOLE:
        _call(place, "pipe_file", data, timeout=_timeout(len(data)), **how)
    else:
        _put_and_rename(place, data, is_new)


def _check_version(place: Place, expected: Info) -> None:
    found = info(place)
    if found is None or (found.size, found.version) != (expected.size, expected.version):
        raise ChangedError


def _version(found: Mapping[str, Any]) -> str | None:
    tags = [found.get(name) for name in ("ETag", "etag", "VersionId", "generation")]
    if not any(tags):
        tags = [found.get(name) for name in ("mtime", "modified", "last_modified", "LastModified", "created")]
    return "|".join(str(one) for one in tags if one) or None


def _timeout(size: int | None) -> float:
    return TIMEOUT + (size or 0) / SLOWEST


def _call(place: Place, name: str, *arguments: Any, timeout: float | None = None, **how: Any) -> Any:
    """Calls a file system's method for a path, with a timeout if the file system supports that."""
    files = place.files
    if getattr(files, "async_impl", False) and hasattr(files, f"_{name}"):
        return _sync(files.loop, getattr(files, f"_{name}"), place.path, *arguments, timeout=timeout or TIMEOUT, **how)
    return getattr(files, name)(place.path, *arguments, **how)


def _sync(*arguments: Any, **how: Any) -> Any:
    """Runs a coroutine in the loop of a file system; fsspec has no types."""
    return importlib.import_module("fsspec.asyn").sync(*arguments, **how)


def _head(place: Place) -> dict[str, Any]:
    """What S3 reports about an object, with a single request; s3fs's `info` also lists the bucket if there is
    none."""
    files = place.files
    found: dict[str, Any] = _sync(
        files.loop, files._call_s3, "head_object", files.kwargs, **_key(place), **files.req_kw, timeout=TIMEOUT
    )
    info = {"type": "file", "size": found["ContentLength"], NOTE: found.get("Metadata", {}).get(NOTE)}
    return info | {name: found.get(name) for name in ("ETag", "VersionId", "LastModified")}


def _get(place: Place, expected: Info, timeout: float) -> bytes:
    """The contents of an S3 object, whose response includes the version."""
    files = place.files

    async def get() -> bytes:
        answer = await files._call_s3("get_object", files.kwargs, **_key(place), **files.req_kw)
        body = answer["Body"]
        try:
            if _version({name: answer.get(name) for name in ("ETag", "VersionId", "LastModified")}) != expected.version:
                raise ChangedError
            return bytes(await body.read())
        finally:
            body.close()

    return bytes(_sync(files.loop, get, timeout=timeout))


def _key(place: Place) -> dict[str, str]:
    bucket, key, version = place.files.split_path(place.path)
    return {"Bucket": bucket, "Key": key, **({"VersionId": version} if version else {})}


def _put_and_rename(place: Place, data: bytes, is_new: bool) -> None:
    files = place.files
    folder, _, name = place.path.rpartition("/")
    part = f"{folder}/.{name}.{secrets.token_hex(6)}.part"
    files.makedirs(folder, exist_ok=True)
    try:
        _call(place._replace(path=part), "pipe_file", data, timeout=_timeout(len(data)))
        if files.exists(place.path):
            if is_new:
                raise FileExistsError(errno.EEXIST, "it exists", place.path)
            files.rm_file(place.path)
        files.mv(part, place.path)
    except BaseException:
        # Only the first error is relevant.
        with contextlib.suppress(Exception):
            files.rm_file(part)
        raise
