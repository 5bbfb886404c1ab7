"""Processes the rows of a task: one process of the program, one line per row."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pyarrow

from .. import _address
from .._crop import Crop
from .._errors import CropError
from .._options import How, HowButRect
from .._pool import Pool
from .._result import Result
from . import _names, _report
from ._store import Files, Store

#: The maximum number of report rows per batch, and of bytes of their results.
ROWS, BYTES = 256, 16 << 20
#: How many rows to take from a batch at a time.
TAKEN = 32

#: The prefixes of a task's columns: for options, for the result's name, and for the report.
WHAT, NAME, KEPT = "what:", "name:", "kept:"
#: The column of images as bytes; then `path` is null.
PICTURE = "picture"


class RowCrop(Crop):
    """The crop of a row."""

    __slots__ = ("name", "row")

    def __init__(self, source: str | bytes, place: str | None, how: How, name: str | None, row: dict[str, Any]) -> None:
        super().__init__(source, place, **how)
        #: The name of the result; None if it goes into the report.
        self.name = name
        self.row = row


@dataclass(frozen=True)
class Task:
    """The shared settings of a job's tasks; sent to the executors.

    Args:
        pattern: The names of results; None to put them into the report.
        folder: The folder of relative names.
        how: Options for all rows.
        jobs: How many crops a task runs in parallel.
        options: Options for fsspec's file systems; may contain passwords.
        transfers: How many crops of objects are in flight.
    """

    pattern: str | None
    folder: str
    how: HowButRect
    store: Store
    resume: bool
    force: bool
    errors: Literal["rows", "raise"]
    jobs: int
    options: Mapping[str, Any] = field(repr=False)
    transfers: int | None

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        batches = iter(batches)
        first = next(batches, None)
        if first is None:
            return
        kept = [field for field in first.schema if field.name.startswith(KEPT)]
        reports: list[dict[str, Any]] = []
        size = 0
        for report in self._reports(_indexed(itertools.chain([first], batches))):
            reports.append(report)
            size += len(report.get("data") or b"")
            if len(reports) == ROWS or size >= BYTES:
                yield _report.batch(kept, reports, self.pattern is None)
                reports, size = [], 0
        if reports:
            yield _report.batch(kept, reports, self.pattern is None)

    def _reports(self, rows: Iterator[tuple[dict[str, Any], int]]) -> Iterator[dict[str, Any]]:
        """The outcome of each row, as part of the row."""
        refused: list[tuple[dict[str, Any], CropError]] = []

        def crops() -> Iterator[RowCrop]:
            for row, index in rows:
                picture = row.pop(PICTURE, None)
                if picture is not None:
                    row["path"] = "sha256:" + hashlib.sha256(picture).hexdigest()
                try:
                    yield self._crop(row, picture, index)
                except CropError as error:
                    refused.append((row, error))

        with Pool(
            self.jobs,
            force=self.force,
            resume=self.resume,
            storage_options=self.options,
            transfers=self.transfers,
        ) as pool:
            yield from self._carried_out(pool, crops())
        for row, error in refused:
            self._raise(error)
            yield row | _report.row(row["path"], None, error)

    def _carried_out(self, pool: Pool, crops: Iterator[RowCrop]) -> Iterator[dict[str, Any]]:
        twice: list[RowCrop] = []
        for outcome in pool.map(crops, ordered=False, errors="return"):
            crop = outcome.crop
            assert isinstance(crop, RowCrop)
            if self._may_be_done(outcome):
                twice.append(crop)
                continue
            yield self._report(crop, outcome)
        if twice:
            # Another run of the same task may just have written them; then they are skipped.
            with Pool(self.jobs, resume=True, storage_options=self.options) as again:
                for outcome in again.map(twice, errors="return"):
                    assert isinstance(outcome.crop, RowCrop)
                    yield self._report(outcome.crop, outcome)

    def _may_be_done(self, outcome: Result | CropError) -> bool:
        """Whether a file already existed, which another run of the task may have written; a pool handles this for
        objects."""
        if not (self.resume and isinstance(outcome, CropError) and outcome.code == "output-exists"):
            return False
        return outcome.crop is not None and _address.scheme(outcome.crop.output) is None

    def _crop(self, row: dict[str, Any], picture: bytes | None, index: int) -> RowCrop:
        """The crop of a row.

        Raises:
            CropError: The row is invalid.
        """
        path = row["path"]
        if path is None:
            raise CropError("usage", "the row has no image", 64)
        how: dict[str, Any] = {**self.how, **_how(_part(row, WHAT))}
        names = _part(row, NAME)
        missing = [name for name, value in names.items() if value is None]
        if missing:
            raise CropError("usage", f"the row has no {missing[0]}, which the output's name needs", 64)
        text = json.dumps([row["text"], dict(self.how)], sort_keys=True, default=str)
        try:
            source = picture if picture is not None else _names.found(path, self.folder)
            if self.pattern is None:
                return RowCrop(source, None, How(**how), None, row)  # type: ignore[typeddict-item]
            name = _names.output(self.pattern, picture or path, text, index, names)
            if isinstance(self.store, Files) or not _address.is_foreign(name):
                name = _names.found(name, self.folder)
        except ValueError as error:
            raise CropError("usage", str(error), 64) from error
        try:
            is_object = isinstance(self.store, Files) and _address.scheme(name) is not None
            place = name if is_object else self.store.place(name)
        except OSError as error:
            raise CropError("output-uncreatable", f"{name}: {error.strerror or error}", 73) from error
        return RowCrop(source, place, How(**how), name, row)  # type: ignore[typeddict-item]

    def _report(self, crop: RowCrop, outcome: Result | CropError) -> dict[str, Any]:
        if isinstance(outcome, Result) and outcome.data is not None and crop.name is not None:
            try:
                self.store.write(crop.name, outcome.data)
                outcome = dataclasses.replace(outcome, data=None)
            except OSError as error:
                outcome = CropError("write-failed", f"{crop.name}: {error.strerror or error}", 74, crop)
        if isinstance(outcome, CropError):
            self._raise(outcome)
        return crop.row | _report.row(crop.row["path"], crop.name, outcome)

    def _raise(self, error: CropError) -> None:
        if self.errors == "raise":
            raise error


def _indexed(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[tuple[dict[str, Any], int]]:
    """Each row with its index among those of its image; rows of images with names are sorted by image."""
    path, index = None, 0
    for batch in batches:
        for start in range(0, batch.num_rows, TAKEN):
            for row in batch.slice(start, TAKEN).to_pylist():
                index = index + 1 if row["path"] == path else 0
                path = row["path"]
                yield row, index


def _part(row: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The columns with a prefix, under their names in the frame."""
    return {name.removeprefix(kind): value for name, value in row.items() if name.startswith(kind)}


def _how(what: Mapping[str, Any]) -> dict[str, Any]:
    """The options in the columns of a row; null means unset."""
    return {name: _plain(name, value) for name, value in what.items() if value is not None}


def _plain(name: str, value: Any) -> Any:
    """The Python value for a rectangle or size that is a struct, or a recipe that is text."""
    if name == "rect" and isinstance(value, Mapping):
        return [value[key] for key in ("x", "y", "width", "height")]
    if name == "size" and isinstance(value, Mapping):
        return value["width"], value["height"]
    if name == "recipe" and isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError as error:
            raise CropError("invalid-recipe", f"the recipe is no JSON: {error}", 64) from error
    return value
