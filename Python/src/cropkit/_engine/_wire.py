"""Encodes and decodes the calls of the module, which are lists of numbers, as `interface.json` describes them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

#: A field's name, its type, and its default.
Field = tuple[str, str, Any]


@cache
def interface() -> Mapping[str, Any]:
    """The description of the module."""
    text = Path(__file__).with_name("interface.json").read_text(encoding="utf-8")
    described: Mapping[str, Any] = json.loads(text)
    return described


def encoded(fields: Sequence[Field], values: Mapping[str, Any]) -> list[float]:
    """The numbers of fields.

    Raises:
        TypeError: A value has another type than its field.
        ValueError: A value is unknown, or not a field.
    """
    unknown = values.keys() - {name for name, _, _ in fields}
    if unknown:
        known = ", ".join(name for name, _, _ in fields)
        raise ValueError(f'"{min(unknown)}" is not known; expected one of {known}')
    numbers: list[float] = []
    for name, kind, usual in fields:
        value = values.get(name)
        try:
            numbers += _encoded(kind, usual if value is None else value)
        except TypeError as error:
            raise TypeError(f'"{name}" has an invalid value: {error}') from None
    return numbers


def _encoded(kind: str, value: Any) -> list[float]:
    if kind.endswith("?"):
        return [0] if value is None else [1, *_encoded(kind[:-1], value)]
    described = interface()
    if kind == "text":
        return list(str(value).encode())
    if kind == "flag":
        return [_checked(value, bool)]
    if kind in ("number", "whole"):
        if isinstance(value, bool):
            raise TypeError(f"{value!r} is not a number")
        return [float(_checked(value, (int, float)))]
    if kind in described["enumerations"]:
        return [described["enumerations"][kind][value]]
    if kind in described["unions"]:
        return _kind_of(described["unions"][kind], value)
    structure = described["structures"][kind]
    if structure["isTuple"]:
        value = dict(zip([name for name, _, _ in structure["fields"]], _checked(value, (list, tuple)), strict=True))
    return encoded(structure["fields"], _checked(value, Mapping))


def _kind_of(kinds: Sequence[tuple[str, Sequence[Field]]], value: Any) -> list[float]:
    """The numbers of a union: the name of a kind without fields, or the fields of another one."""
    for code, (name, fields) in enumerate(kinds):
        if value == name if not fields else isinstance(value, Mapping) and fields[0][0] in value:
            return [code, *(encoded(fields, value) if fields else ())]
    raise ValueError(f"{value!r} is not known")


def _checked(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is of type {type(value).__name__}")
    return value


def decoded(kind: str, numbers: Iterator[float]) -> Any:
    """The value of a type; None for one that is missing."""
    described = interface()
    if kind.endswith("…"):
        return [int(number) if number.is_integer() else number for number in numbers]
    first = next(numbers, None)
    if kind.endswith("?"):
        # The answer as a whole is empty, or a field says whether it is there.
        return None if first is None else decoded(kind[:-1], _again(first, numbers))
    if first is None:
        return False if kind == "flag" else None
    if kind == "flag":
        return first == 1
    if kind in ("number", "whole"):
        return int(first) if first.is_integer() else first
    if kind in described["enumerations"]:
        return next(name for name, code in described["enumerations"][kind].items() if code == first)
    return _fields(described["structures"][kind]["fields"], _again(first, numbers))


def _fields(fields: Sequence[Field], numbers: Iterator[float]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, kind, _ in fields:
        if kind.endswith("?"):
            values[name] = decoded(kind[:-1], numbers) if next(numbers) == 1 else None
        else:
            values[name] = decoded(kind, numbers)
    return values


def _again(first: float, rest: Iterator[float]) -> Iterator[float]:
    yield first
    yield from rest
