"""The names of results. They only depend on the row, so that a task that is retried writes the same names."""

from __future__ import annotations

import hashlib
import os
import re
import string
from collections.abc import Collection, Mapping
from typing import Any

from .. import _address

#: The fields of a pattern, besides the names of columns.
KNOWN = ("sha", "index", "stem", "what")


def fields(pattern: str) -> list[str]:
    """The fields of a pattern, without duplicates.

    Raises:
        ValueError: The pattern is invalid.
    """
    found = [name for _, name, _, _ in string.Formatter().parse(pattern) if name is not None]
    if any(not name.isidentifier() for name in found):
        raise ValueError(f"{pattern!r} has a field that is not a name; expected columns, {', '.join(KNOWN)}")
    return list(dict.fromkeys(found))


def check(pattern: str, columns: Collection[str]) -> list[str]:
    """The columns that a pattern needs.

    Raises:
        ValueError: It contains a field that is neither known nor a column, has a field in the scheme of an address,
            or is itself the name of a column.
    """
    if pattern in columns:
        raise ValueError(
            f"output={pattern!r} would give all results that name; for the names in the column write "
            f"output={'{' + pattern + '}'!r}"
        )
    unknown = [name for name in fields(pattern) if name not in columns and name not in KNOWN]
    if unknown:
        raise ValueError(f"{pattern!r} has unknown fields: {', '.join(unknown)}; expected columns, {', '.join(KNOWN)}")
    if re.match("[^/]*{[^/]*://", pattern):
        raise ValueError(
            f"{pattern!r} has a field before ://; write the scheme out, or put complete URLs into a column"
        )
    return [name for name in fields(pattern) if name in columns]


def check_for_bytes(pattern: str, columns: Collection[str]) -> None:
    """Rejects fields that only images with names have.

    Raises:
        ValueError: The pattern contains an image's name, or its index.
    """
    unknown = [name for name in ("stem", "index") if name in fields(pattern) and name not in columns]
    if unknown:
        raise ValueError(
            f"{pattern!r}: images in a binary column have no {' and no '.join(unknown)}; "
            "use {sha}, {what} or names of columns"
        )


def output(pattern: str, path: str | bytes, what: str, index: int, row: Mapping[str, Any]) -> str:
    """The name of a result.

    Args:
        pattern: May contain the fields of `KNOWN` and of the row, which take precedence.
        path: The image's name in the row, or its bytes.
        what: The crop and options, as text.
        index: The index of the row among those of its image.
        row: Columns of the row.
    """
    values = {
        "sha": _sha(path),
        "index": index,
        "stem": os.path.splitext(os.path.basename(path))[0] if isinstance(path, str) else "",
        "what": _sha(what)[:16],
    }
    return pattern.format_map(values | dict(row))


def local(path: str, folder: str) -> str:
    """The absolute path for a path, or for Spark's URL of a file.

    Raises:
        ValueError: It is another URL.
    """
    return os.path.join(folder, _address.path(path))


def found(name: str, folder: str) -> str:
    """The URL of an object unchanged; another name as an absolute path.

    Raises:
        ValueError: It is a URL of something else.
    """
    return name if _address.scheme(name) is not None else local(name, folder)


def _sha(text: str | bytes) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass") if isinstance(text, str) else text).hexdigest()
