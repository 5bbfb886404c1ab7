"""Crops whose picture or result is an object: fetched, cut by the pool's program, and put."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from . import _address
from ._crop import Crop, Rect, absolute
from ._errors import CropError, ProgramError
from ._objects import Info, Objects, Place, missing
from ._result import Result, Warned

#: Up to this many bytes a picture is held in memory; a larger one goes through a temporary file.
IN_MEMORY = 32 << 20
#: How many crops each job of a pool has on their way to or from stores at once, and the most of a pool.
EACH_JOB, MOST = 8, 64
#: How long a note may be. S3 takes 2,048 bytes of metadata.
NOTE_LENGTH = 1800

#: Formats by the extension of what is written.
FORMATS = {
    "jpg": "jpeg", "jpeg": "jpeg", "jpe": "jpeg", "jfif": "jpeg", "png": "png", "apng": "png", "webp": "webp",
    "gif": "gif", "tif": "tiff", "tiff": "tiff", "heic": "heic", "heif": "heic", "avif": "avif",
}  # fmt: skip


def concerns(crop: Crop) -> bool:
    """Whether a crop reads or writes an object."""
    return _address.scheme(crop.input) is not None or _address.scheme(crop.output) is not None


class Picture:
    """An object that several crops are made of; it is looked at and fetched once, by the first that needs it."""

    def __init__(self, address: str, objects: Objects) -> None:
        self.expected = 0
        self.users = 0
        self._address = address
        self._objects = objects
        self._lock = threading.Lock()
        self._found: tuple[Place, Info] | None = None
        self._content: bytes | str | None = None
        self._error: CropError | None = None

    def found(self) -> tuple[Place, Info]:
        """Where it is, and what the store says of it.

        Raises:
            CropError: It is missing, or can't be looked at.
        """
        with self._lock, self._remembering():
            return self._look()

    def content(self) -> bytes | str:
        """Its bytes, or the name of a temporary file.

        Raises:
            CropError: It is missing, or can't be read.
        """
        with self._lock, self._remembering():
            if self._content is None:
                place, info = self._look()
                if info.size is not None and info.size <= IN_MEMORY:
                    self._content = self._objects.read(place)
                else:
                    self._content = self._spooled(place)
            return self._content

    def forget(self) -> None:
        """Gives memory or the temporary file back; it is fetched again if needed."""
        with self._lock:
            if isinstance(self._content, str):
                os.unlink(self._content)
            self._content = None

    def _look(self) -> tuple[Place, Info]:
        if self._found is None:
            place = self._objects.place(self._address)
            info = self._objects.info(place)
            if info is None:
                raise missing(self._address)
            self._found = place, info
        return self._found

    def _spooled(self, place: Place) -> str:
        number, path = tempfile.mkstemp(prefix="cropkit-")
        os.close(number)
        try:
            self._objects.copy(place, path)
        except BaseException:
            os.unlink(path)
            raise
        return path

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


class Transfers:
    """Carries out crops that concern objects, in threads that wait for stores.

    Args:
        send: Has the program carry out a crop without objects.
        count: How many crops are on their way at once.
        ahead: How many may be begun; more have `submit` wait.
    """

    def __init__(
        self,
        send: Callable[[Crop], Future[Result]],
        objects: Objects,
        *,
        force: bool,
        resume: bool,
        count: int,
        ahead: int,
    ) -> None:
        self._send = send
        self._objects = objects
        self._force = force
        self._resume = resume
        self._slots = threading.Semaphore(max(ahead, count))
        self._executor = ThreadPoolExecutor(count, thread_name_prefix="cropkit objects")
        self._pictures: dict[str, Picture] = {}
        self._idle: Picture | None = None
        self._lock = threading.Lock()
        self._is_stopped = False

    def submit(self, crop: Crop, future: Future[Result]) -> None:
        """Begins a crop. Blocks while enough others are begun.

        Raises:
            ProgramError: The pool is closed.
        """
        self._slots.acquire()
        picture = self._expect(crop)
        try:
            self._executor.submit(self._run, crop, picture, future)
        except RuntimeError:
            self._slots.release()
            raise _closed() from None

    def close(self, is_hurried: bool = False) -> None:
        """Waits for the crops that were begun; in a hurry, only for those that are on their way."""
        self._is_stopped = self._is_stopped or is_hurried
        self._executor.shutdown()

    def _run(self, crop: Crop, picture: Picture | None, future: Future[Result]) -> None:
        try:
            if self._is_stopped:
                raise _closed()
            with self._using(picture):
                result = self._carried_out(crop, picture)
        except CropError as error:
            future.set_exception(type(error)(error.code, error.message, error.exit_status, crop))
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)
        finally:
            self._slots.release()

    def _carried_out(self, crop: Crop, picture: Picture | None) -> Result:
        if _address.scheme(crop.output) is None:
            return self._cut(crop, picture)
        target = self._objects.place(str(crop.output))
        if picture is not None:
            source, _ = picture.found()
            if (type(source.files), source.path) == (type(target.files), target.path):
                raise CropError("output-is-input", f"{shown(target)}: it is the input; name another output", 73)
        mark = _mark(crop, picture)
        found = None if self._force and not self._resume else self._objects.info(target)
        if found is not None:
            if self._resume and (told := _noted(found, mark)) is not None:
                return _result(crop, target, told)
            # What has no note may still be the same; once it is cut, that is seen.
            if not self._force and (not self._resume or found.note is not None):
                raise _exists(target)
        made = self._cut(crop, picture)
        data = made.data
        assert data is not None
        result = dataclasses.replace(made, output=target.address, data=None)
        if found is not None:
            if self._is_same(target, found, data):
                return dataclasses.replace(result, skipped=True)
            if not self._force:
                raise _exists(target)
        try:
            self._objects.write(target, data, _note(mark, result), f"image/{result.format}", is_new=not self._force)
        except FileExistsError:
            # Another run of the same crop, or a first try whose answer was lost.
            found = self._objects.info(target)
            if found is None or not self._is_same(target, found, data):
                raise _exists(target) from None
        return result

    def _cut(self, crop: Crop, picture: Picture | None) -> Result:
        """Has the program cut; the result's bytes, if it is to be an object."""
        how: Any = dict(crop.how)
        is_put = _address.scheme(crop.output) is not None
        if is_put and how.get("format") is None:
            how["format"] = _format(str(crop.output))
        content = crop.input if picture is None else picture.content()
        try:
            result = self._send(Crop(content, None if is_put else crop.output, **how)).result()
        except CropError as error:
            if picture is not None:
                name = content if isinstance(content, str) else "the input's bytes"
                if error.message.startswith(name):
                    words = _address.shown(str(crop.input)) + error.message[len(name) :]
                    raise type(error)(error.code, words, error.exit_status) from None
            raise
        return dataclasses.replace(result, crop=crop)

    def _is_same(self, target: Place, found: Info, data: bytes) -> bool:
        return (found.size is None or found.size == len(data)) and self._objects.read(target) == data

    def _expect(self, crop: Crop) -> Picture | None:
        if _address.scheme(crop.input) is None:
            return None
        address = str(crop.input)
        with self._lock:
            picture = self._pictures.setdefault(address, Picture(address, self._objects))
            picture.expected += 1
        return picture

    @contextlib.contextmanager
    def _using(self, picture: Picture | None) -> Iterator[None]:
        """Keeps a picture while crops of it are made, and between those that follow each other."""
        if picture is None:
            yield
            return
        with self._lock:
            picture.users += 1
        try:
            yield
        finally:
            with self._lock:
                picture.users -= 1
                picture.expected -= 1
                if picture.expected == 0:
                    self._pictures = {name: one for name, one in self._pictures.items() if one is not picture}
                    picture.forget()
                elif picture.users == 0:
                    if self._idle is not None and self._idle is not picture and self._idle.users == 0:
                        self._idle.forget()
                    self._idle = picture


