"""The job: a frame of crops in, a frame of what became of them out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from pyspark.sql import functions as F
from pyspark.sql.types import StructField, StructType

from .._crop import OPTIONS, HowButRect
from .._crop import WHAT as WORDS
from . import _names, _report
from ._plan import partitioned
from ._store import Files, Store
from ._task import KEPT, NAME, WHAT, Task

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from typing_extensions import Unpack


def crop_files(
    frame: DataFrame,
    *,
    output: str,
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
    **how: Unpack[HowButRect],
) -> DataFrame:
    """Cuts a part out of a picture for each row of a frame.

    The frame is looked through at once, to share pictures out among tasks; crops are made when the report is
    used, and each time it is. So write it, or cache it.

    Args:
        frame: One row for each crop.
        output: What results are called. `{sha}` is the SHA-256 of the picture's name, `{stem}` that name without
            folder and extension, `{index}` the place of the crop among those of its picture, `{what}` stands for
            what is cut and how, and any other field for the column of that name. It must be another one for
            each row.
        input: The column of the pictures' names. Those that are not absolute are relative to the folder of the
            driver, as is the output.
        rect: The column of the rectangles: four numbers, a struct of x, y, width and height, or a text as for
            `--rect`. None if there is none.
        columns: Further columns that say what is cut or how, by the names of `How`: {"quality": "q"}.
        keep: Columns of the frame that the report has, too.
        resume: Skip what is there, made of the same picture by the same recipe and options.
        force: Replace what is there and was not.
        errors: "rows" has a row tell of each failure, "raise" fails the job at the first one.
        sizes: The column of the pictures' bytes, if there is one; the files are not looked at then.
        partitions: How many tasks; None for as many as the bytes need.
        jobs: How many crops each task works on at once; it should be Spark's `spark.task.cpus`.
        store: Where results go; files, if None.
        how: What holds for all rows.

    Returns:
        One row for each crop: the columns of `keep`, then `input`, `output`, `ok`, `skipped`, `code`, `message`,
        `format`, `width`, `height`, `bytes`, `lossless`, `cut`, `warnings` and `seconds`.

    Raises:
        ValueError: The frame lacks a column, or words contradict each other.
    """
    if not (resume or force):
        raise ValueError("a task that runs again finds its own files: without resume, say force=True")
    what = {**({"rect": rect} if rect is not None else {}), **(columns or {})}
    unknown = (set(what) | set(how)) - WORDS.keys() - OPTIONS.keys()
    if unknown:
        raise ValueError(f"a crop knows no {', '.join(sorted(unknown))}")
    named = _names.check(output, frame.columns)
    _check(frame, [input, *what.values(), *keep, *([sizes] if sizes is not None else [])])
    clash = set(keep) & set(_report.COLUMNS.names)
    if clash:
        raise ValueError(f"the report has a column {', '.join(sorted(clash))} of its own")

    folder = os.getcwd()
    lines = frame.select(
        F.col(_quoted(input)).cast("string").alias("path"),
        _text(what).alias("text"),
        *_renamed(WHAT, what.items()),
        *_renamed(NAME, [(name, name) for name in named]),
        *_renamed(KEPT, [(name, name) for name in keep]),
        *([F.col(_quoted(sizes)).alias("size")] if sizes is not None else []),
    )
    lines = partitioned(lines, "size" if sizes is not None else None, folder, partitions)
    kept = StructType([StructField(KEPT + name, frame.schema[name].dataType) for name in keep])
    task = Task(output, folder, how, store or Files(), resume, force, errors, jobs)
    report = lines.mapInArrow(task, _report.schema(kept))
    return report.withColumnsRenamed({KEPT + name: name for name in keep})


def _check(frame: DataFrame, wanted: Iterable[str]) -> None:
    missing = [name for name in wanted if name not in frame.columns]
    if missing:
        raise ValueError(f"the frame has no column {', '.join(missing)}")


def _renamed(kind: str, columns: Iterable[tuple[str, str]]) -> list[Column]:
    return [F.col(_quoted(column)).alias(kind + name) for name, column in columns]


def _text(what: Mapping[str, str]) -> Column:
    """What a row says, as text: the order of a picture's crops, and part of what names them."""
    if not what:
        return F.lit("{}")
    return F.to_json(F.struct(*[F.col(_quoted(what[name])).alias(name) for name in sorted(what)]))


def _quoted(name: str) -> str:
    """A column's name that may hold points."""
    return "`" + name.replace("`", "``") + "`"
