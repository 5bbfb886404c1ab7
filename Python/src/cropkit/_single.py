"""One crop at a time, each by a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, overload

from ._array import FORMAT, decoded
from ._crop import Crop, How, Name, Source
from ._pool import Pool
from ._result import Result

if TYPE_CHECKING:
    from numpy import generic
    from numpy.typing import NDArray
    from typing_extensions import Unpack


def crop(input: Source, output: Name, *, force: bool = False, **how: Unpack[How]) -> Result:
    """Cuts a part out of a picture, into a file that is written whole or not at all.

    Args:
        input: The name of a file, or the bytes of a picture.
        output: The name of the result. Its extension says the format, unless `format` does.
        force: Replace the output if it is there.
        how: What is cut and how it is written; see `How`.

    Raises:
        CropError: It was refused or failed; there is no output then.
        ProgramError: The program is missing or died.
    """
    with Pool(jobs=1, force=force) as pool:
        return pool.crop(Crop(input, output, **how))


@overload
def crop_bytes(input: Source, *, decode: Literal[False] = False, **how: Unpack[How]) -> bytes: ...
@overload
def crop_bytes(input: Source, *, decode: Literal[True], **how: Unpack[How]) -> NDArray[generic]: ...
def crop_bytes(input: Source, *, decode: bool = False, **how: Unpack[How]) -> bytes | NDArray[generic]:
    """Cuts a part out of a picture and gives the result's bytes, in the input's format unless `format` says.

    Args:
        input: The bytes of a picture, or the name of a file.
        decode: Give the pixels as an array instead, (height, width, channels); needs NumPy and Pillow.
        how: What is cut and how it is written; see `How`.

    Raises:
        CropError: It was refused or failed.
        ProgramError: The program is missing or died.
    """
    if decode:
        how["format"] = how.get("format", FORMAT)
    with Pool(jobs=1) as pool:
        data = pool.crop(Crop(input, **how)).data
    assert data is not None
    return decoded(data) if decode else data
