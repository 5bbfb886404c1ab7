"""What a task does with its rows: one process of the program, one line a row."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow

from .._crop import Crop, How, HowButRect
from .._errors import CropError
from .._pool import Pool
from .._result import Result
from . import _names, _report
from ._store import Store

#: Rows of the report that are handed on at once.
ROWS = 256

#: What begins the names of a task's columns: what says what to cut, what names results, what the report keeps.
WHAT, NAME, KEPT = "what:", "name:", "kept:"


class RowCrop(Crop):
    """The crop of a row."""

    __slots__ = ("name", "row")

    def __init__(self, path: str, place: str | None, how: How, name: str, row: dict[str, Any]) -> None:
        super().__init__(path, place, **how)
        #: The name that the job gave to the result.
        self.name = name
        self.row = row


@dataclass(frozen=True)
class Task:
    """What all tasks of a job have in common; sent to the executors.

    Args:
        pattern: What results are called.
        folder: What names are relative to.
        how: What holds for all rows.
        jobs: How many crops a task works on at once.
    """

    pattern: str
    folder: str
    how: HowButRect
    store: Store
    resume: bool
    force: bool
    errors: Literal["rows", "raise"]
    jobs: int

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        batches = iter(batches)
        first = next(batches, None)
        if first is None:
            return
        kept = [field for field in first.schema if field.name.startswith(KEPT)]
        reports: list[dict[str, Any]] = []
        for report in self._reports(_indexed(itertools.chain([first], batches))):
            reports.append(report)
            if len(reports) == ROWS:
                yield _report.batch(kept, reports)
                reports = []
        if reports:
            yield _report.batch(kept, reports)

    def _reports(self, rows: Iterator[tuple[dict[str, Any], int]]) -> Iterator[dict[str, Any]]:
        """What became of each row, which is part of it."""
        refused: list[tuple[dict[str, Any], CropError]] = []

        def crops() -> Iterator[RowCrop]:
            for row, index in rows:
                try:
                    yield self._crop(row, index)
                except CropError as error:
                    refused.append((row, error))

        with Pool(self.jobs, force=self.force, resume=self.resume) as pool:
            yield from self._carried_out(pool, crops())
        for row, error in refused:
            self._raise(error)
            yield row | _report.row(row["path"], None, error)

    def _carried_out(self, pool: Pool, crops: Iterator[RowCrop]) -> Iterator[dict[str, Any]]:
        twice: list[RowCrop] = []
        for outcome in pool.map(crops, ordered=False, errors="return"):
            crop = outcome.crop
            assert isinstance(crop, RowCrop)
            if self.resume and isinstance(outcome, CropError) and outcome.code == "output-exists":
                twice.append(crop)
                continue
            yield self._report(crop, outcome)
        if twice:
            # Another run of the same task may just have written them; then they are found to be done.
            with Pool(self.jobs, resume=True) as again:
                for outcome in again.map(twice, errors="return"):
                    assert isinstance(outcome.crop, RowCrop)
                    yield self._report(outcome.crop, outcome)

    def _crop(self, row: dict[str, Any], index: int) -> RowCrop:
        """What a row asks for.

        Raises:
            CropError: That is nothing that can be done.
        """
        path = row["path"]
        if path is None:
            raise CropError("usage", "the row names no picture", 64)
        how: dict[str, Any] = {**self.how, **_how(_part(row, WHAT))}
        names = _part(row, NAME)
        missing = [name for name, value in names.items() if value is None]
        if missing:
            raise CropError("usage", f"the row has no {missing[0]}, which the output's name needs", 64)
        text = json.dumps([row["text"], dict(self.how)], sort_keys=True, default=str)
        name = _names.output(self.pattern, path, text, index, names)
        name = _names.local(name, self.folder)
        try:
            place = self.store.place(name)
        except OSError as error:
            raise CropError("output-uncreatable", f"{name}: {error.strerror or error}", 73) from error
        return RowCrop(_names.local(path, self.folder), place, How(**how), name, row)  # type: ignore[typeddict-item]

    def _report(self, crop: RowCrop, outcome: Result | CropError) -> dict[str, Any]:
        if isinstance(outcome, Result) and outcome.data is not None:
            try:
                self.store.write(crop.name, outcome.data)
            except OSError as error:
                outcome = CropError("write-failed", f"{crop.name}: {error.strerror or error}", 74, crop)
        if isinstance(outcome, CropError):
            self._raise(outcome)
        return crop.row | _report.row(crop.row["path"], crop.name, outcome)

    def _raise(self, error: CropError) -> None:
        if self.errors == "raise":
            raise error


def _indexed(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[tuple[dict[str, Any], int]]:
    """Each row with its place among those of its picture, which follow each other."""
    path, index = None, 0
    for batch in batches:
        for row in batch.to_pylist():
            index = index + 1 if row["path"] == path else 0
            path = row["path"]
            yield row, index


def _part(row: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The columns of one kind under their names in the frame."""
    return {name.removeprefix(kind): value for name, value in row.items() if name.startswith(kind)}


def _how(what: Mapping[str, Any]) -> dict[str, Any]:
    """What the columns of a row say; what is null says nothing."""
    return {name: _plain(name, value) for name, value in what.items() if value is not None}


def _plain(name: str, value: Any) -> Any:
    """A rectangle or size that is a struct, or a recipe that is text, as Python has it."""
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
