"""The location of the programs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from ._errors import ProgramError

#: The environment variable for a program other than the bundled one.
VARIABLE = "CROPKIT_PROGRAM"

#: Messages are for users of this package.
READER = {"CROPKIT_READER": "python"}


def program() -> str:
    """The path of `cropkit`: from the variable CROPKIT_PROGRAM, in this package, or on the path.

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
        "this package was installed without its programs, and there is no cropkit on the path; in a clone of CropKit, "
        "run make build before pip install ./Python (or make wheel, and install dist/cropkit-*.whl), or name the "
        f"program in {VARIABLE}",
        69,
    )


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
