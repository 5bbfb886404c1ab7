"""The job: a frame of crops in, a frame of their outcomes out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pyspark.sql import functions as F
from pyspark.sql.types import BinaryType, StructField, StructType

from .. import _address
from .._errors import CropError
from .._limits import checked_jobs
from .._objects import Objects
from .._options import OPTIONS, HowButRect
from .._options import WHAT as WORDS
from . import _names, _report
from ._plan import partitioned
from ._store import Files, Store
from ._task import KEPT, NAME, PICTURE, WHAT, Task

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from typing_extensions import Unpack


#: The setting for the number of rows that Spark passes to Python at a time; a task keeps all of them in memory.
BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
#: The maximum of that number if the rows contain images.
MOST_ROWS = 1000


def crop_files(
    frame: DataFrame,
    *,
    output: str | None,
    input: str = "path",
    rect: str | None = "box",
    columns: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    resume: bool = True,
    force: bool = False,
    errors: Literal["rows", "raise"] = "rows",
    sizes: str | None = None,
    partitions: int | None = None,
    jobs: int = 1,
    store: Store | None = None,
    storage_options: Mapping[str, Any] | None = None,
    transfers: int | None = None,
    **how: Unpack[HowButRect],
) -> DataFrame:
    """Crops an image for each row of a frame.

    The frame is read immediately, to distribute images among tasks; crops are made when the report is
    used, each time. So write or cache it.

    Args:
        frame: One row for each crop.
        output: The names of results; None to get their bytes in the report's column `data`. `{sha}` is the
            SHA-256 of the image's name, `{stem}` that name without
            folder and extension, `{index}` the index of the crop among those of its image, `{what}` identifies the
            crop and options, and any other field is the column of that name. Names must be unique.
        input: The column of the images' names: paths or `file:` URLs, that are valid on all executors, or
            URLs of objects such as `s3://bucket/a.jpg`; a column may mix them. Paths that are not absolute are
            relative to the folder of the driver, as is the output. Or a binary column of images; then `{sha}` is the
            SHA-256 of the image itself, there is no `{stem}` and no `{index}`, rows stay in their partitions, and
            `input` in the report is `sha256:` and that number.
        rect: The column of the rectangles: four numbers, a struct of x, y, width and height, or text as for
            `--rect`. None if there is none.
        columns: Columns for other options, by the names of `How`: {"quality": "q"}.
        keep: Columns of the frame to copy to the report.
        resume: Skip existing outputs of the same image, recipe and options.
        force: Overwrite existing outputs.
        errors: "rows" reports failures in their rows, "raise" fails the job at the first one.
        sizes: The column of the images' sizes in bytes, if any; then files are not checked for them.
        partitions: How many tasks; None for as many as the bytes need.
        jobs: How many crops each task runs in parallel; it should be Spark's `spark.task.cpus`.
        store: Where to write results; None for files and objects.
        storage_options: Options for fsspec's file systems; see `cropkit.Pool`.
        transfers: How many crops that read or write objects each task has in flight; see `cropkit.Pool`.
        how: Options for all rows.

    Returns:
        One row for each crop: the columns of `keep`, then `input`, `output`, `ok`, `skipped`, `code`, `message`,
        `format`, `width`, `height`, `bytes`, `lossless`, `cut`, `warnings` and `seconds`; and `data` without `output`.

    Raises:
        ValueError: The frame lacks a column, options contradict each other, `jobs` is invalid, or fsspec can't reach
            the URLs.
    """
    jobs = checked_jobs(jobs)
    if not (resume or force):
        raise ValueError("a task that runs again finds its own files; pass resume=True or force=True")
    what = {**({"rect": rect} if rect is not None else {}), **(columns or {})}
    unknown = (set(what) | set(how)) - WORDS.keys() - OPTIONS.keys()
    if unknown:
        raise ValueError(f"a crop has no option {', '.join(sorted(unknown))}")
    named = _names.check(output, frame.columns) if output is not None else []
    _check(frame, [input, *what.values(), *keep, *([sizes] if sizes is not None else [])])
    is_binary = isinstance(frame.schema[input].dataType, BinaryType)
    if is_binary:
        _check_binary(frame, output, sizes)
    clash = set(keep) & {*_report.COLUMNS.names, *([_report.DATA.name] if output is None else [])}
    if clash:
        raise ValueError(f"the report has a column {', '.join(sorted(clash))} already")

    folder = os.getcwd()
    lines = frame.select(
        (F.lit(None) if is_binary else F.col(_quoted(input))).cast("string").alias("path"),
        *([F.col(_quoted(input)).alias(PICTURE)] if is_binary else []),
        _text(what).alias("text"),
        *_renamed(WHAT, what.items()),
        *_renamed(NAME, [(name, name) for name in named]),
        *_renamed(KEPT, [(name, name) for name in keep]),
        *([F.col(_quoted(sizes)).alias("size")] if sizes is not None else []),
    )
    options = dict(storage_options or {})
    _check_addresses(lines, output, named, Objects(options), is_store=not isinstance(store or Files(), Files))
    if not is_binary:
        lines = partitioned(lines, "size" if sizes is not None else None, folder, partitions, options)
    elif partitions is not None:
        lines = lines.repartition(partitions)
    kept = StructType([StructField(KEPT + name, frame.schema[name].dataType) for name in keep])
    task = Task(output, folder, how, store or Files(), resume, force, errors, jobs, options, transfers)
    report = lines.mapInArrow(task, _report.schema(kept, has_data=output is None))
    return report.withColumnsRenamed({KEPT + name: name for name in keep})


def _check(frame: DataFrame, wanted: Iterable[str]) -> None:
    missing = [name for name in wanted if name not in frame.columns]
    if missing:
        raise ValueError(f"the frame has no column {', '.join(missing)}")


def _check_binary(frame: DataFrame, output: str | None, sizes: str | None) -> None:
    """Rejects arguments that do not apply to images in a column, and batches of rows that would need too much
    memory."""
    if sizes is not None:
        raise ValueError("sizes is for images with names, not for a binary column")
    if output is not None:
        _names.check_for_bytes(output, frame.columns)
    rows = int(frame.sparkSession.conf.get(BATCH, "10000") or 0)
    if not 0 < rows <= MOST_ROWS:
        raise ValueError(
            f"Spark would hold {rows or 'all'} images at once; before the job, call "
            f'spark.conf.set("{BATCH}", "64"), at most {MOST_ROWS}'
        )


def _check_addresses(
    lines: DataFrame, output: str | None, named: Sequence[str], objects: Objects, is_store: bool
) -> None:
    """Rejects unreachable addresses before the first crop."""
    names = [F.col("path")] if PICTURE not in lines.columns else []
    if output is not None and not is_store:
        if _address.is_foreign(output):
            _reachable(output, objects)
        # A scheme must be at the start of the pattern.
        names += [F.col(_quoted(NAME + name)) for name in named if output.startswith("{" + name)]
    foreign = [
        F.min(F.when(name.rlike(_address.PATTERN) & ~name.rlike(_address.LOCAL), name))
        for name in (name.cast("string") for name in names)
    ]
    for found in (lines.agg(*foreign).first() if foreign else None) or ():
        if found is not None:
            _reachable(str(found), objects)


def _reachable(address: str, objects: Objects) -> None:
    if _address.scheme(address) is None:
        _address.path(address)
    try:
        objects.place(address)
    except CropError as error:
        raise ValueError(error.message) from None


def _renamed(kind: str, columns: Iterable[tuple[str, str]]) -> list[Column]:
    return [F.col(_quoted(column)).alias(kind + name) for name, column in columns]


def _text(what: Mapping[str, str]) -> Column:
    """The values of a row as text, which orders the crops of an image and is part of their names."""
    if not what:
        return F.lit("{}")
    return F.to_json(F.struct(*[F.col(_quoted(what[name])).alias(name) for name in sorted(what)]))


def _quoted(name: str) -> str:
    """A column's name, which may contain dots."""
    return "`" + name.replace("`", "``") + "`"