def shown(place: Place) -> str:
    """An object's address, as errors have it."""
    return _address.shown(place.address)


def _closed() -> ProgramError:
    return ProgramError("pool-closed", "the pool is closed", 70)


def _exists(target: Place) -> CropError:
    return CropError("output-exists", f"{shown(target)}: it exists; use force=True to replace it", 73)


def _format(output: str) -> str:
    known = FORMATS.get(output.rpartition("/")[2].rpartition(".")[2].lower())
    if known is None:
        raise CropError(
            "usage", f"{_address.shown(output)}: its extension names no format; pass format, such as 'jpeg'", 64
        )
    return known


def _mark(crop: Crop, picture: Picture | None) -> str:
    """Stands for a picture's content, what is cut and how."""
    if picture is not None:
        place, info = picture.found()
        source = [place.path, info.size, info.version]
    elif isinstance(crop.input, bytes):
        source = ["sha256", hashlib.sha256(crop.input).hexdigest()]
    else:
        path = absolute(crop.input)
        try:
            status = os.stat(path)
        except OSError:
            # The program says what is wrong.
            source = [path]
        else:
            source = [path, status.st_size, status.st_mtime_ns]
    asked = Crop(b"", None, **crop.how).line()
    asked.setdefault("options", {}).setdefault("format", FORMATS.get(str(crop.output).rpartition(".")[2].lower()))
    return hashlib.sha256(json.dumps([source, asked], sort_keys=True).encode()).hexdigest()


def _note(mark: str, result: Result) -> str:
    """What an object's metadata says: the mark, and what a report tells of the result."""
    told: dict[str, Any] = {
        "format": result.format,
        "width": result.width,
        "height": result.height,
        "bytes": result.byte_count,
        "lossless": result.lossless,
        "rect": result.rect,
        "warnings": [[one.code, one.message] for one in result.warnings],
    }
    note = f"1 {mark} {json.dumps(told, separators=(',', ':'))}"
    if len(note) > NOTE_LENGTH:
        told["warnings"] = []
        note = f"1 {mark} {json.dumps(told, separators=(',', ':'))}"
    return note


def _noted(found: Info, mark: str) -> Mapping[str, Any] | None:
    """What the note of an object tells, if it was made as the mark says and has not changed since."""
    kind, _, rest = (found.note or "").partition(" ")
    made, _, text = rest.partition(" ")
    if kind != "1" or made != mark:
        return None
    try:
        told = json.loads(text)
        return told if isinstance(told, dict) and told["bytes"] == found.size else None
    except (ValueError, KeyError):
        return None


def _result(crop: Crop, target: Place, told: Mapping[str, Any]) -> Result:
    return Result(
        crop=crop,
        output=target.address,
        format=told["format"],
        width=told["width"],
        height=told["height"],
        byte_count=told["bytes"],
        lossless=told["lossless"],
        rect=Rect(*told["rect"]) if told["rect"] else None,
        warnings=tuple(Warned(*one) for one in told["warnings"]),
        skipped=True,
    )
