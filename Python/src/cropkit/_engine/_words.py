"""Errors and warnings in the words of the programs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .._errors import CropError

_READER = "python"


@cache
def words() -> Mapping[str, Any]:
    """Options, formats and messages."""
    found: Mapping[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
    return found


def _filled(text: str, *values: object, **named: object) -> str:
    all_values = {str(index): value for index, value in enumerate(values)} | named
    return re.sub(r"\{(\w+)\}", lambda found: str(all_values.get(found[1], found[0])), text)


def failure(name: str, **fields: object) -> CropError:
    """An error of Schema/errors.json."""
    error = words()["errors"][name]
    advices: Mapping[str, str] = error["advice"] or {}
    advice = advices.get(_READER, "")
    titles: list[str] = [one["title"] for one in words()["formats"]]
    formats = f"{', '.join(titles[:-1])} and {titles[-1]}"
    values = {"formats": formats, "advice": _filled(advice, **fields), **fields}
    is_less = any(values.get(one) is None for one in re.findall(r"\{(\w+)\}", error["text"]))
    message = _filled(error["otherwise"] if is_less and error["otherwise"] else error["text"], **values)
    return CropError(_filled(error["code"], **fields), message, error["exit"])


def misuse(detail: str) -> CropError:
    """An invalid option."""
    return failure("usage", detail=detail)


def conflict(name: str, *values: object) -> CropError:
    """Options that can't be combined."""
    return misuse(_filled(words()["conflicts"][name], *values))


def needed(reason: str, file: str, *values: object) -> CropError:
    """A crop that needs the programs."""
    error = words()["errors"]["componentMissing"]
    named = {**words()["syntax"][_READER], "file": file, "programs": words()["programs"]}
    return CropError(error["code"], _filled(words()["needs"][reason], *values, **named), error["exit"])


def dropped(kinds: Sequence[int]) -> list[dict[str, Any]]:
    """A warning about metadata that were left out, as the module numbers their kinds; none without any."""
    found = [words()["kinds"][kind] for kind in kinds]
    text = ", ".join(text for _, text in found)
    return [{**warning("metadataDropped", text), "dropped": [name for name, _ in found]}] if found else []


def warning(name: str, *values: object) -> dict[str, Any]:
    """A warning about a result."""
    code, message = words()["warnings"][name]
    return {"code": code, "message": _filled(message, *values)}


def fault_error(name: str, numbers: Sequence[float], file: str, place: str = "") -> CropError:
    """What the module notes about a failed call; `place` is the option that places a rectangle."""
    if name == "recipe":
        kind, *rest = numbers
        inside = _part_inside(*rest) if kind in words()["outsideErrors"] else None
        detail = _filled(words()["recipeErrors"][int(kind)], *rest)
        return failure("invalidRecipe", file=file, detail=detail, inside=inside)
    if name == "printNeeded":
        return conflict(name, "enlarge" if numbers[0] else "bleed")
    if name in words()["conflicts"]:
        return conflict(name, *([place] if name == "placeNeedsArea" else numbers))
    error, text = words()["faults"][name]
    named = {"damage": _at("damage", numbers), "feature": _at("features", numbers)}
    detail = _filled(text, *numbers, **named)
    return failure(error, file=file, detail=detail, feature=detail)


def _part_inside(*numbers: float) -> str | None:
    """The part of a rectangle that is inside the image, if another part is outside."""
    x, y, width, height = numbers[2:6]
    # The size after rotation, if it differs from the image's, which comes first.
    frame_width, frame_height = numbers[6:8] or numbers[:2]
    left, top = max(0, x), max(0, y)
    right, bottom = min(x + width, frame_width), min(y + height, frame_height)
    return f"{left},{top},{right - left},{bottom - top}" if right > left and bottom > top else None


def _at(table: str, numbers: Sequence[float]) -> str:
    names = words()[table]
    index = int(numbers[0]) if numbers else 0
    return str(names[index]) if index < len(names) else ""
