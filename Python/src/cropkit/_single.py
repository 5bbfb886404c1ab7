"""One crop at a time, each in a separate process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from ._array import FORMAT, check_readable, decoded
from ._crop import Crop, Name
from ._options import How, Limit
from ._pool import Pool
from ._result import Result

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._array import Array
    from ._source import Source


def crop(
    input: Source,
    output: Name,
    *,
    force: bool = False,
    keep_time: bool = False,
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> Result:
    """Crops an image into a file, which is written atomically.

    Args:
        input: The name of a file, the URL of an object, or an image as `Crop` accepts.
        output: The name or URL of the result. Its extension determines the format, unless `format` is given.
        force: Overwrite an existing output.
        keep_time: Give the result the time of the input's last change, if both are files.
        limits: The limits of `cropkit crop` under their names: {"pixels": "100M", "seconds": 10}.
        storage_options: As for `Pool`.
        how: What to crop and how to write it; see `How`.

    Raises:
        CropError: It failed; then there is no output.
        ProgramError: The program is missing or died.
    """
    with Pool(jobs=1, force=force, keep_time=keep_time, limits=limits, storage_options=storage_options) as pool:
        return pool.crop(Crop(input, output, **how))


@overload
def crop_bytes(
    input: Source,
    *,
    decode: Literal[False] = False,
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> bytes: ...
@overload
def crop_bytes(
    input: Source,
    *,
    decode: Literal[True],
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> Array: ...
@overload
def crop_bytes(
    input: Source,
    *,
    decode: bool,
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> bytes | Array: ...
def crop_bytes(
    input: Source,
    *,
    decode: bool = False,
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> bytes | Array:
    """Crops an image and returns the result's bytes, in the input's format unless `format` is given.

    Args:
        input: The name of a file, the URL of an object, or an image as `Crop` accepts.
        decode: Return the pixels as an array instead, (height, width, channels); needs NumPy and Pillow.
        limits: As for `crop`.
        storage_options: As for `Pool`.
        how: What to crop and how to write it; see `How`.

    Raises:
        CropError: It failed.
        ImportError: `decode` needs NumPy or Pillow, which is missing.
        ProgramError: The program is missing or died.
        ValueError: `decode` with a `format` that Pillow can't read.
    """
    if decode:
        how["format"] = how.get("format") or FORMAT
        check_readable(how["format"])
    with Pool(jobs=1, limits=limits, storage_options=storage_options) as pool:
        data = pool.crop(Crop(input, **how)).data
    assert data is not None
    return decoded(data) if decode else data
