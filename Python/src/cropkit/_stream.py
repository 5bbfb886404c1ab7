"""A process of `cropkit batch --stream`: one line of JSON per crop in, one per result out."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import ProgramError
from ._program import READER, cannot_run, program

#: How many bytes to read from the pipe at a time.
CHUNK = 1 << 16


class Stream:
    """A running process. One thread may send while another receives.

    The pipes are read and written without Python's buffers: a forked child would inherit their contents, and locks
    that are never released.
    """

    def __init__(self, options: Sequence[str]) -> None:
        path = program()
        # Writing to a file never blocks the process, however many messages it prints.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        with _forking:
            try:
                self._process = subprocess.Popen(
                    [path, "batch", "--stream", "-", *options],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._complaints,
                    env=os.environ | READER,
                    # Python handles Ctrl-C and then stops the process.
                    start_new_session=True,
                )
            except OSError as error:
                raise cannot_run(path, str(error)) from error
            _streams.add(self)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        #: Whether this side has ended the process.
        self.is_ending = False
        self._input = self._process.stdin
        self._output = self._process.stdout
        self._unread = bytearray()

    def send(self, line: Mapping[str, Any], data: bytes | None) -> None:
        """Sends a line and, for an input of bytes, those bytes. Blocks while the process is busy.

        Raises:
            OSError: The process has ended.
        """
        self._write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        if data is not None:
            self._write(data)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._input.write(rest) or 0 :]

    def receive(self) -> tuple[dict[str, Any], bytes | None] | None:
        """The next response, and the bytes of a result without a file; None after the last one.

        Raises:
            ProgramError: The process ended in the middle of a response.
        """
        searched = 0
        while (end := self._unread.find(b"\n", searched)) < 0:
            searched = len(self._unread)
            chunk = self._output.read(CHUNK)
            if not chunk:
                if self._unread:
                    raise self.death()
                return None
            self._unread += chunk
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        answer: dict[str, Any] = json.loads(line)
        output: Any = answer.get("output")
        if not isinstance(output, dict) or not answer.get("ok"):
            return answer, None
        return answer, self._read(answer["output"]["bytes"])

    def _read(self, count: int) -> bytes:
        """Exactly this number of bytes."""
        data = bytearray(self._unread[:count])
        del self._unread[:count]
        while len(data) < count:
            chunk = self._output.read(min(count - len(data), CHUNK * 16))
            if not chunk:
                raise self.death()
            data += chunk
        return bytes(data)

    def finish(self) -> None:
        """Closes the input, so that the process gets no more lines."""
        self.is_ending = True
        # If it has already ended, receiving reports that.
        with contextlib.suppress(OSError):
            self._input.close()

    def stop(self) -> None:
        """Stops the process after the running crops."""
        self.is_ending = True
        self._process.send_signal(signal.SIGTERM)

    def wait(self) -> int:
        """Waits for the process to end and returns its exit status."""
        status = self._process.wait()
        self._output.close()
        return status

    def death(self) -> ProgramError:
        """The error for crops that a process left unfinished."""
        status = self._process.wait()
        self._complaints.seek(0)
        words = self._complaints.read().decode(errors="replace").strip().splitlines()
        detail = f"; its last words: {words[-1]}" if words else ""
        ended = f"signal {-status}" if status < 0 else f"status {status}"
        return ProgramError("program-died", f"cropkit ended early, with {ended}{detail}", 70)

    def abandon(self) -> None:
        """Replaces the pipes in a forked child; the process and its pipes stay the parent's."""
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                # Not closed: Python's file object would later close whatever file has the same number by then.
                os.dup2(nothing, pipe.fileno(), inheritable=False)
        os.close(nothing)


def check_process(owner: int) -> None:
    """Rejects the use of a pool that another process created.

    Raises:
        ProgramError: This process was forked from the one with the id `owner`.
    """
    if os.getpid() != owner:
        raise forked()


def forked() -> ProgramError:
    """The error for a forked child that uses its parent's pools."""
    return ProgramError("pool-forked", "this pool belongs to the process that made it; make one in each process", 70)


#: Streams whose pipes a forked child must close; otherwise the program would not see the end of its input.
_streams: weakref.WeakSet[Stream] = weakref.WeakSet()
#: Prevents a fork while a new stream is not in `_streams` yet.
_forking = threading.RLock()


def _abandon_all() -> None:
    _forking.release()
    for stream in _streams:
        stream.abandon()
    _streams.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_forking.acquire, after_in_parent=_forking.release, after_in_child=_abandon_all)
