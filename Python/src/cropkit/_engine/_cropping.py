"""One crop by the module, from a line as `cropkit batch --stream` takes it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .._errors import CropError
from ._module import Cutter, Stopped
from ._wire import interface
from ._words import conflict, dropped, failure, fault_error, misuse, needed, warning, words

#: The maximum length of an option's text for the module, in bytes.
MOST = 120
#: The name in messages for an image that is not a file.
BYTES = "the input's bytes"

_METADATA = {"none": "keep", "location": "stripLocation", "all": "stripAll"}
#: The options of the result that are used here; all others need a decoder.
_KNOWN = ("format", "quality", "maxBytes", "lossless", "strip", "hdr", "bake", "lenient", "dpi")


@dataclass
class Made:
    """A crop."""

    data: bytes
    #: The fields of the program's answer.
    fields: dict[str, Any]


@dataclass
class How:
    """How to write the result."""

    mode: str
    metadata: str
    keeps_map: bool
    is_baked: bool
    is_lenient: bool
    most_bytes: int | None
    quality: int | None
    #: The pixels per inch that are asked for.
    dpi: int | None
    #: Whether no option asks for more than a copy.
    is_plain: bool


def made(image: bytes, name: str, line: Mapping[str, Any], how: How) -> Made:
    """Makes the crop of a line.

    Raises:
        CropError: It failed, or needs the programs.
    """
    try:
        return _Crop(image, name).made(line, how)
    except Stopped as error:
        raise failure("workerDied", file=name, detail=f"the module stopped: {error}") from None


def checked_format(image: bytes, name: str) -> None:
    """Rejects anything but a JPEG.

    Raises:
        CropError: It is not a JPEG.
    """
    if not image:
        raise failure("empty", file=name)
    for one in words()["formats"]:
        if any(image.startswith(bytes.fromhex(mark), place) for place, mark in one["signatures"]):
            if one["name"] == "jpeg":
                return
            raise needed("format", name, one["title"])
    raise failure("unsupportedFormat", file=name, found=None)


class _Crop:
    def __init__(self, image: bytes, name: str) -> None:
        self._image, self._name = image, name
        self._cutter = Cutter(image)
        if not self._cutter.call("open", byteCount=len(image)):
            raise self._fault()

    def _fault(self, place: str = "") -> CropError:
        kind, *numbers = self._cutter.call("fault") or [0]
        names = {code: name for name, code in interface()["enumerations"]["Fault"].items()}
        return fault_error(names[kind], numbers, self._name, place)

    def made(self, line: Mapping[str, Any], how: How) -> Made:
        plan = self._plan(line, how)
        if plan["need"] != "nothing":
            header = self._cutter.call("header")
            raise needed(plan["need"], self._name, header["cellWidth"], header["cellHeight"])
        report = self._cutter.call("crop", metadata=how.metadata, mayCopy=how.is_plain, keepsMap=how.keeps_map)
        if report is None:
            raise self._fault()
        if report["isTruncated"] and not how.is_lenient:
            raise failure("truncated", file=self._name, detail="the end marker is missing")
        blocks = self._cutter.call("blocks")
        lost: list[int] = self._cutter.call("dropped")
        data = self._image if report["isCopied"] else self._cutter.take()
        outcome = "none"
        late: list[int] = []
        if how.keeps_map:
            mapped, outcome = self._with_map(data)
            if report["isCopied"] or report["isRestated"]:
                # With its map as it was.
                outcome = "cut" if outcome in ("cut", "recoded") else "none"
            else:
                data = mapped
                # What the map leaves no room for is reported last.
                more: list[int] = self._cutter.call("dropped")
                lost, late = (lost, []) if len(more) == len(lost) else ([], more)
        if how.most_bytes is not None and len(data) > how.most_bytes:
            raise needed("maxBytes", self._name, len(data), how.most_bytes)
        return Made(data, _fields(data, plan, report, outcome, blocks, how, lost, late))

    def _plan(self, line: Mapping[str, Any], how: How) -> dict[str, Any]:
        given = _texts(line)
        for option, text in given.items():
            if len(text.encode()) > MOST or not self._cutter.call("setOption", option=option, text=text):
                raise invalid(option, text)
        if "recipe" in line:
            self._set_recipe(line["recipe"])
        plan: dict[str, Any] | None = self._cutter.call("plan", mode=how.mode, isBaked=how.is_baked, dpi=how.dpi or 0)
        if plan is None:
            raise self._fault("gravity" if "gravity" in given else "focus")
        return plan

    def _set_recipe(self, recipe: Mapping[str, Any]) -> None:
        fields = dict(recipe)
        version = fields.pop("version", 1)
        detail = "a number in it must be whole, or is too large"
        try:
            if version not in (1, 2):
                raise ValueError(f"it is of version {version}; here versions 1 and 2 are understood")
            if version == 1 and fields.get("quad") is not None:
                raise ValueError('"quad" is of version 2; this says version 1')
            if self._cutter.call("setRecipe", **fields):
                return
        except (TypeError, ValueError) as error:
            detail = f"not a recipe: {error}"
        raise failure("invalidRecipe", file="the recipe", detail=detail)

    def _with_map(self, crop: bytes) -> tuple[bytes, str]:
        """The crop with its part of the gain map, if there is one."""
        self._cutter.sources.append(crop)
        outcome: str = self._cutter.call("addMap", byteCount=len(crop))
        del self._cutter.sources[1:]
        data = self._cutter.take()
        return data if outcome in ("cut", "recoded") else crop, outcome


def _texts(line: Mapping[str, Any]) -> dict[str, str]:
    """The options of what to crop, as texts.

    Raises:
        CropError: Some can't be combined.
    """
    options = {one["name"]: one["option"] for one in words()["what"]}
    flags = [one["name"] for one in words()["what"] if one["isFlag"]]
    if "cropFrom" in line:
        raise needed("option", "the crop", "crop_from")
    given = {
        name: _text(line[name], name in flags)
        for name in options
        if name != "recipe" and line.get(name) not in (None, False)
    }
    for names in words()["exclusive"]:
        both = [options[name] for name in names if name in given]
        if len(both) > 1:
            raise conflict("exclusive", *both[:2])
    if "recipe" in line:
        for name in given:
            if name not in words()["besideRecipe"]:
                raise conflict("besideRecipe", options[name])
    return given


def _text(value: object, is_flag: bool) -> str:
    """The value as the command takes it; an option that may be given without one has a default."""
    if value is True:
        return "true" if is_flag else "auto"
    return str(value)


def invalid(name: str, value: object) -> CropError:
    """The error for an invalid value of an option."""
    option = next(one for one in [*words()["what"], *words()["how"]] if one["name"] == name)
    return misuse(f"--{option['option']} {value}: expected {option['form']}")


def how_written(options: Mapping[str, Any], output: str | None, is_lenient: bool) -> How:
    """The options of a result.

    Raises:
        CropError: One is invalid, or needs a decoder.
    """
    given = {name: value for name, value in options.items() if value not in (None, False)}
    known = {one["name"]: one for one in words()["how"]}
    for name, value in given.items():
        if name not in _KNOWN and str(value) != known[name]["usual"]:
            snake = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", name)
            raise needed("option", "the crop", snake)
    _check_output(given.get("format"), output)

    def choice(name: str, usual: str) -> str:
        value = str(given.get(name, usual))
        if value not in known[name]["values"]:
            raise invalid(name, value)
        return value

    return How(
        mode=choice("lossless", "exact"),
        metadata=_METADATA[choice("strip", "none")],
        keeps_map=choice("hdr", "keep") == "keep",
        is_baked=_flag(given, "bake"),
        is_lenient=is_lenient or _flag(given, "lenient"),
        most_bytes=_whole(given, "maxBytes", 1, 2**63 - 1),
        quality=_whole(given, "quality", 1, 100),
        dpi=_whole(given, "dpi", 1, 65535),
        is_plain=not {"quality", "maxBytes", "bake"} & given.keys(),
    )


def _flag(given: Mapping[str, Any], name: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise invalid(name, value)
    return value


def _whole(given: Mapping[str, Any], name: str, least: int, most: int) -> int | None:
    value = given.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most):
        raise invalid(name, value)
    return value


def _check_output(format: object, output: str | None) -> None:
    """Only JPEGs are written."""
    extension = os.path.splitext(output or "")[1][1:].lower()
    wanted = format if format is not None else extension
    if not wanted:
        return
    for one in words()["formats"]:
        if wanted == one["name"] or wanted in one["extensions"]:
            if one["name"] == "jpeg":
                return
            raise needed("output", output or "the crop", one["title"])
    if format is not None:
        raise invalid("format", format)
    known = ", ".join(one["extensions"][0] for one in words()["formats"])
    raise misuse(f"{output}: .{extension} is not a known file extension; use one of {known}, or set the format")


def _fields(
    data: bytes,
    plan: Mapping[str, Any],
    report: Mapping[str, Any],
    outcome: str,
    blocks: list[int],
    how: How,
    lost: Sequence[int],
    late: Sequence[int],
) -> dict[str, Any]:
    rect = {name: plan[name] for name in ("x", "y", "width", "height")}
    edges = {name: plan[name] for name in ("left", "top", "right", "bottom")}
    warnings: list[dict[str, Any]] = []
    noticed = {"hasExtraBytes": "extraBytes", "isTruncated": "truncated"}
    warnings += [warning(name) for field, name in noticed.items() if report[field]]
    warnings += dropped(lost)
    if report["isDamagedAtEnd"]:
        warnings.append(warning("damagedEnd"))
    if plan["needed"]:
        sides = [plan[size][side] for size in ("needed", "has") for side in ("width", "height")]
        warnings.append(warning("lowDensity", plan["dpi"], *sides))
    if outcome in words()["mapFaults"]:
        warnings.append({**warning("mapDropped", words()["mapFaults"][outcome]), "dropped": ["gain-map"]})
    warnings += dropped(late)
    if plan["clamped"]:
        warnings.append(warning("clamped", _numbers(plan["clamped"]), _numbers(plan["kept"])))
    if how.quality is not None:
        warnings.append(warning("qualityUnused", how.quality))
    return {
        "format": "jpeg",
        "size": {"width": plan["outputWidth"], "height": plan["outputHeight"]},
        "bytes": len(data),
        "lossless": True,
        "rect": rect,
        "requantized": {**edges, "blocks": blocks} if any(edges.values()) else None,
        "gainMap": {"cut": "cut", "recoded": "re-coded"}.get(outcome),
        "warnings": warnings,
    }


def _numbers(rect: Mapping[str, Any]) -> str:
    return ",".join(str(rect[name]) for name in ("x", "y", "width", "height"))
