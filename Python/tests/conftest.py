"""Generated test images, and the programs of CROPKIT_BIN."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
from PIL import Image
from s3server import files, options, server

__all__ = ["files", "options", "server"]

BIN = os.environ.get("CROPKIT_BIN", str(Path(__file__).resolve().parents[2] / "bin"))
os.environ.setdefault("CROPKIT_PROGRAM", os.path.join(os.path.abspath(BIN), "cropkit"))

# Spark would otherwise start the first Python on the path.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

Photo = Callable[..., Path]


def pixels(seed: int = 0, width: int = 320, height: int = 240) -> numpy.ndarray:
    """An image that is neither flat nor noise, a different one for each seed."""
    y, x = numpy.mgrid[0:height, 0:width]
    grain = numpy.random.default_rng(seed).integers(0, 24, (height, width, 3))
    waves = numpy.dstack([numpy.sin(x / (7 + seed)), numpy.cos(y / 11), numpy.sin((x + y) / 23)])
    return (waves * 100 + 115 + grain).clip(0, 255).astype(numpy.uint8)


def encoded(seed: int = 0, width: int = 320, height: int = 240, format: str = "jpeg") -> bytes:
    file = io.BytesIO()
    how = {"quality": 90} if format == "jpeg" else {}
    Image.fromarray(pixels(seed, width, height)).save(file, format, **how)
    return file.getvalue()


@pytest.fixture
def photo(tmp_path: Path) -> Photo:
    """Writes a JPEG of 320 by 240 pixels; its blocks are 16 pixels wide and high."""

    def write(name: str = "photo.jpg", **how: int) -> Path:
        path = tmp_path / name
        path.write_bytes(encoded(**how))
        return path

    return write


@pytest.fixture(scope="session")
def spark():
    """A session of Spark in processes of this machine."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
