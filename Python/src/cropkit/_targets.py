"""One photo for several targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from ._crop import Crop, Name, absolute
from ._errors import CropError
from ._limits import check_limits
from ._options import WHAT, Limit
from ._result import Result, result
from ._stream import Stream

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import HowWritten

#: The id of the only line.
ID = "targets"


@overload
def targets(
    input: Name,
    directory: Name,
    targets: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    focus: Sequence[float] | None = None,
    name: str | None = None,
    enlarge: bool = False,
    force: bool = False,
    limits: Mapping[Limit, int | str] | None = None,
    errors: Literal["raise"] = "raise",
    **how: Unpack[HowWritten],
) -> list[Result]: ...
@overload
def targets(
    input: Name,
    directory: Name,
    targets: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    focus: Sequence[float] | None = None,
    name: str | None = None,
    enlarge: bool = False,
    force: bool = False,
    limits: Mapping[Limit, int | str] | None = None,
    errors: Literal["return"],
    **how: Unpack[HowWritten],
) -> list[Result | CropError]: ...
def targets(
    input: Name,
    directory: Name,
    targets: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
    *,
    focus: Sequence[float] | None = None,
    name: str | None = None,
    enlarge: bool = False,
    force: bool = False,
    limits: Mapping[Limit, int | str] | None = None,
    errors: Literal["raise", "return"] = "raise",
    **how: Unpack[HowWritten],
) -> list[Result] | list[Result | CropError]:
    """Crops a photo for several targets, each of which is a place with a ratio or a size. The photo is decoded once.

        cropkit.targets("photo.jpg", "out/", "social", focus=(0.42, 0.30))
        cropkit.targets("photo.jpg", "out/", [{"name": "story", "ratio": "9:16"}], format="webp")

    Args:
        input: The name of a file.
        directory: The folder for the results; created if it does not exist.
        targets: The name of a built-in set (social, instagram, youtube, web, print, passport, passport-us …), targets,
            or a document with the key "targets", as for `cropkit targets`.
        focus: What every crop should contain, in fractions of the photo's sides: a point (x, y), or an area
            (x, y, width, height).
        name: The pattern of the results' names; by default "{name}-{target}.{ext}".
        enlarge: Enlarge crops that have too few pixels to their target's size.
        force: Overwrite existing outputs.
        limits: As for `crop`.
        errors: "raise" the first error after all crops, or "return" each instead of a result.
        how: How to write the results; see `How`.

    Returns:
        The results in the order of the targets; `Result.target` is the target's name.

    Raises:
        CropError: A crop failed, and `errors` is "raise".
        ProgramError: The program is missing or died.
        TypeError: `how` has an unknown name, or one of what to crop.
    """
    if cut := next((option for option in how if option in WHAT), None):
        raise TypeError(f"targets determine what is cropped, so {cut} is not allowed")
    crop = Crop(input, directory, **how)
    check_limits(limits or {})
    line: dict[str, Any] = {"id": ID, "input": absolute(input), "directory": absolute(directory), "enlarge": enlarge}
    is_list = isinstance(targets, Sequence) and not isinstance(targets, str)
    line["targets"] = {"targets": list(targets)} if is_list else targets
    if focus is not None:
        line["focus"] = dict(zip(("x", "y", "width", "height"), focus, strict=False))
    if name is not None:
        line["name"] = name
    if options := crop.line().get("options"):
        line["options"] = options
    outcomes = _outcomes(crop, line, force, limits or {})
    if errors == "return":
        return outcomes
    for outcome in outcomes:
        if isinstance(outcome, CropError):
            raise outcome
    return [outcome for outcome in outcomes if isinstance(outcome, Result)]


def _outcomes(
    crop: Crop, line: Mapping[str, Any], force: bool, limits: Mapping[Limit, int | str]
) -> list[Result | CropError]:
    words = [word for limit, value in limits.items() for word in (f"--limit-{limit}", str(value))]
    stream = Stream([*words, *(["--force"] if force else [])])
    outcomes: list[Result | CropError] = []
    try:
        stream.send(line, None)
        stream.finish()
        while (answered := stream.receive()) is not None:
            answer, data = answered
            try:
                outcomes.append(result(crop, answer, data))
            except CropError as error:
                outcomes.append(error)
    except OSError:
        raise stream.death() from None
    if stream.wait() not in (0, 1) or not outcomes:
        raise stream.death()
    return outcomes
