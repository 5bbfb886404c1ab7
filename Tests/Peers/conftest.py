"""The program under test, and test images."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("CROPKIT_BIN", ROOT / "bin"))
IMAGES = Path(os.environ.get("CROPKIT_IMAGES", ROOT.parent / "shared/images"))


def run(*words, status=0):
    """Runs `cropkit` and returns its output."""
    # On a busy machine, an image may take longer than the default limit, which is wall time.
    patience = ["--limit-seconds", "600"] if words[0] in ("crop", "batch", "targets") else []
    done = subprocess.run(
        [BIN / "cropkit", words[0], *patience, *map(str, words[1:])], capture_output=True, text=True, check=False,
        timeout=900)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stderr}"
    return done.stdout


def crop(source, target, *words, status=0):
    """Crops and returns the report."""
    answer = run("crop", source, "-o", target, "--json", "--force", *words, status=status)
    return json.loads(answer)


def info(path):
    """The output of `cropkit info`."""
    return json.loads(run("info", "--json", path))


@pytest.fixture
def folder(tmp_path):
    """A temporary folder."""
    return tmp_path


def phone(name):
    """A real phone's photo; skips the test if it is missing."""
    path = IMAGES.parent / "phones" / name
    if not path.exists():
        pytest.skip(f"no picture {path}; set CROPKIT_IMAGES")
    return path


def shared(name):
    """A shared image; skips the test if it is missing."""
    path = IMAGES / name
    if not path.exists():
        pytest.skip(f"no picture {path}; set CROPKIT_IMAGES")
    return path
