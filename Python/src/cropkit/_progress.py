"""A progress bar, if tqdm is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

Item = TypeVar("Item")


def progressing(items: Iterator[Item], of: Iterable[object]) -> Iterator[Item]:
    """The items with a progress bar; its total is the length of `of`, if that has one."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return items
    counted: Iterator[Item] = iter(tqdm(items, total=len(of) if isinstance(of, Sized) else None, unit="crop"))
    return counted
