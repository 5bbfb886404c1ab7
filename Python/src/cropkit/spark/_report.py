"""The report: one row per crop, whatever its outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow
from pyspark.sql.types import StructType

from .. import _address
from .._errors import CropError
from .._result import Result

COLUMNS = pyarrow.schema(
    [
        ("input", pyarrow.string()),
        ("output", pyarrow.string()),
        ("ok", pyarrow.bool_()),
        ("skipped", pyarrow.bool_()),
        ("code", pyarrow.string()),
        ("message", pyarrow.string()),
        ("format", pyarrow.string()),
        ("width", pyarrow.int32()),
        ("height", pyarrow.int32()),
        ("bytes", pyarrow.int64()),
        ("lossless", pyarrow.bool_()),
        (
            "cut",
            pyarrow.struct([(name, pyarrow.float64()) for name in ("x", "y", "width", "height")]),
        ),
        ("warnings", pyarrow.list_(pyarrow.string())),
        ("seconds", pyarrow.float64()),
    ]
)

#: The same for Spark.
SCHEMA = (
    "input string, output string, ok boolean, skipped boolean, code string, message string, format string, "
    "width int, height int, bytes long, lossless boolean, "
    "cut struct<x: double, y: double, width: double, height: double>, warnings array<string>, seconds double"
)


#: The column of results that are not written to files or objects.
DATA = pyarrow.field("data", pyarrow.binary())


def schema(kept: StructType, has_data: bool) -> StructType:
    """The report's columns after those that are copied from the frame."""
    own = StructType.fromDDL(SCHEMA + (", data binary" if has_data else ""))
    assert isinstance(own, StructType)
    return StructType([*kept.fields, *own.fields])


def row(input: str | None, output: str | None, outcome: Result | CropError) -> dict[str, Any]:
    """The outcome of a crop, by column."""
    fields: dict[str, Any] = {"input": _shown(input), "output": _shown(output)}
    if isinstance(outcome, CropError):
        return fields | {"ok": False, "skipped": False, "code": outcome.code, "message": outcome.message}
    return fields | {
        "ok": True,
        "skipped": outcome.skipped,
        "format": outcome.format,
        "width": outcome.width,
        "height": outcome.height,
        "bytes": outcome.byte_count,
        "lossless": outcome.lossless,
        "cut": outcome.rect._asdict() if outcome.rect else None,
        "warnings": [warned.message for warned in outcome.warnings],
        "seconds": outcome.seconds,
        "data": outcome.data,
    }


def _shown(name: str | None) -> str | None:
    return name if name is None or _address.scheme(name) is None else _address.masked(name)


def batch(kept: Sequence[pyarrow.Field], reports: Sequence[dict[str, Any]], has_data: bool) -> pyarrow.RecordBatch:
    """Rows of the report, which start with the columns copied from the frame."""
    fields = [*kept, *COLUMNS, *([DATA] if has_data else [])]
    return pyarrow.record_batch(
        [pyarrow.array([one.get(field.name) for one in reports], field.type) for field in fields],
        [field.name for field in fields],
    )
