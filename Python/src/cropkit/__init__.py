"""CropKit for Python: crop images, losslessly if a JPEG allows it.

    import cropkit
    cropkit.crop("photo.jpg", "part.jpg", rect=(100, 50, 800, 600))
    data = cropkit.crop_bytes(jpeg, aspect="1:1", max_side=1080, format="webp")
    with cropkit.Pool(jobs=8) as pool:
        for result in pool.map(crops):
            ...

The programs do the work, in separate processes; no Python code reads an image. Where they don't run, a WebAssembly
module crops JPEGs losslessly: see `programs()`.
"""

from ._crop import Crop, Rect
from ._errors import CropError, ProgramError
from ._info import Info, info
from ._options import How
from ._pool import Pool
from ._program import Programs, program, programs, version
from ._result import Result, Warned
from ._single import crop, crop_bytes
from ._targets import targets

#: The version of this package; `version()` returns that of the program.
__version__: str

__all__ = [
    "Crop",
    "CropError",
    "How",
    "Info",
    "Pool",
    "ProgramError",
    "Programs",
    "Rect",
    "Result",
    "Warned",
    "__version__",
    "crop",
    "crop_bytes",
    "info",
    "program",
    "programs",
    "targets",
    "version",
]


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import metadata

    try:
        return metadata.version("cropkit")
    except metadata.PackageNotFoundError:
        # Imported from the source folder.
        return "0+unknown"
