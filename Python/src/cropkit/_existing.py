"""Results that already exist, found by the notes that the program stores with its files.

A line has a key, which identifies the version of its image, the crop and the options. The program stores it in the
note, so that a later run can skip the result without the program, at the cost of three system calls.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from typing import Any

from ._crop import Crop
from ._options import FORMATS
from ._result import Result

#: The extended attribute with the note: the file's size and time, the key, and the fields of a report.
ATTRIBUTE = "user.cropkit"
#: The number of bytes of a key. File systems store short notes at no cost.
KEY_BYTES = 8


def key(crop: Crop, line: Mapping[str, Any], maker: str) -> str | None:
    """Identifies the version of an image, the crop, the options and what makes it; None if that is impossible, or if
    the result is not a file.

    Args:
        line: The crop's line.
        maker: The program and its settings that change results.
    """
    if crop.output is None or line.get("cropFrom", "xmp") != "xmp":
        # A sidecar may change while its image does not.
        return None
    if isinstance(crop.input, bytes):
        source: list[Any] = [hashlib.sha256(crop.input).hexdigest()]
    else:
        try:
            status = os.stat(line["input"])
        except OSError:
            # The program reports the error.
            return None
        if not stat.S_ISREG(status.st_mode):
            return None
        source = [status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]
    how = {name: value for name, value in line.items() if name not in ("input", "output")}
    named = FORMATS.get(str(line["output"]).rpartition(".")[2].lower())
    text = json.dumps([maker, source, named, how], sort_keys=True)
    digest = hashlib.blake2b(text.encode(), digest_size=KEY_BYTES).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def result(crop: Crop, output: str, key: str) -> Result | None:
    """The existing result with this key; None if there is none, or if the file has changed since.

    Args:
        output: The name of the file.
    """
    try:
        status = os.lstat(output)
        note = os.getxattr(output, ATTRIBUTE, follow_symlinks=False).decode()
    except (OSError, UnicodeDecodeError):
        return None
    words = note.split(" ")
    # The program reports a result with warnings, in words for this package.
    if len(words) != 6 or key not in words[1].split("+") or not _is_of(words[0], status):
        return None
    return Result(
        crop=crop,
        output=output,
        format=words[2],
        width=int(words[3]),
        height=int(words[4]),
        byte_count=status.st_size,
        lossless=words[5] == "l",
        skipped=True,
    )


def _is_of(stamp: str, status: os.stat_result) -> bool:
    """Whether a note's stamp is the file's: size, and time in seconds and nanoseconds, to base 36."""
    try:
        numbers = [int(number, 36) for number in stamp.split(".")]
    except ValueError:
        return False
    seconds, nanoseconds = divmod(status.st_mtime_ns, 1_000_000_000)
    return numbers == [status.st_size, seconds, nanoseconds]
