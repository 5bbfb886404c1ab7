"""Every shared image, several times: valid ones are correct, others are rejected, always with the same
output."""

import csv
import hashlib
import os
import platform
import subprocess
from pathlib import Path

import pytest
from conftest import BIN, IMAGES

ROUNDS = 100 if os.environ.get("CROPKIT_SOAK") else 5
STATUS = {"valid": 0, "soft": 65, "corrupt": 65, "limit": 65}
SYSTEMS = Path(__file__).parent / "systems.tsv"
SYSTEM = platform.freedesktop_os_release().get("VERSION_CODENAME", "")


def table(path):
    """The rows of a file of tab-separated values."""
    if not path.exists():
        return []
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def rows():
    """The rows of the list of images, with what this system's libraries do differently."""
    others = {row["file"]: row["expected"] for row in table(SYSTEMS) if SYSTEM in row["systems"].split(",")}
    return [{**row, "expected": others.get(row["file"], row["expected"])} for row in table(IMAGES / "INDEX.tsv")]


def answer(folder, words, target):
    """Exit status, output, and written files."""
    target.unlink(missing_ok=True)
    done = subprocess.run(
        [BIN / "cropkit", *words], capture_output=True, check=False, timeout=600, cwd=folder)
    written = hashlib.sha256(target.read_bytes()).hexdigest() if target.exists() else None
    return done.returncode, done.stdout, done.stderr, written


@pytest.mark.skipif(not rows(), reason="no pictures; set CROPKIT_IMAGES")
@pytest.mark.parametrize("row", rows(), ids=lambda row: row["file"])
def test_a_shared_image_always_gives_the_same_output(folder, row):
    path, expected = IMAGES / row["file"], row["expected"].strip()
    target = folder / ("out" + path.suffix)
    width, height = 1, 1
    if row["shown"]:
        width, height = (min(48, int(n)) for n in row["shown"].split("x"))
    words = ["crop", path, "--rect", f"0,0,{width},{height}", "-o", target]
    answers = {answer(folder, words, target) for _ in range(ROUNDS)}
    assert len(answers) == 1, answers
    status, _, errors, written = answers.pop()
    assert status == STATUS[expected], errors
    assert (written is not None) == (expected == "valid")
    if expected != "valid":
        assert errors.count(b"\n") == 1 and row["file"].encode() in errors
    if expected == "soft":
        status, _, errors, written = answer(folder, [*words, "--lenient"], target)
        assert status == 0 and written and errors, "a warning"
