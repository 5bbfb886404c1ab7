"""Crops whose image or result is an object: downloaded, cropped by the pool's program, and uploaded."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from . import _address, _note
from ._crop import Crop
from ._errors import CropError, ProgramError
from ._objects import Objects, shown
from ._options import FORMATS
from ._picture import Picture
from ._requests import ChangedError, Info, Place
from ._result import Result

#: The number of crops per job of a pool that transfer objects at the same time, and the maximum per pool.
EACH_JOB, MOST = 8, 64


def concerns(crop: Crop) -> bool:
    """Whether a crop reads or writes an object."""
    return _address.scheme(crop.input) is not None or _address.scheme(crop.output) is not None


class Transfers:
    """Runs crops of objects, in threads that wait for stores.

    Args:
        send: Runs a crop without objects in the program.
        count: How many crops run at the same time.
        ahead: How many crops may be queued; `submit` blocks for more.
        most: The maximum number of bytes of an object to crop.
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
        most: int,
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
        self._most = most
        self._is_stopped = False

    def submit(self, crop: Crop, future: Future[Result]) -> None:
        """Starts a crop. Blocks while the queue is full.

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
        """Waits for started crops; if `is_hurried`, only for running ones, without retries."""
        if is_hurried:
            self._is_stopped = True
            self._objects.stop()
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
        mark = _note.mark(crop, picture)
        found = None if self._force and not self._resume else self._objects.output(target)
        if found is not None:
            if self._resume and (noted := _note.noted(found, mark)) is not None:
                return _note.result(crop, target, noted)
            # An object without a note may be identical, which is checked after cropping.
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
        if picture is not None:
            # The object may have changed since it was checked, so this is about the version that was read.
            mark = _note.mark(crop, picture)
        note = _note.note(mark, result)
        try:
            self._objects.write(target, data, note, f"image/{result.format}", is_new=not self._force)
        except FileExistsError:
            # Another run made the same crop, or the response to a first attempt was lost.
            found = self._objects.output(target)
            if found is None or not self._is_same(target, found, data):
                raise _exists(target) from None
        return result

    def _cut(self, crop: Crop, picture: Picture | None) -> Result:
        """Crops with the program; returns the result's bytes, if the output is an object."""
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
        try:
            return found.size == len(data) and self._objects.read(target, found) == data
        except ChangedError:
            return False

    def _expect(self, crop: Crop) -> Picture | None:
        if _address.scheme(crop.input) is None:
            return None
        address = str(crop.input)
        with self._lock:
            picture = self._pictures.setdefault(address, Picture(address, self._objects, self._most))
            picture.expected += 1
        return picture

    @contextlib.contextmanager
    def _using(self, picture: Picture | None) -> Generator[None]:
        """Keeps an image while crops of it are running, and between adjacent ones."""
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


def _closed() -> ProgramError:
    return ProgramError("pool-closed", "the pool is closed", 70)


def _exists(target: Place) -> CropError:
    return CropError("output-exists", f"{shown(target)}: already exists; use force=True to overwrite it", 73)


def _format(output: str) -> str:
    known = FORMATS.get(output.rpartition("/")[2].rpartition(".")[2].lower())
    if known is None:
        raise CropError(
            "usage", f"{_address.shown(output)}: its extension names no format; pass format, such as 'jpeg'", 64
        )
    return known
