"""Lines of crops, made in threads of this process instead of by `cropkit batch --stream`."""

from __future__ import annotations

import itertools
import os
import queue
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .._errors import CropError, ProgramError
from .._limits import byte_count
from ._cropping import BYTES, Made, checked_format, how_written, made
from ._words import failure, needed

#: The default limit of an image's bytes.
MOST_BYTES = "512M"

Answer = tuple[dict[str, Any], bytes | None]


class LocalStream:
    """The same as `Stream`, with the module instead of a program. It only crops JPEGs, and only losslessly.

    Args:
        options: The options of `cropkit batch` that a pool passes.

    Raises:
        CropError: An option needs the programs.
    """

    def __init__(self, options: Sequence[str]) -> None:
        if "--resume" in options:
            raise needed("option", "the pool", "resume")
        self._is_forced, self._is_lenient = "--force" in options, "--lenient" in options
        self._keeps_time = "--keep-time" in options
        values = dict(itertools.pairwise(options))
        self._most_bytes = byte_count(values.get("--limit-bytes", MOST_BYTES))
        jobs = int(values.get("--jobs", os.cpu_count() or 1))
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="cropkit")
        # As many lines wait as a program would read ahead.
        self._room = threading.Semaphore(4 * jobs)
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        #: Whether this side has ended it.
        self.is_ending = False

    def send(self, line: Mapping[str, Any], data: bytes | None) -> None:
        """Starts a crop. Blocks while all threads are busy."""
        self._room.acquire()
        self._threads.submit(self._run, line, data)

    def _run(self, line: Mapping[str, Any], data: bytes | None) -> None:
        start = time.monotonic()
        answer: dict[str, Any] = {"id": line["id"], "output": line["output"]}
        result: bytes | None = None
        try:
            crop = self._made(line, data)
            answer |= {"ok": True, **crop.fields, "seconds": time.monotonic() - start}
            if isinstance(line["output"], str):
                self._save(crop.data, line["output"], line["input"])
            else:
                result = crop.data
                answer["output"] = {"bytes": len(result)}
        except CropError as error:
            failure = {"code": error.code, "message": error.message, "exitStatus": error.exit_status}
            answer |= {"ok": False, "error": failure}
        except Exception as error:
            failure = {"code": "worker-died", "message": f"the crop failed: {error!r}", "exitStatus": 70}
            answer |= {"ok": False, "error": failure}
        self._answers.put((answer, result))
        self._room.release()

    def _made(self, line: Mapping[str, Any], data: bytes | None) -> Made:
        output = line["output"] if isinstance(line["output"], str) else None
        how = how_written(line.get("options", {}), output, self._is_lenient)
        name = BYTES if data is not None else line["input"]
        image = self._read(name) if data is None else data
        if len(image) > self._most_bytes:
            excess = f"has {len(image)} bytes, more than the limit of {self._most_bytes}"
            raise failure("limitExceeded", file=name, limit="bytes", excess=excess)
        checked_format(image, name)
        if output is not None:
            self._check_output(output, name if data is None else None)
        return made(image, name, line, how)

    @staticmethod
    def _read(name: str) -> bytes:
        try:
            return Path(name).read_bytes()
        except FileNotFoundError:
            raise failure("inputMissing", file=name) from None
        except IsADirectoryError:
            raise failure("inputUnreadable", file=name, detail="it is a folder; name a file in it") from None
        except OSError as error:
            raise failure("inputUnreadable", file=name, detail=error.strerror or str(error)) from None

    def _check_output(self, output: str, name: str | None) -> None:
        if not os.path.exists(output):
            return
        if name is not None and os.path.samefile(output, name):
            raise failure("outputIsInput", path=output)
        if os.path.isdir(output):
            raise failure("outputUncreatable", path=output, detail="it is a folder")
        if not self._is_forced:
            raise failure("outputExists", path=output)

    def _save(self, data: bytes, output: str, source: object) -> None:
        """Writes the result completely or not at all."""
        status = os.stat(source) if isinstance(source, str) else None
        place = Path(output)
        part = place.with_name(f".{place.name}.{secrets.token_hex(4)}.part")
        try:
            mode = status.st_mode & 0o777 if status else 0o666
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            with open(os.open(part, flags, mode), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if status and self._keeps_time:
                os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
            if self._is_forced:
                os.replace(part, place)
            else:
                # Fails if another program has created the output in the meantime.
                _link(part, place)
        except FileExistsError:
            raise failure("outputExists", path=output) from None
        except OSError as error:
            raise failure("outputUncreatable", path=output, detail=error.strerror or str(error)) from None
        finally:
            part.unlink(missing_ok=True)

    def receive(self) -> Answer | None:
        """The next response, and the bytes of a result without a file; None after the last one."""
        return self._answers.get()

    def finish(self) -> None:
        """Makes all crops that were sent, and none after them."""
        if not self.is_ending:
            self.is_ending = True
            threading.Thread(target=self._end, name="cropkit end", daemon=True).start()

    def _end(self) -> None:
        self._threads.shutdown()
        self._answers.put(None)

    def stop(self) -> None:
        """The same: crops take milliseconds."""
        self.finish()

    def wait(self) -> int:
        """Waits for the last crop."""
        self._threads.shutdown()
        return 0

    def death(self) -> ProgramError:
        """The error for crops that were left unfinished."""
        return ProgramError("program-died", "the crops were left unfinished", 70)


def _link(part: Path, place: Path) -> None:
    try:
        os.link(part, place)
    except FileExistsError:
        raise
    except OSError:
        # Some file systems have no links.
        os.replace(part, place)
