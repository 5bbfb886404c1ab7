"""One crop at a time, each by a process of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from ._array import FORMAT, decoded
from ._crop import Crop, Name
from ._options import How
from ._pool import Limit, Pool
from ._result import Result

if TYPE_CHECKING:
    from numpy import generic
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from ._source import Source


def crop(
    input: Source,
    output: Name,
    *,
    force: bool = False,
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> Result:
    """Cuts a part out of a picture, into a file that is written whole or not at all.

    Args:
        input: The name of a file, the address of an object, or a picture as `Crop` takes it.
        output: The name or address of the result. Its extension says the format, unless `format` does.
        force: Replace the output if it exists.
        limits: The limits of `cropkit crop` under their names: {"pixels": "100M", "seconds": 10}.
        storage_options: As for `Pool`.
        how: What is cut and how it is written; see `How`.

    Raises:
        CropError: It was refused or failed; there is no output then.
        ProgramError: The program is missing or died.
    """
    with Pool(jobs=1, force=force, limits=limits, storage_options=storage_options) as pool:
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
) -> NDArray[generic]: ...
def crop_bytes(
    input: Source,
    *,
    decode: bool = False,
    limits: Mapping[Limit, int | str] | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **how: Unpack[How],
) -> bytes | NDArray[generic]:
    """Cuts a part out of a picture and gives the result's bytes, in the input's format unless `format` says.

    Args:
        input: The name of a file, the address of an object, or a picture as `Crop` takes it.
        decode: Give the pixels as an array instead, (height, width, channels); needs NumPy and Pillow.
        limits: As for `crop`.
        storage_options: As for `Pool`.
        how: What is cut and how it is written; see `How`.

    Raises:
        CropError: It was refused or failed.
        ProgramError: The program is missing or died.
    """
    if decode:
        how["format"] = how.get("format", FORMAT)
    with Pool(jobs=1, limits=limits, storage_options=storage_options) as pool:
        data = pool.crop(Crop(input, **how)).data
    assert data is not None
    return decoded(data) if decode else data
