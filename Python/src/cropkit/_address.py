"""Names that are URLs: of files on this machine, or of objects in stores."""

from __future__ import annotations

import re
from urllib.parse import unquote

#: Matches the start of a URL: a scheme with at least two characters, a colon and a slash, as in "s3a://bucket".
#: Python and Spark both support these patterns.
PATTERN = "^[A-Za-z][A-Za-z0-9+.-]+:/"
#: Matches the start of a URL of a file on this machine (RFC 8089).
LOCAL = "(?i)^file:(?://(?:localhost)?)?(?=/(?!/))"

_START = re.compile(PATTERN)
_OBJECT = re.compile("([A-Za-z][A-Za-z0-9+.-]+)://(?=.)")
#: Schemes of fsspec for local files.
_OF_THIS_MACHINE = ("file", "local")

_USER = re.compile(r"([A-Za-z0-9+.-]*)://([^/?#\s@]*)@")
#: Characters that would break a line or control a terminal.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SECRET = re.compile(r"(?i)([?&][^=&\s]*(?:sig|token|key|credential|secret|password|policy)[^=&\s]*=)[^&\s'\"]*")


def is_foreign(name: str) -> bool:
    """Whether a name is a URL, but not of a file on this machine."""
    return bool(_START.match(name)) and _file(name) is None


def scheme(name: object) -> str | None:
    """The scheme of an object's URL in lower case; None for any other input or output."""
    found = _OBJECT.match(name) if isinstance(name, str) else None
    return None if found is None or found[1].lower() in _OF_THIS_MACHINE else found[1].lower()


def shown(text: str) -> str:
    """A URL, or a text that contains some, for a message: on one line and without secrets."""
    return _CONTROL.sub("?", masked(text))


def masked(text: str) -> str:
    """A URL, or a text that contains some, without passwords and without the secrets of signed URLs."""
    return _SECRET.sub(r"\1***", _USER.sub(_without_user, text))


def _without_user(found: re.Match[str]) -> str:
    # Azure has the name of a container in that position.
    is_container = found[1].lower() in ("abfs", "abfss", "wasb", "wasbs") and ":" not in found[2]
    return found[0] if is_container else f"{found[1]}://***@"


def path(name: str) -> str:
    """The path of a file; for a URL with the scheme `file`, its path.

    Raises:
        ValueError: It is another URL.
    """
    if not _START.match(name):
        return name
    found = _file(name)
    if found is None:
        raise ValueError(
            f"{shown(name)}: not the name of a file, and not the URL of an object, which starts like "
            "s3://bucket/; use an absolute path for a file whose name looks like a URL"
        )
    return found


def _file(name: str) -> str | None:
    found = re.match(LOCAL, name)
    return unquote(name[found.end() :], errors="surrogateescape") if found else None
