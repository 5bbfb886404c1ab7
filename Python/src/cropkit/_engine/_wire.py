"""Encodes and decodes the calls of the module, which are lists of numbers, as `interface.json` describes them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

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
        if value == name if not fields else isinstance(value, Mapping) and fields[0][0] in cast("Any", value):
            return [code, *(encoded(fields, cast("Mapping[str, Any]", value)) if fields else ())]
    raise ValueError(f"{value!r} is not known")


def _checked(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is of type {type(value).__name__}")
    return value


class Answer:
    """Reads the numbers of an answer, one after another."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self._numbers, self._at = numbers, 0

    def _next(self) -> float:
        self._at += 1
        return self._numbers[self._at - 1]

    def value(self, kind: str) -> Any:
        """The value of the whole answer; None, False or an empty list for an empty one."""
        if kind.endswith("…"):
            return [_plain(number) for number in self._numbers]
        if not self._numbers:
            return False if kind == "flag" else None
        return self._value(kind.removesuffix("?"))

    def _value(self, kind: str) -> Any:
        described = interface()
        if kind.endswith("?"):
            return self._value(kind[:-1]) if self._next() == 1 else None
        if kind == "flag":
            return self._next() == 1
        if kind in ("number", "whole"):
            return _plain(self._next())
        if kind in described["enumerations"]:
            code = self._next()
            return next(name for name, one in described["enumerations"][kind].items() if one == code)
        return {name: self._value(own) for name, own, _ in described["structures"][kind]["fields"]}


def _plain(number: float) -> float:
    return int(number) if number.is_integer() else number
