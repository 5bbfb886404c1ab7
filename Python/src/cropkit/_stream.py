"""One process of `cropkit batch --stream`: a line of JSON for each crop in, one for each answer out."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import ProgramError
from ._program import cannot_run, program


class Stream:
    """A running process. One thread may send while another receives."""

    def __init__(self, options: Sequence[str]) -> None:
        path = program()
        # A file never blocks the process, however much it complains.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            self._process = subprocess.Popen(
                [path, "batch", "--stream", "-", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                # Ctrl-C is for Python, which then ends the process.
                start_new_session=True,
            )
        except OSError as error:
            raise cannot_run(path, str(error)) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin
        self._output = self._process.stdout

    def send(self, line: Mapping[str, Any], data: bytes | None) -> None:
        """Sends a line and, for an input of bytes, these. Blocks while the process has enough to do.

        Raises:
            OSError: The process has ended.
        """
        self._input.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        if data is not None:
            self._input.write(data)
        self._input.flush()

    def receive(self) -> tuple[dict[str, Any], bytes | None] | None:
        """The next answer, and the bytes of a result that has no name; None once all are told.

        Raises:
            ProgramError: The process ended in the middle of an answer.
        """
        line = self._output.readline()
        if not line:
            return None
        if not line.endswith(b"\n"):
            raise self.death()
        answer: dict[str, Any] = json.loads(line)
        output = answer.get("output")
        if not isinstance(output, dict) or not answer.get("ok"):
            return answer, None
        count = output["bytes"]
        data = self._output.read(count)
        if len(data) < count:
            raise self.death()
        return answer, data

    def finish(self) -> None:
        """Says that no further line comes."""
        # One that has ended already is told by receiving.
        with contextlib.suppress(OSError):
            self._input.close()

    def stop(self) -> None:
        """Has the process end once the crops at work are done."""
        self._process.send_signal(signal.SIGTERM)

    def wait(self) -> int:
        """Waits for the end; the exit status."""
        status = self._process.wait()
        self._output.close()
        return status

    def death(self) -> ProgramError:
        """What is said of crops that a process left behind."""
        status = self._process.wait()
        self._complaints.seek(0)
        words = self._complaints.read().decode(errors="replace").strip().splitlines()
        detail = f"; its last words: {words[-1]}" if words else ""
        ended = f"signal {-status}" if status < 0 else f"status {status}"
        return ProgramError("program-died", f"cropkit ended early, with {ended}{detail}", 70)
