"""Many crops by one long-running process."""

from __future__ import annotations

import os
import queue
import secrets
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Literal, cast, overload

from . import _existing, _transfer
from ._crop import Crop
from ._engine import LocalStream
from ._errors import CropError, ProgramError
from ._limits import byte_count, check_limits, checked_jobs
from ._objects import Objects
from ._options import Limit
from ._program import fingerprint, programs
from ._progress import progressing
from ._result import Result, result
from ._stream import Stream, check_process, forked

#: The number of crops per job that are in progress: enough for a job to always have another line, and for adjacent
#: crops of one image to share its decoding.
AHEAD = 32

#: The maximum number of bytes of an image, in the program's notation.
BYTES = "512M"


class Pending(Future[Result]):
    """The result of a crop, which only the requesting process gets; a forked child gets an error."""

    def __init__(self) -> None:
        super().__init__()
        _pending.add(self)

    def set_result(self, result: Result) -> None:
        super().set_result(result)
        _pending.discard(self)

    def set_exception(self, exception: BaseException | None) -> None:
        super().set_exception(exception)
        _pending.discard(self)

    def abandon(self) -> None:
        """Ends it with an error in a forked child, where nothing else will: the child has neither its lock nor the
        waiting threads.
        """
        self._condition = threading.Condition()
        if not self.done():
            self._waiters.clear()
            vars(self)["_done_callbacks"].clear()
            self.set_exception(forked())


#: Crops without a result yet.
_pending: weakref.WeakSet[Pending] = weakref.WeakSet()


#: Pools, for forked children.
_pools: weakref.WeakSet[Pool] = weakref.WeakSet()
#: What a forked child keeps of its parent's pools.
_inherited: list[object] = []


def _abandon_all() -> None:
    for pool in list(_pools):
        pool.disown()
    for future in list(_pending):
        future.abandon()
    _pending.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_all)


