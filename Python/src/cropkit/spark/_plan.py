"""Which task cuts which pictures: all crops of one picture in one task, tasks of equal bytes."""

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

#: What a task reads at most and at least, unless told. PySpark takes 0.12 s of the processor for each.
MOST_BYTES, LEAST_BYTES = 256 << 20, 4 << 20
#: How many tasks each core has at least, so that none waits long for the last one.
ROUNDS = 3
#: What opening a picture costs, in bytes of reading; without it those that are missing would share one task.
PICTURE_BYTES = 4096
#: Up to so many pictures the plan is sent to each executor rather than joined.
SENT = 2_000_000
#: How many objects an executor's core asks for their sizes at once.
ASKED = 16


def partitioned(
    lines: DataFrame, sizes: str | None, folder: str, partitions: int | None, options: Mapping[str, Any]
) -> DataFrame:
    """The lines in partitions of equal bytes, the largest first, each with its largest picture first.

    Args:
        lines: With the column `path`, and `text` to order the crops of one picture by.
        sizes: The column of the pictures' sizes; None to look at the files.
        folder: What paths are relative to.
        partitions: How many; None for what suits the bytes.
        options: What fsspec's file systems are made with.
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
    """The bytes of each picture by its key."""
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
    """The size of a file or an object; 0 for one that can't be read, which its row tells."""
    try:
        if path is not None and _address.scheme(path) is not None:
            info = objects.info(objects.place(path))
            return info.size or 0 if info is not None else 0
        return os.stat(_names.local(path or "", folder)).st_size
    except (CropError, OSError, ValueError):
        return 0


def _plan(spark: SparkSession, bytes: dict[int, int], partitions: int | None) -> pyarrow.Table:
    """For each key its part, the value that Spark places in that part, and its weight; by part."""
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
    """How many tasks read so many bytes: as many for each core, unless they are few."""
    rounds = max(ROUNDS, -(-bytes // (cores * MOST_BYTES)))
    return min(rounds * cores, max(cores, bytes // LEAST_BYTES))


def shared_out(weights: Sequence[int], count: int) -> list[int]:
    """The part of each weight: each, the largest first, goes where least is. Part 0 is the heaviest."""
    parts = [0] * len(weights)
    least = [(0, part) for part in range(count)]
    for item in sorted(range(len(weights)), key=lambda item: -weights[item]):
        total, part = least[0]
        parts[item] = part
        heapq.heapreplace(least, (total + weights[item], part))
    # Spark begins with the first parts.
    rank = {part: place for place, (_, part) in enumerate(sorted(least, key=lambda one: (-one[0], one[1])))}
    return [rank[part] for part in parts]


def values_for_parts(count: int) -> list[int]:
    """For each of so many partitions a number that Spark's `repartition` places there."""
    found: dict[int, int] = {}
    value = 0
    while len(found) < count:
        found.setdefault(murmur3(value) % count, value)
        value += 1
    return [found[part] for part in range(count)]


def murmur3(value: int) -> int:
    """What Spark's `hash` gives for a long from 0 on: MurmurHash3, 32 bits, of its two halves, seed 42."""
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
