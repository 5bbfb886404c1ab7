"""A bar, where tqdm is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

Item = TypeVar("Item")


def progressing(items: Iterator[Item], of: Iterable[object]) -> Iterator[Item]:
    """The same items, counted on the screen; `of` is where they come from, which may know how many."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return items
    counted: Iterator[Item] = iter(tqdm(items, total=len(of) if isinstance(of, Sized) else None, unit="crop"))
    return counted
