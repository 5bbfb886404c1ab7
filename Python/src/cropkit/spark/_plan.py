"""Distributes images among tasks: all crops of an image to one task, and equal bytes to each task."""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyarrow
from pyspark.sql import functions as F

from .. import _address
from .._errors import CropError
from .._objects import Objects
from . import _names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: The maximum and minimum number of bytes that a task reads by default. Each task costs PySpark 0.12 s of CPU time.
MOST_BYTES, LEAST_BYTES = 256 << 20, 4 << 20
#: The minimum number of tasks per core, so that none waits long for the last one.
ROUNDS = 3
#: The cost of opening an image, in bytes of reading; without it, missing images would all go to one task.
PICTURE_BYTES = 4096
#: With up to this many images, the plan is sent to each executor instead of joined.
SENT = 2_000_000
#: How many objects' sizes each core of an executor requests in parallel.
ASKED = 16


def partitioned(
    lines: DataFrame, sizes: str | None, folder: str, partitions: int | None, options: Mapping[str, Any]
) -> DataFrame:
    """The lines in partitions of equal bytes, the largest first, each with its largest image first.

    Args:
        lines: With the column `path`, and `text` to order the crops of one image by.
        sizes: The column of the images' sizes; None to check the files.
        folder: The folder of relative paths.
        partitions: How many; None to choose by the number of bytes.
        options: Options for fsspec's file systems.
    """
    spark = lines.sparkSession
    keyed = lines.withColumn("key", F.xxhash64("path"))
    plan = _plan(spark, _bytes(keyed, sizes, folder, options), partitions)
    count = plan.column("part").to_pylist()[-1] + 1 if plan.num_rows else 1
    placed = spark.createDataFrame(plan.drop_columns(["part"]))
    if plan.num_rows <= SENT:
        placed = F.broadcast(placed)
    return (
        keyed.join(placed, "key")
        .repartition(count, "place")
        .sortWithinPartitions(F.desc("weight"), "path", "text")
        .drop("key", "place", "weight")
    )


def _bytes(keyed: DataFrame, sizes: str | None, folder: str, options: Mapping[str, Any]) -> dict[int, int]:
    """The number of bytes of each image by its key."""
    if sizes is not None:
        found = keyed.groupBy("key").agg(F.max(sizes).cast("long").alias("bytes"))
    else:

        def look(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
            objects = Objects(options)
            with ThreadPoolExecutor(ASKED) as threads:
                for batch in batches:
                    paths = batch.column("path").to_pylist()
                    bytes = list(threads.map(lambda path: _size(path, folder, objects), paths))
                    yield pyarrow.record_batch([batch.column("key"), pyarrow.array(bytes, "int64")], ["key", "bytes"])

        found = keyed.select("key", "path").distinct().mapInArrow(look, "key long, bytes long")
    table = found.toArrow()
    return dict(zip(table.column("key").to_pylist(), table.column("bytes").to_pylist(), strict=True))


def _size(path: str | None, folder: str, objects: Objects) -> int:
    """The size of a file or object; 0 if it can't be read, which its row will report."""
    try:
        if path is not None and _address.scheme(path) is not None:
            info = objects.info(objects.place(path))
            return info.size or 0 if info is not None else 0
        return os.stat(_names.local(path or "", folder)).st_size
    except (CropError, OSError, ValueError):
        return 0


def _plan(spark: SparkSession, bytes: dict[int, int], partitions: int | None) -> pyarrow.Table:
    """The part of each key, a value that Spark places in that part, and its weight; sorted by part."""
    keys = list(bytes)
    weights = [(bytes[key] or 0) + PICTURE_BYTES for key in keys]
    wanted = task_count(sum(weights), spark.sparkContext.defaultParallelism)
    count = max(1, min(partitions or wanted, len(keys)))
    parts = shared_out(weights, count)
    places = values_for_parts(count)
    order = sorted(range(len(keys)), key=parts.__getitem__)
    columns = {
        "key": [keys[item] for item in order],
        "place": [places[parts[item]] for item in order],
        "weight": [weights[item] for item in order],
        "part": [parts[item] for item in order],
    }
    return pyarrow.table({name: pyarrow.array(values, "int64") for name, values in columns.items()})


def task_count(bytes: int, cores: int) -> int:
    """The number of tasks for this many bytes: a multiple of the cores, unless there are few bytes."""
    rounds = max(ROUNDS, -(-bytes // (cores * MOST_BYTES)))
    return min(rounds * cores, max(cores, bytes // LEAST_BYTES))


def shared_out(weights: Sequence[int], count: int) -> list[int]:
    """The part for each weight: the largest weight first, each goes to the lightest part. Part 0 is the heaviest."""
    parts = [0] * len(weights)
    least = [(0, part) for part in range(count)]
    for item in sorted(range(len(weights)), key=lambda item: -weights[item]):
        total, part = least[0]
        parts[item] = part
        heapq.heapreplace(least, (total + weights[item], part))
    # Spark starts with the first partitions.
    rank = {part: place for place, (_, part) in enumerate(sorted(least, key=lambda one: (-one[0], one[1])))}
    return [rank[part] for part in parts]


def values_for_parts(count: int) -> list[int]:
    """For each partition, a number that Spark's `repartition` places there."""
    found: dict[int, int] = {}
    value = 0
    while len(found) < count:
        found.setdefault(murmur3(value) % count, value)
        value += 1
    return [found[part] for part in range(count)]


def murmur3(value: int) -> int:
    """The result of Spark's `hash` for a non-negative long: MurmurHash3, 32 bits, of its two halves, seed 42."""
    hash = 42
    for half in (value & 0xFFFFFFFF, value >> 32):
        hash ^= (_turned(half * 0xCC9E2D51, 15) * 0x1B873593) & 0xFFFFFFFF
        hash = (_turned(hash, 13) * 5 + 0xE6546B64) & 0xFFFFFFFF
    hash ^= 8
    hash = ((hash ^ hash >> 16) * 0x85EBCA6B) & 0xFFFFFFFF
    hash = ((hash ^ hash >> 13) * 0xC2B2AE35) & 0xFFFFFFFF
    hash ^= hash >> 16
    return hash - (1 << 32) if hash >> 31 else hash


def _turned(value: int, bits: int) -> int:
    value &= 0xFFFFFFFF
    return (value << bits | value >> (32 - bits)) & 0xFFFFFFFF
