"""Where the programs are."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ._errors import ProgramError

#: Names another program than the one that comes with the package.
VARIABLE = "CROPKIT_PROGRAM"


def program() -> str:
    """The path of `cropkit`: what the variable CROPKIT_PROGRAM names, the package's own, or one on the path.

    Raises:
        ProgramError: There is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return named
    own = Path(__file__).with_name("bin") / "cropkit"
    if os.access(own, os.X_OK):
        return str(own)
    found = shutil.which("cropkit")
    if found:
        return found
    raise ProgramError(
        "program-missing",
        f"there is no program cropkit; install a wheel that carries it, or name it in {VARIABLE}",
        69,
    )


def version() -> str:
    """The program's version, such as "1.2.0".

    Raises:
        ProgramError: There is no program, or it can't run.
    """
    path = program()
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise cannot_run(path, getattr(error, "stderr", None) or str(error)) from error
    # Behind it stands the commit.
    return done.stdout.split()[0]


def cannot_run(path: str, detail: str) -> ProgramError:
    """What is said of a program that does not run here, such as for want of a library."""
    return ProgramError("program-failed", f"{path} can't run: {detail.strip()}", 69)
