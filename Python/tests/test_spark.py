"""Small Spark jobs in processes of this machine."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest
from conftest import encoded

pytest.importorskip("pyspark")

import pyarrow
from pyspark.sql import functions as F

from cropkit.spark import Files, _names, crop_files
from cropkit.spark._plan import murmur3, shared_out, task_count, values_for_parts
from cropkit.spark._task import Task

pytestmark = pytest.mark.thorough


@pytest.fixture
def photos(tmp_path):
    for number in range(6):
        (tmp_path / f"{number}.jpg").write_bytes(encoded(number, 160 + 16 * number, 112))
    (tmp_path / "broken.jpg").write_bytes(encoded()[:900])
    return tmp_path


def frame(spark, photos, names=tuple(f"{number}.jpg" for number in range(6))):
    rows = [(f"{photos}/{name}", [16 * box, 0, 32, 32], f"{name}-{box}") for name in names for box in range(3)]
    return spark.createDataFrame(rows, "path string, box array<int>, id string")


def test_each_row_becomes_a_file_and_a_row(spark, photos):
    report = crop_files(frame(spark, photos), output=f"{photos}/out/{{sha}}/{{index}}.jpg", keep=["id"])
    rows = report.collect()
    assert len(rows) == 18
    assert all(row.ok and row.lossless and not row.skipped and (row.width, row.height) == (32, 32) for row in rows)
    assert {row.id for row in rows} == {f"{number}.jpg-{box}" for number in range(6) for box in range(3)}
    for row in rows:
        folder = hashlib.sha256(row.input.encode()).hexdigest()
        assert Path(row.output).parent == photos / "out" / folder
        assert Path(row.output).stat().st_size == row.bytes
        assert row.cut.asDict() == {"x": 16 * int(row.id[-1]), "y": 0, "width": 32, "height": 32}
    assert len({row.output for row in rows}) == 18


def test_a_second_run_skips_all_and_writes_nothing(spark, photos):
    job = {"output": f"{photos}/out/{{stem}}-{{id}}.jpg", "rect": "box"}
    crop_files(frame(spark, photos), **job).count()
    crop_files(frame(spark, photos), **job).collect()
    times = {path: path.stat().st_mtime_ns for path in (photos / "out").iterdir()}
    again = crop_files(frame(spark, photos), **job).collect()
    assert len(times) == 18
    assert all(row.ok and row.skipped for row in again)
    assert {path: path.stat().st_mtime_ns for path in (photos / "out").iterdir()} == times


def test_a_task_that_skips_all_starts_no_process(photos, monkeypatch):
    rows = [{"path": f"{photos}/{name}.jpg", "text": "{}", "what:rect": "0,0,16,16"} for name in range(3)]
    batch = pyarrow.RecordBatch.from_pylist(rows)
    task = Task(f"{photos}/out/{{stem}}.jpg", str(photos), {}, Files(), True, False, "rows", 1, {}, None)
    started = []
    start = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **how: started.append(a) or start(*a, **how))
    skipped = [[row["skipped"] for report in task([batch]) for row in report.to_pylist()] for _ in range(2)]
    assert skipped == [[False] * 3, [True] * 3]
    assert len(started) == 1


def test_other_existing_outputs_are_kept_unless_forced(spark, photos):
    one = frame(spark, photos, ["0.jpg"])
    crop_files(one, output=f"{photos}/out/{{id}}.png").collect()
    refused = crop_files(one, output=f"{photos}/out/{{id}}.png", max_side=8).collect()
    assert [row.code for row in refused] == ["output-exists"] * 3
    forced = crop_files(one, output=f"{photos}/out/{{id}}.png", max_side=8, force=True).collect()
    assert [(row.ok, row.width) for row in forced] == [(True, 8)] * 3


def test_failures_are_rows(spark, photos):
    rows = [
        (f"{photos}/0.jpg", "0,0,16,16", "good"),
        (f"{photos}/missing.jpg", "0,0,16,16", "missing"),
        (f"{photos}/broken.jpg", "0,0,16,16", "broken"),
        (f"{photos}/0.jpg", "9000,0,16,16", "outside"),
        (f"{photos}/0.jpg", "nonsense", "nonsense"),
        (None, "0,0,16,16", "nameless"),
        (f"{photos}/0.jpg", "16,0,16,16", None),
    ]
    boxes = spark.createDataFrame(rows, "path string, box string, id string")
    report = crop_files(boxes, output=f"{photos}/out/{{id}}.jpg", keep=["id"]).collect()
    codes = {row.id: row.code for row in report}
    assert len(report) == 7
    assert codes.pop("broken") in ("corrupt", "truncated")
    assert codes == {
        "good": None,
        "missing": "input-missing",
        "outside": "invalid-recipe",
        "nonsense": "usage",
        "nameless": "usage",
        None: "usage",
    }
    assert [path.name for path in (photos / "out").iterdir()] == ["good.jpg"]
    assert all(row.message for row in report if not row.ok)


def test_a_failure_ends_the_job_if_asked(spark, photos):
    job = crop_files(frame(spark, photos, ["missing.jpg"]), output=f"{photos}/{{id}}.jpg", errors="raise")
    with pytest.raises(Exception, match="no such file"):
        job.collect()


def test_columns_and_options_define_the_crop(spark, photos):
    rows = [(f"{photos}/{number}.jpg", 10 * (number + 1)) for number in range(3)]
    report = crop_files(
        spark.createDataFrame(rows, "name string, side int"),
        input="name",
        rect=None,
        columns={"max_side": "side"},
        aspect="1:1",
        output=f"{photos}/out/{{stem}}-{{what}}.png",
    ).collect()
    assert sorted((row.width, row.height, row.format) for row in report) == [
        (10, 10, "png"), (20, 20, "png"), (30, 30, "png"),
    ]  # fmt: skip


def test_a_rectangle_may_be_a_struct_and_an_address_a_file(spark, photos):
    rows = [(f"file://{photos}/0.jpg", (0, 16, 32, 48))]
    sides = "x int, y int, width int, height int"
    boxes = spark.createDataFrame(rows, f"path string, box struct<{sides.replace(' int', ': int')}>")
    (row,) = crop_files(boxes, output=f"{photos}/out/{{index}}.jpg").collect()
    assert (row.ok, row.width, row.height) == (True, 32, 48)


def test_crops_of_one_image_are_in_one_partition(spark, photos):
    wide = frame(spark, photos).repartition(7)
    report = crop_files(wide, output=f"{photos}/out/{{id}}.jpg", partitions=3)
    parts = report.select("input", F.spark_partition_id().alias("part")).collect()
    assert len(set(parts)) == 6
    assert {part for _, part in parts} == {0, 1, 2}


def store_in(folder, full_at="nothing"):
    # Executors could not import a class of this module.
    class Kept:
        def place(self, name):
            return None

        def write(self, name, data):
            if name.endswith(full_at):
                raise OSError(28, "No space left on device")
            Path(folder, name.replace("/", "_")).write_bytes(data)

    folder.mkdir()
    return Kept()


def test_a_store_may_take_bytes(spark, photos):
    store = store_in(photos / "store", full_at="1.jpg-1.jpg")
    report = crop_files(frame(spark, photos), output=f"{photos}/{{id}}.jpg", store=store, keep=["id"]).collect()
    assert {row.id: row.code for row in report if not row.ok} == {"1.jpg-1": "write-failed"}
    crop_files(frame(spark, photos), output=f"{photos}/out/{{id}}.jpg").collect()
    for path in (photos / "store").iterdir():
        assert path.read_bytes() == (photos / "out" / path.name.rpartition("_")[2]).read_bytes()
    assert len(list((photos / "store").iterdir())) == 17


def test_invalid_arguments_are_reported_before_any_work(spark, photos):
    boxes = frame(spark, photos)
    with pytest.raises(ValueError, match="no column frame"):
        crop_files(boxes, rect="frame", output="{index}.jpg")
    with pytest.raises(ValueError, match="a field before ://"):
        crop_files(boxes, output="f{index}://bucket/{index}.jpg")
    with pytest.raises(ValueError, match="jobs must be a whole number from 1 to 256, not 0"):
        crop_files(boxes, output="{index}.jpg", jobs=0)
    with pytest.raises(ValueError, match="unknown fields: color"):
        crop_files(boxes, output="{color}.jpg")
    with pytest.raises(ValueError, match="force=True"):
        crop_files(boxes, output="{index}.jpg", resume=False)
    with pytest.raises(ValueError, match="column input already"):
        crop_files(boxes.withColumn("input", F.lit(1)), output="{index}.jpg", keep=["input"])


@pytest.mark.parametrize("out", ["nothing://bucket/{index}.jpg", "HDFS:/out/{index}.jpg", "file://host/{index}.jpg"])
def test_an_output_that_can_t_be_reached_is_refused_before_the_job(spark, photos, monkeypatch, out):
    monkeypatch.chdir(photos)
    before = sorted(photos.iterdir())
    with pytest.raises(ValueError, match=out.partition("{")[0]):
        crop_files(frame(spark, photos), output=out)
    named = frame(spark, photos).withColumn("out", F.lit(out))
    with pytest.raises(ValueError, match=out.partition("{")[0]):
        crop_files(named, output="{out}")
    assert sorted(photos.iterdir()) == before


@pytest.mark.parametrize("sizes", [None, "size"])
def test_an_input_that_can_t_be_reached_is_refused_before_the_job(spark, photos, sizes):
    rows = [(f"file:{photos}/0.jpg", 1), ("nothing://bucket/a.jpg", 1), (None, 1)]
    boxes = spark.createDataFrame(rows, "path string, size long")
    with pytest.raises(ValueError, match=r"nothing://bucket/a\.jpg: fsspec knows no URLs"):
        crop_files(boxes, rect=None, output=f"{photos}/{{index}}.jpg", sizes=sizes)


def test_a_store_may_have_addresses(spark, photos):
    crop_files(frame(spark, photos), output="s3a://b/{id}.jpg", store=store_in(photos / "store")).collect()
    assert "s3a:__b_0.jpg-0.jpg" in [path.name for path in (photos / "store").iterdir()]


def test_a_pattern_that_is_a_column_name_is_rejected(spark, photos):
    named = frame(spark, photos).withColumn("out", F.lit("x"))
    with pytest.raises(ValueError, match=r"write output='\{out\}'"):
        crop_files(named, output="out")


def test_partitions_have_equal_bytes_and_the_heaviest_is_first():
    weights = [7, 100, 3, 50, 50, 40, 1, 9]
    parts = shared_out(weights, 3)
    sums = [sum(weight for weight, part in zip(weights, parts, strict=True) if part == one) for one in range(3)]
    # 100; 50 and 40; 50, 9, 7, 3 and 1: each goes to the lightest part.
    assert sums == [100, 90, 70]
    assert parts[1] == 0


def test_the_number_of_tasks_suits_the_cores_and_the_bytes():
    # 4 GiB on two cores need eight rounds of 256 MiB each; 100 MiB three rounds; 20 MiB one task per 4 MiB.
    counts = [task_count(size << 20, 2) for size in (0, 10, 20, 100, 4096)]
    assert counts == [2, 2, 5, 6, 16]


def test_numbers_are_in_the_partitions_that_spark_chooses(spark):
    numbers = [0, 1, 2, 41, 1 << 31, 1 << 40, (1 << 63) - 1]
    rows = spark.createDataFrame([(number,) for number in numbers], "id long").select(F.hash("id")).collect()
    assert [row[0] for row in rows] == [murmur3(number) for number in numbers]
    values = values_for_parts(17)
    placed = spark.createDataFrame([(value,) for value in values], "id long").repartition(17, "id")
    parts = dict(placed.select("id", F.spark_partition_id()).collect())
    assert [parts[value] for value in values] == list(range(17))


def test_names_are_functions_of_the_row():
    name = _names.output("{sha}/{stem}-{index:04}-{what}-{id}", "/a/b.c.jpg", "text", 7, {"id": 3})
    sha, what = (hashlib.sha256(text).hexdigest() for text in (b"/a/b.c.jpg", b"text"))
    assert name == f"{sha}/b.c-0007-{what[:16]}-3"
    assert _names.output("{index}", "a", "", 7, {"index": "mine"}) == "mine"
    assert _names.local("file:///a%20b.jpg", "/x") == "/a b.jpg"
    assert _names.local("a.jpg", "/x") == "/x/a.jpg"
    with pytest.raises(ValueError, match="not a name"):
        _names.check("{0}", [])
