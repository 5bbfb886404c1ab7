"""What to crop, and how to write the result."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from . import _address
from ._limits import byte_count, is_amount
from ._options import LIMITS, OPTIONS, WHAT
from ._pixels import Pixels
from ._source import taken

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import How
    from ._source import Source

Name = str | os.PathLike[str]

#: Options under the names of other libraries.
OTHER_NAMES = {
    "box": "rect", "bbox": "rect", "crop": "rect", "ratio": "aspect", "resize": "size", "turn": "rotate",
    "angle": "tilt", "mirror": "flip", "clamp": "outside", "fmt": "format", "max_size": "max_side", "x": "rect",
    "y": "rect", "left": "rect", "top": "rect", "corners": "quad", "perspective": "quad", "thumbnail": "max_side",
}  # fmt: skip

#: The elements of options that are lists.
LISTS = {
    "rect": "x, y, width and height", "quad": "four corners of x and y", "size": "width and height",
    "focus": "x and y",
}  # fmt: skip


class Rect(NamedTuple):
    """A rectangle of the upright image, in pixels from its top left corner."""

    x: float
    y: float
    width: float
    height: float


class Crop:
    """One crop: the input, the output, what to crop and how to write it.

    Its attributes are `input`, `output` and `how`, a dict of the options.

    Args:
        input: The name of a file, the URL of an object (`s3://bucket/a.jpg`), or an image: its bytes, a file
            open in binary mode, a Pillow image, or a NumPy array of 8 or 16 bits with the shape (height, width) or
            (height, width, channels). A file or array is read immediately, and `Crop.input`
            is then its bytes; pixels are passed on as they are, and an EXIF orientation does not rotate them.
        output: The name or URL of the result; None to get its bytes.
        how: What to crop and how to write it. By default, a copy of the complete image.

    Raises:
        TypeError: `how` has an unknown name, or the input an unsupported type.
        ValueError: The input is an image or array whose pixels have an unsupported form.
    """

    __slots__ = ("how", "input", "output")

    def __init__(self, input: Source, output: Name | None = None, **how: Unpack[How]) -> None:
        for name in how:
            if name not in WHAT and name not in OPTIONS:
                raise TypeError(f"a crop has no option {name}{_suggestion(name)}")
        self.input = taken(input)
        self.output = output
        self.how = how

    def __repr__(self) -> str:
        source = f"<{len(self.input)} bytes>" if isinstance(self.input, bytes) else _address.shown(repr(self.input))
        words = "".join(f", {name}={value!r}" for name, value in self.how.items())
        return f"Crop({source}, {_address.shown(repr(self.output))}{words})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.input, self.output, dict(self.how))

    def line(self) -> dict[str, Any]:
        """The line that `cropkit batch --stream` is sent; names are absolute, since its working directory may
        differ.

        URLs of objects stay as they are; the program never gets these.

        Raises:
            TypeError: A value has an unsupported type.
            ValueError: A value is invalid, such as NaN.
        """
        how = cast("dict[str, Any]", self.how)
        line: dict[str, Any] = {
            "input": {"bytes": len(self.input)} if isinstance(self.input, bytes) else _named(self.input),
            "output": {"bytes": True} if self.output is None else _named(self.output),
        }
        given = {name: _value(name, how[name]) for name in WHAT if how.get(name) is not None}
        # False means unset; 0 is a tolerance.
        line |= {WHAT[name]: _checked(name, value) for name, value in given.items() if value is not False}
        if len(line) == 2:
            line["recipe"] = {}
        written = {name: _written(name, how[name]) for name in OPTIONS if how.get(name) is not None}
        options = {OPTIONS[name]: _checked(name, value) for name, value in written.items()}
        if isinstance(self.input, Pixels) and "format" not in options and not self._names_format():
            options["format"] = "png"
        if options:
            line["options"] = options
        return line

    def _names_format(self) -> bool:
        """Whether the name of the result has an extension."""
        return self.output is not None and bool(os.path.splitext(str(self.output))[1])


def _restored(input: Source, output: Name | None, how: How) -> Crop:
    return Crop(input, output, **how)


def _named(name: Name) -> str:
    return str(name) if _address.scheme(name) is not None else absolute(name)


def absolute(name: Name) -> str:
    """The name of a file, for the program.

    Raises:
        ValueError: It is the address of an object, or not UTF-8.
    """
    path = os.path.abspath(_address.path(os.fspath(name)))
    try:
        path.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{path!r} is not UTF-8; open it and pass the bytes") from None
    return path


def _value(name: str, value: Any) -> Any:
    """The value in the form of the command-line option.

    Raises:
        TypeError: It has another type than the option needs.
        ValueError: It is invalid.
    """
    try:
        return _converted(name, value)
    except TypeError as error:
        is_list = hasattr(value, "__iter__") or name not in LISTS
        expected = error if is_list else f"expected {LISTS[name]}"
        raise TypeError(f"{name}: {value!r} is of type {type(value).__name__}; {expected}") from None


def _converted(name: str, value: Any) -> Any:
    if name == "rect" and not isinstance(value, str):
        is_mapping = isinstance(value, Mapping)
        sides: Any = value
        is_named = is_mapping and set(sides) == set(Rect._fields)
        numbers: tuple[Any, ...] = tuple(sides[side] for side in Rect._fields) if is_named else tuple(sides)
        if len(numbers) != 4 or (is_mapping and not is_named):
            raise ValueError(f"a rectangle is x, y, width and height, not {value!r}")
        return ",".join(_number(number) for number in numbers)
    if name == "outside":
        if value not in ("error", "clamp"):
            raise ValueError(f"outside: {value!r} is not allowed; expected 'error' or 'clamp'")
        return value == "clamp"
    if name == "recipe" and isinstance(value, (str, bytes)):
        return _recipe(value)
    if name == "quad" and not isinstance(value, str):
        numbers = tuple(n for corner in value for n in (corner if hasattr(corner, "__iter__") else (corner,)))
        if len(numbers) != 8:
            raise ValueError(f"a quad is four corners of x and y, not {value!r}")
        return ",".join(_number(number) for number in numbers)
    if name == "size" and not isinstance(value, str):
        width, height = value
        return f"{_number(width)}x{_number(height)}"
    if name == "focus" and not isinstance(value, str):
        return ",".join(str(number) for number in value)
    if name == "crop_from" and value != "xmp":
        return _named(value)
    return value


def _written(name: str, value: Any) -> Any:
    """The value of an option of the result; a number of bytes may be text such as "200K"."""
    if name != "max_bytes" or not isinstance(value, str):
        return value
    if not is_amount(value):
        raise ValueError(f"max_bytes: {value!r} is not allowed; expected {LIMITS['bytes']}")
    return byte_count(value)


def _recipe(text: str | bytes) -> Mapping[str, Any]:
    """The recipe in JSON text, such as a form sends."""
    try:
        recipe = json.loads(text)
    except ValueError as error:
        raise ValueError(f"recipe: it is not JSON: {error}") from None
    if not isinstance(recipe, dict):
        raise ValueError(f"recipe: it must be a JSON object, not {text!r}")
    return cast("Mapping[str, Any]", recipe)


def _suggestion(name: str) -> str:
    """The option that was probably meant."""
    known = [*WHAT, *OPTIONS]
    near = OTHER_NAMES.get(name) or next(iter(difflib.get_close_matches(name, known, 1, 0.75)), None)
    return f" (did you mean {near}?)" if near else ""


def _checked(name: str, value: Any) -> Any:
    """The value, if JSON can express it: the program could not tell which crop a broken line belongs to."""
    try:
        json.dumps(value, allow_nan=False)
    except TypeError:
        raise TypeError(f"{name}: {value!r} has an unsupported type, {type(value).__name__}") from None
    except ValueError:
        raise ValueError(f"{name}: {value!r} is not allowed; numbers must be finite") from None
    return value


def _number(number: Any) -> str:
    """Formats an integer without a decimal point; other values are passed on, and the program rejects them."""
    try:
        is_whole = float(number).is_integer()
    except ValueError:
        is_whole = False
    return str(int(float(number))) if is_whole else str(number)
