"""Names that are addresses: of files on this machine, or of objects in stores."""

from __future__ import annotations

import re
from urllib.parse import unquote

#: What an address starts with: a scheme of two characters or more, a colon and a slash, as in "s3a://bucket". Python
#: and Spark both understand these patterns.
PATTERN = "^[A-Za-z][A-Za-z0-9+.-]+:/"
#: What the address of a file on this machine starts with (RFC 8089).
LOCAL = "(?i)^file:(?://(?:localhost)?)?(?=/(?!/))"

_START = re.compile(PATTERN)
_OBJECT = re.compile("([A-Za-z][A-Za-z0-9+.-]+)://(?=.)")
#: Schemes that fsspec has for this machine; theirs are no objects in a store.
_OF_THIS_MACHINE = ("file", "local")

_USER = re.compile(r"([A-Za-z0-9+.-]*)://([^/?#\s@]*)@")
#: What would break a line, or control a terminal.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SECRET = re.compile(r"(?i)([?&][^=&\s]*(?:sig|token|key|credential|secret|password|policy)[^=&\s]*=)[^&\s'\"]*")


def is_foreign(name: str) -> bool:
    """Whether a name is an address, but not that of a file on this machine."""
    return bool(_START.match(name)) and _file(name) is None


def scheme(name: object) -> str | None:
    """The scheme of an object's address in small letters, None for every other input or output."""
    found = _OBJECT.match(name) if isinstance(name, str) else None
    return None if found is None or found[1].lower() in _OF_THIS_MACHINE else found[1].lower()


def shown(text: str) -> str:
    """An address, or a text with some, for a message: without secrets, in one line."""
    return _CONTROL.sub("?", masked(text))


def masked(text: str) -> str:
    """An address, or a text with some, without passwords and without the secrets of signed addresses."""
    return _SECRET.sub(r"\1***", _USER.sub(_without_user, text))


def _without_user(found: re.Match[str]) -> str:
    # Azure has the name of a container there.
    is_container = found[1].lower() in ("abfs", "abfss", "wasb", "wasbs") and ":" not in found[2]
    return found[0] if is_container else f"{found[1]}://***@"


def path(name: str) -> str:
    """The path of a file; of an address with the scheme `file`, the path in it.

    Raises:
        ValueError: It is another address.
    """
    if not _START.match(name):
        return name
    found = _file(name)
    if found is None:
        raise ValueError(
            f"{shown(name)}: not the name of a file, and not the address of an object, which starts like "
            "s3://bucket/; use an absolute path for a file whose name looks like an address"
        )
    return found


def _file(name: str) -> str | None:
    found = re.match(LOCAL, name)
    return unquote(name[found.end() :], errors="surrogateescape") if found else None
