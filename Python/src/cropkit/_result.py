"""What was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ._crop import Crop, Rect
from ._errors import CropError, in_python

if TYPE_CHECKING:
    from numpy import generic
    from numpy.typing import NDArray


class Warned(NamedTuple):
    """Something to know about a result that was made all the same."""

    code: str
    message: str


@dataclass(frozen=True)
class Result:
    """What was made of a crop."""

    crop: Crop
    #: The result's name; None where it came as bytes.
    output: str | None
    format: str
    #: In pixels.
    width: int
    height: int
    #: The size of the result.
    byte_count: int
    #: Whether a JPEG was cut by copying its blocks, nothing decoded.
    lossless: bool
    #: What was cut, where the program says so. With `lossless="snap"` it may lie beside what was asked, with
    #: `"outward"` be more.
    rect: Rect | None = None
    #: How many columns and rows at the left, top, right and bottom edge may differ from the source, because their
    #: blocks were quantised again; None where all blocks were copied.
    requantized: tuple[int, int, int, int] | None = None
    warnings: tuple[Warned, ...] = ()
    #: How the gain map of an HDR photo was made: "cut" (copied as coded) or "re-coded"; None where there is none.
    gain_map: str | None = None
    #: Whether it had been made before (`resume`).
    skipped: bool = False
    #: How long it took.
    seconds: float = 0.0
    #: The result itself, of a crop without an output.
    data: bytes | None = field(default=None, repr=False)

    def array(self) -> NDArray[generic]:
        """The pixels, rows first: (height, width, channels), or (height, width) in grey.

        Raises:
            ImportError: NumPy or Pillow is missing: `pip install cropkit[numpy]`.
        """
        from ._array import decoded

        return decoded(self.data if self.data is not None else self.output)


def result(crop: Crop, answer: Mapping[str, Any], data: bytes | None) -> Result:
    """What an answer tells.

    Raises:
        CropError: It tells of a failure.
    """
    if not answer["ok"]:
        error = answer["error"]
        raise CropError(error["code"], _words(error, answer), error["exitStatus"], crop)
    rect = answer.get("rect")
    return Result(
        crop=crop,
        output=None if data is not None else answer.get("output"),
        format=answer["format"],
        width=answer["size"]["width"],
        height=answer["size"]["height"],
        byte_count=answer.get("bytes", 0),
        lossless=answer["lossless"],
        rect=Rect(rect["x"], rect["y"], rect["width"], rect["height"]) if rect else None,
        requantized=_edges(answer.get("requantized")),
        warnings=tuple(Warned(one["code"], _words(one, answer)) for one in answer["warnings"]),
        gain_map=answer.get("gainMap"),
        skipped=answer.get("skipped", False),
        seconds=answer.get("seconds", 0.0),
        data=data,
    )


def _edges(told: Mapping[str, Any] | None) -> tuple[int, int, int, int] | None:
    return (told["left"], told["top"], told["right"], told["bottom"]) if told else None


def _words(told: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """A message that speaks of arguments rather than of options."""
    names = (answer.get("input"), answer.get("output"))
    return in_python(told["message"], [name for name in names if isinstance(name, str)])
