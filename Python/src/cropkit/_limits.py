"""Checks the limits of a pool before its program starts."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping

from ._options import JOBS, LIMITS, Limit

#: The largest integer of the program.
MOST = 2**63 - 1


def checked_jobs(jobs: int) -> int:
    """A number of parallel crops.

    Raises:
        ValueError: The program would reject it.
    """
    count = operator.index(jobs)
    if not 1 <= count <= 256:
        raise ValueError(f"jobs must be {JOBS}, not {count}")
    return count


def check_limits(limits: Mapping[Limit, int | str]) -> None:
    """Checks the names and the amounts.

    Raises:
        ValueError: The program would reject one of them.
    """
    for name, amount in limits.items():
        if name not in LIMITS:
            raise ValueError(f"there is no limit {name!r}; expected one of {', '.join(LIMITS)}")
        if isinstance(amount, bool) or not is_amount(str(amount)):
            raise ValueError(f'limits["{name}"] must be {LIMITS[name]}, not {amount!r}')


def byte_count(amount: int | str) -> int:
    """A valid number of bytes, such as 200000, "200K" or "1.5M"."""
    return _scaled(str(amount), 1024)


def is_amount(text: str) -> bool:
    """Whether a text is an amount, such as 200000, 200K or 1.5M, that the program takes."""
    has_form = re.fullmatch(r"[0-9]{1,19}|[0-9]{1,19}(\.[0-9]{1,6})?[KMG]", text, re.ASCII | re.IGNORECASE)
    return has_form is not None and _scaled(text, 1000) >= 1 and _scaled(text, 1024) <= MOST


def _scaled(text: str, step: int) -> int:
    power = " KMG".find(text[-1].upper())
    whole, _, decimals = text.rstrip("kKmMgG").partition(".")
    factor: int = step ** max(power, 0)
    divisor: int = 10 ** len(decimals)
    return int(whole + decimals) * factor // divisor
