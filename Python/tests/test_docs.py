"""The examples in docs/python/dask-and-ray.md work as printed."""

from __future__ import annotations

import re
import types
from pathlib import Path

import pytest
from conftest import encoded

import cropkit

PAGE = Path(__file__).resolve().parents[2] / "docs/python/dask-and-ray.md"


def shown(part: str) -> types.ModuleType:
    """The code under a heading of the page, as a module."""
    found = re.search(rf"^## {part}\n.*?^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    module = types.ModuleType(f"shown_{part.lower()}")
    exec(compile(found[1], str(PAGE), "exec"), module.__dict__)
    return module


@pytest.fixture
def rows(files):
    """A table with crops of objects, one of which is missing."""
    for number in range(3):
        files.pipe_file(f"bucket/in/{number}.jpg", encoded(number))
    of = [(number, box) for number in range(4) for box in range(2)]
    return {
        "input": [f"s3://bucket/in/{number}.jpg" for number, _ in of],
        "output": [f"s3://bucket/out/{number}-{box}.jpg" for number, box in of],
        "x": [16 * box for _, box in of],
        "y": [0] * 8,
        "width": [32] * 8,
        "height": [32] * 8,
    }


def check(files, reported, skipped):
    assert list(reported["ok"]) == [True] * 6 + [False] * 2
    assert list(reported["skipped"]) == [skipped] * 6 + [False] * 2
    assert "s3://bucket/in/3.jpg: no such object" in list(reported["message"])[-1]
    assert {name: files.cat_file(name) for name in files.find("bucket/out")} == {
        f"bucket/out/{number}-{box}.jpg": cropkit.crop_bytes(encoded(number), rect=(16 * box, 0, 32, 32))
        for number in range(3)
        for box in range(2)
    }


@pytest.mark.thorough
def test_the_code_for_dask_crops_objects(files, options, rows):
    pytest.importorskip("dask.dataframe")
    import dask.dataframe
    import pandas

    boxes = dask.dataframe.from_pandas(pandas.DataFrame(rows), npartitions=2)
    report = shown("Dask").report(boxes, storage_options=options)
    check(files, report.compute(scheduler="threads"), skipped=False)
    check(files, report.compute(scheduler="processes", num_workers=1), skipped=True)


@pytest.mark.thorough
def test_the_code_for_ray_crops_objects(files, options, rows):
    check(files, shown("Ray").Cut(storage_options=options)(rows), skipped=False)
