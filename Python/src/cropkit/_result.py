"""Results of crops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ._crop import Crop, Rect
from ._errors import CropError

if TYPE_CHECKING:
    from ._array import Array


class Warned(NamedTuple):
    """A warning about a result."""

    code: str
    message: str


@dataclass(frozen=True)
class Result:
    """The result of a crop."""

    crop: Crop
    #: The name of the result; None if it is in `data`.
    output: str | None
    format: str
    #: In pixels.
    width: int
    height: int
    #: The size of the result in bytes.
    byte_count: int
    #: Whether a JPEG was cropped by copying its blocks, without decoding.
    lossless: bool
    #: The crop rectangle, if the program reports it. With `lossless="snap"` it may be moved from the requested one,
    #: with `"outward"` it may be larger.
    rect: Rect | None = None
    #: The number of columns and rows at the left, top, right and bottom edge that may differ from the source, because
    #: their blocks were requantized; None if there are none, and for most skipped results.
    requantized: tuple[int, int, int, int] | None = None
    warnings: tuple[Warned, ...] = ()
    #: How the gain map of an HDR photo was cropped: "cut" (copied as coded) or "re-coded"; None if there is none.
    gain_map: str | None = None
    #: Whether it already existed (`resume`).
    skipped: bool = False
    #: The elapsed time.
    seconds: float = 0.0
    #: The name of its target, from `targets`.
    target: str | None = None
    #: The bytes of the result, for a crop without an output.
    data: bytes | None = field(default=None, repr=False)

    def array(self) -> Array:
        """The pixels, rows first: (height, width, channels), or (height, width) in gray.

        Raises:
            ImportError: NumPy or Pillow is missing: `pip install cropkit[numpy]`.
            ValueError: Pillow can't read the format of the result.
        """
        from ._array import decoded

        return decoded(self.data if self.data is not None else self.output)


def result(crop: Crop, answer: Mapping[str, Any], data: bytes | None) -> Result:
    """The result in a response.

    Raises:
        CropError: It reports an error.
    """
    if not answer["ok"]:
        error = answer["error"]
        raise CropError(error["code"], error["message"], error["exitStatus"], crop)
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
        warnings=tuple(Warned(one["code"], one["message"]) for one in answer["warnings"]),
        gain_map=answer.get("gainMap"),
        skipped=answer.get("skipped", False),
        seconds=answer.get("seconds", 0.0),
        target=answer.get("target"),
        data=data,
    )


def _edges(fields: Mapping[str, Any] | None) -> tuple[int, int, int, int] | None:
    return (fields["left"], fields["top"], fields["right"], fields["bottom"]) if fields else None
