"""The location of the programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Literal, NamedTuple

from ._engine import _module
from ._errors import ProgramError

#: The environment variable for a program other than the bundled one.
VARIABLE = "CROPKIT_PROGRAM"

#: Messages are for users of this package.
READER = {"CROPKIT_READER": "python"}


class Programs(NamedTuple):
    """What makes crops here."""

    #: "native": the program, for all formats. "wasmtime": a WebAssembly module, which crops JPEGs without decoding.
    engine: Literal["native", "wasmtime"]
    #: The path of the program, or of the module.
    path: str


def programs() -> Programs:
    """What makes crops here: the program, or else a WebAssembly module, where wasmtime is installed.

    Raises:
        ProgramError: There is neither.
    """
    found = _program()
    if found is not None:
        return Programs("native", found)
    if _module.is_there():
        return Programs("wasmtime", str(_module.FILE))
    raise _missing()


def program() -> str:
    """The path of `cropkit`: from the variable CROPKIT_PROGRAM, in this package, or on the path.

    Raises:
        ProgramError: There is none.
    """
    found = _program()
    if found is None:
        raise _missing()
    return found


def _program() -> str | None:
    named = os.environ.get(VARIABLE)
    if named:
        return named
    own = Path(__file__).with_name("bin") / "cropkit"
    if os.access(own, os.X_OK):
        return str(own)
    return shutil.which("cropkit")


def _missing() -> ProgramError:
    return ProgramError(
        "program-missing",
        "there is no program cropkit; install a wheel that carries it (in a clone of CropKit, run make build before "
        f"pip install ./Python, or make wheel), or name it in {VARIABLE}; where it does not run, "
        "pip install 'cropkit[any]' crops JPEGs losslessly",
        69,
    )


def fingerprint(made: Programs) -> str:
    """Changes with the version of the program: the size of its file, and the time when that was written."""
    try:
        status = os.stat(made.path)
    except OSError:
        # Starting it reports the error.
        return ""
    return f"{status.st_size} {status.st_mtime_ns}"


def version() -> str:
    """The program's version, such as "1.2.0".

    Raises:
        ProgramError: The program is missing or can't run.
    """
    path = program()
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise cannot_run(path, getattr(error, "stderr", None) or str(error)) from error
    # The commit follows the version.
    return done.stdout.split()[0]


def cannot_run(path: str, detail: str) -> ProgramError:
    """The error for a program that does not run here, for example because a library is missing."""
    return ProgramError("program-failed", f"{path} can't run: {detail.strip()}", 69)