class Pool:
    """Runs crops in parallel, in a process that keeps running; without the program, in threads (see `programs`).

        with cropkit.Pool(jobs=8) as pool:
            for result in pool.map(crops):
                ...

    Adjacent crops of one image share its decoding. A pool is thread-safe. With `resume`, the process starts with the
    first crop that does not exist yet. In a forked child, it starts a process of its
    own with the first crop; results that the parent waits for are `ProgramError` with the code "pool-forked" there.

    Args:
        jobs: How many crops run in parallel; None for one per core.
        force: Overwrite existing outputs.
        resume: Skip existing outputs of the same input, recipe and options.
        keep_time: Give each result that is a file the time of its input's last change; objects have none.
        lenient: Crop truncated or damaged images too, with a warning.
        limits: The limits of `cropkit batch` under their names: {"pixels": "100M", "seconds": 10}.
        storage_options: Options for fsspec's file systems, for all URLs or by scheme:
            {"s3": {...}, "gs": {...}}.
        transfers: How many crops that read or write objects are in flight; None for 8 per job, at most 64.
            Each keeps its image, if that has up to 32 MiB, and its result in memory.

    Raises:
        ProgramError: The program is missing or can't run.
        ValueError: `jobs`, `limits` or `transfers` is invalid.
    """

    def __init__(
        self,
        jobs: int | None = None,
        *,
        force: bool = False,
        resume: bool = False,
        keep_time: bool = False,
        lenient: bool = False,
        limits: Mapping[Limit, int | str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
        transfers: int | None = None,
    ) -> None:
        if transfers is not None and transfers < 1:
            raise ValueError(f"transfers must be at least 1, not {transfers}")
        limits = limits or {}
        check_limits(limits)
        options = ["--unordered"]
        if jobs is not None:
            jobs = checked_jobs(jobs)
            options += ["--jobs", str(jobs)]
        flags = {"--force": force, "--resume": resume, "--keep-time": keep_time, "--lenient": lenient}
        for name, wanted in flags.items():
            if wanted:
                options.append(name)
        for limit, value in limits.items():
            options += [f"--limit-{limit}", str(value)]
        cores = jobs or os.cpu_count() or 1
        self._options = options
        self._ahead = AHEAD * cores
        self._storage = storage_options
        self._resume = resume
        self._transfer_options: dict[str, Any] = {
            "force": force,
            "resume": resume,
            "count": transfers or min(_transfer.EACH_JOB * cores, _transfer.MOST),
            "ahead": self._ahead,
            "most": byte_count(limits.get("bytes", BYTES)),
        }
        made = programs()
        self._is_native = made.engine == "native"
        # What makes the crops, besides their lines.
        self._maker = f"{fingerprint(made)} {lenient}"
        self._reset()
        if not (resume and self._is_native):
            self._open()
        _pools.add(self)

    def _reset(self) -> None:
        """Forgets the process and all crops, which are those of another process after a fork."""
        self._process = os.getpid()
        # Part of every id, so that no other stream's response can match.
        self._name = secrets.token_hex(8)
        self._waiting: dict[str, tuple[Crop, Pending]] = {}
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._opening = threading.Lock()
        self._count = 0
        self._end: ProgramError | None = None
        self._is_open = False
        self._transfers = _transfer.Transfers(self._submit, Objects(self._storage), **self._transfer_options)

    def _open(self) -> None:
        """Starts the process, unless it runs."""
        with self._opening:
            if self._is_open or self._end:
                return
            self._stream = Stream(self._options) if self._is_native else LocalStream(self._options)
            self._reader = threading.Thread(target=self._read, name="cropkit answers", daemon=True)
            self._reader.start()
            self._is_open = True

    def disown(self) -> None:
        """Leaves the process to the parent, in a forked child."""
        # Deleting the objects of another process's child and threads would warn about them.
        _inherited.append(vars(self).copy())
        end = self._end
        self._reset()
        self._end = end

    def crop(self, crop: Crop) -> Result:
        """Runs one crop.

        Raises:
            CropError: It was rejected or failed.
            ProgramError: The program died.
        """
        return self.submit(crop).result()

    def submit(self, crop: Crop) -> Future[Result]:
        """Starts a crop. Blocks while the program is busy.

        Raises:
            ProgramError: The program died, or the pool is closed.
        """
        if not isinstance(cast("object", crop), Crop):
            raise TypeError(f"a pool takes cropkit.Crop(input, output, ...), not {type(crop).__name__}")
        if self._end and not self._is_open:
            raise self._end
        if not _transfer.concerns(crop):
            return self._submit(crop)
        future = _begun()
        try:
            crop.line()
        except (TypeError, ValueError) as error:
            future.set_exception(CropError("usage", str(error), 64, crop))
        else:
            self._transfers.submit(crop, future)
        return future

    def _submit(self, crop: Crop) -> Future[Result]:
        """Sends a crop to the program."""
        future = _begun()
        try:
            line = crop.line()
        except (TypeError, ValueError) as error:
            future.set_exception(CropError("usage", str(error), 64, crop))
            return future
        if self._end:
            raise self._end
        if self._is_native:
            found = self._existing(crop, line)
            if found is not None:
                future.set_result(found)
                return future
        self._open()
        with self._lock:
            if self._end:
                raise self._end
            self._count += 1
            line["id"] = f"{self._name}-{self._count}"
            self._waiting[line["id"]] = (crop, future)
        try:
            with self._sending:
                self._stream.send(line, crop.input if isinstance(crop.input, bytes) else None)
        except (OSError, ValueError):
            # The reader thread fails pending crops; a closed pool has none.
            self._reader.join()
            self._fail(_closed())
        return future

    def _existing(self, crop: Crop, line: dict[str, Any]) -> Result | None:
        """The result that a crop resumes; the line gets the key for a later run."""
        if isinstance(crop.input, bytes) and not self._resume:
            # Their digest takes longer than reading a file's status.
            return None
        key = _existing.key(crop, line, self._maker)
        if key is None:
            return None
        line["key"] = key
        return _existing.result(crop, line["output"], key) if self._resume else None

    @overload
    def map(
        self,
        crops: Iterable[Crop],
        *,
        ordered: bool = True,
        errors: Literal["raise"] = "raise",
        progress: bool = False,
    ) -> Iterator[Result]: ...
    @overload
    def map(
        self,
        crops: Iterable[Crop],
        *,
        ordered: bool = True,
        errors: Literal["return"],
        progress: bool = False,
    ) -> Iterator[Result | CropError]: ...
    def map(
        self,
        crops: Iterable[Crop],
        *,
        ordered: bool = True,
        errors: Literal["raise", "return"] = "raise",
        progress: bool = False,
    ) -> Iterator[Result | CropError]:
        """Runs crops, taking few of them in advance, so that `crops` may be endless.

        Args:
            crops: The crops; read by the thread that takes the results.
            ordered: Yield results in the order of the crops, otherwise as they finish.
            errors: "raise" the first one, or "return" each instead of a result.
            progress: Show a bar, if tqdm is installed.

        Raises:
            CropError: A crop failed, and `errors` is "raise".
            ProgramError: The program died, or a forked child takes results of its parent, whatever `errors` is.
        """
        results = self._ordered(crops) if ordered else self._unordered(crops)
        for outcome in progressing(results, crops) if progress else results:
            if isinstance(outcome, ProgramError) or (errors == "raise" and isinstance(outcome, CropError)):
                raise outcome
            yield outcome

    def _ordered(self, crops: Iterable[Crop]) -> Iterator[Result | CropError]:
        begun: deque[Future[Result]] = deque()
        for crop in crops:
            begun.append(self.submit(crop))
            if len(begun) == self._ahead:
                yield _outcome(begun.popleft())
        while begun:
            yield _outcome(begun.popleft())

    def _unordered(self, crops: Iterable[Crop]) -> Iterator[Result | CropError]:
        done: queue.SimpleQueue[Future[Result]] = queue.SimpleQueue()
        owner = os.getpid()
        begun = 0
        for crop in crops:
            self.submit(crop).add_done_callback(done.put)
            begun += 1
            if begun == self._ahead:
                yield _outcome(done.get())
                begun -= 1
                check_process(owner)
        for _ in range(begun):
            check_process(owner)
            yield _outcome(done.get())

    def close(self) -> None:
        """Waits for started crops, then ends the process. In a forked child, that is the child's, if it has one."""
        # Its crops may start the process.
        self._transfers.close()
        with self._opening:
            if not self._is_open:
                self._end = self._end or _closed()
                return
        with self._sending:
            self._stream.finish()
        self._reader.join()
        self._stream.wait()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            if self._is_open:
                self._stream.stop()
            self._transfers.close(is_hurried=True)
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a pool can't be sent to another process; make one in each process")

    def _read(self) -> None:
        """Passes responses to the waiting threads, until the process ends."""
        try:
            while (answered := self._stream.receive()) is not None:
                answer, data = answered
                with self._lock:
                    crop, future = self._waiting.pop(answer["id"])
                try:
                    future.set_result(result(crop, answer, data))
                except CropError as error:
                    future.set_exception(error)
        except ProgramError as error:
            self._fail(error)
        except (KeyError, TypeError, ValueError) as error:
            self._stream.stop()
            self._fail(ProgramError("answer-unreadable", f"cropkit sent an answer that can't be read: {error!r}", 70))
        else:
            with self._lock:
                is_early = bool(self._waiting) or not self._stream.is_ending
            self._fail(self._stream.death() if is_early else _closed())

    def _fail(self, error: ProgramError) -> None:
        """Fails all pending and future crops."""
        with self._lock:
            self._end = self._end or error
            waiting, self._waiting = self._waiting, {}
        for _, future in waiting.values():
            future.set_exception(error)


def _closed() -> ProgramError:
    return ProgramError("pool-closed", "the pool is closed", 70)


def _begun() -> Pending:
    future = Pending()
    future.set_running_or_notify_cancel()
    return future


def _outcome(future: Future[Result]) -> Result | CropError:
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, CropError):
        return error
    raise error
