"""Small Spark jobs whose images and results are objects or columns of bytes."""

from __future__ import annotations

import hashlib

import pytest
from conftest import encoded
from s3server import SECRET

pytest.importorskip("pyspark")

from pyspark.sql import functions as F

import cropkit
from cropkit.spark import crop_files

pytestmark = pytest.mark.thorough


@pytest.fixture
def pictures(files, tmp_path):
    """Names of images in the store and on a disk, one of them damaged."""
    for number in range(4):
        files.pipe_file(f"bucket/in/{number}.jpg", encoded(number))
    files.pipe_file("bucket/in/broken.jpg", encoded()[:900])
    (tmp_path / "file.jpg").write_bytes(encoded(7))
    return [*(f"s3a://bucket/in/{name}.jpg" for name in (0, 1, 2, 3, "broken", "none")), f"{tmp_path}/file.jpg"]


def frame(spark, names):
    rows = [(name, [16 * box, 0, 32, 32], box) for name in names for box in range(3)]
    return spark.createDataFrame(rows, "path string, box array<int>, number int")


def test_objects_and_files_become_objects_and_rows(spark, pictures, files, options, server, capfd):
    job = {"output": "s3a://bucket/out/{stem}-{number}.jpg", "keep": ["number"], "storage_options": options}
    server[1].slow_down = 20
    reported = crop_files(frame(spark, pictures), **job).collect()
    server[1].slow_down = 0
    assert len(reported) == 21
    codes = {(row.input.rpartition("/")[2], row.code) for row in reported}
    assert {code for name, code in codes if name == "broken.jpg"} <= {"corrupt", "truncated"}
    assert ("none.jpg", "input-missing") in codes
    assert sum(row.ok for row in reported) == 15
    made = {name: files.cat_file(name) for name in files.find("bucket/out")}
    wanted = {**{str(number): encoded(number) for number in range(4)}, "file": encoded(7)}
    assert made == {
        f"bucket/out/{stem}-{box}.jpg": cropkit.crop_bytes(data, rect=(16 * box, 0, 32, 32))
        for stem, data in wanted.items()
        for box in range(3)
    }
    again = crop_files(frame(spark, pictures), **job).collect()
    assert sum(row.skipped for row in again) == 15
    assert SECRET not in "".join([*capfd.readouterr(), str(reported)])


def test_objects_become_files(spark, pictures, options, tmp_path):
    report = crop_files(
        frame(spark, pictures[:1]), output=f"{tmp_path}/out/{{sha}}/{{index}}.jpg", storage_options=options
    )
    assert [(row.ok, row.width) for row in report.collect()] == [(True, 32)] * 3
    assert len(list((tmp_path / "out").glob("*/*.jpg"))) == 3


def test_a_failure_of_an_object_ends_the_job_if_asked(spark, pictures, options):
    job = {"output": "s3a://bucket/out/{stem}-{number}.jpg", "errors": "raise", "storage_options": options}
    with pytest.raises(Exception, match="no such object"):
        crop_files(frame(spark, ["s3a://bucket/in/none.jpg"]), **job).collect()


def test_a_report_names_objects_as_the_frame_does_but_for_passwords(spark, tmp_path):
    names = ["memory://in/line\nbreak.jpg", f"memory://me:{SECRET}@in/a.jpg"]
    reported = crop_files(frame(spark, names), output=f"{tmp_path}/{{index}}.jpg").collect()
    assert {row.input for row in reported} == {names[0], "memory://***@in/a.jpg"}
    assert all(row.code == "input-missing" and row.message.isprintable() for row in reported)


def test_unreachable_addresses_are_rejected_before_the_job(spark, pictures):
    with pytest.raises(ValueError, match="nothing://"):
        crop_files(frame(spark, pictures), output="nothing://bucket/{index}.jpg")
    named = frame(spark, pictures).withColumn("path", F.lit("nothing://bucket/a.jpg"))
    with pytest.raises(ValueError, match="nothing://"):
        crop_files(named, output="/tmp/{index}.jpg")


@pytest.fixture
def small_batches(spark):
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(name, "4")
    yield
    spark.conf.unset(name)


@pytest.fixture
def pictured(spark):
    """Rows with images: three crops of each of four, one of them damaged, and a row without one."""
    pictures = [encoded(0), encoded(1), encoded()[:900], encoded(3)]
    rows = [
        (f"{number}-{box}", data, [16 * box, 0, 32, 32]) for number, data in enumerate(pictures) for box in range(3)
    ]
    return spark.createDataFrame([*rows, ("none", None, None)], "id string, content binary, box array<int>")


def test_bytes_in_rows_become_bytes_in_rows(pictured, small_batches):
    reported = crop_files(pictured, input="content", output=None, keep=["id"]).collect()
    assert len(reported) == 13
    rows = {row.id: row for row in reported}
    assert {id for id, row in rows.items() if not row.ok} == {"2-0", "2-1", "2-2", "none"}
    assert all(row.code and row.message for row in reported if not row.ok)
    assert rows["3-1"].data == cropkit.crop_bytes(encoded(3), rect=(16, 0, 32, 32))
    assert rows["3-1"].input == "sha256:" + hashlib.sha256(encoded(3)).hexdigest()
    assert (rows["3-1"].output, rows["3-1"].bytes) == (None, len(rows["3-1"].data))


def test_bytes_in_rows_become_objects_or_files(pictured, small_batches, files, options, tmp_path):
    name = "{sha}/{what}-{id}.png"
    for place in (f"s3a://bucket/out/{name}", f"{tmp_path}/out/{name}"):
        job = {"input": "content", "output": place, "storage_options": options, "keep": ["id"], "partitions": 2}
        assert sum(row.ok and not row.skipped for row in crop_files(pictured, **job).collect()) == 9
        assert sum(row.ok and row.skipped for row in crop_files(pictured, **job).collect()) == 9
    made = {path.relative_to(tmp_path / "out"): path.read_bytes() for path in (tmp_path / "out").glob("*/*")}
    assert {str(path): data for path, data in made.items()} == {
        name.removeprefix("bucket/out/"): files.cat_file(name) for name in files.find("bucket/out")
    }
    assert {path.parent.name for path in made} == {hashlib.sha256(encoded(seed)).hexdigest() for seed in (0, 1, 3)}


def test_files_become_bytes_in_rows(spark, pictures):
    reported = crop_files(frame(spark, pictures[-1:]), output=None).collect()
    wanted = {cropkit.crop_bytes(encoded(7), rect=(16 * box, 0, 32, 32)) for box in range(3)}
    assert {bytes(row.data) for row in reported} == wanted


def test_unsupported_options_of_bytes_in_rows_are_reported_before_the_job(pictured, small_batches, spark):
    with pytest.raises(ValueError, match="no stem and no index"):
        crop_files(pictured, input="content", output="/tmp/{stem}-{index}.jpg")
    with pytest.raises(ValueError, match="sizes is for"):
        crop_files(pictured, input="content", output=None, sizes="id")
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
    with pytest.raises(ValueError, match="would hold 10000 images"):
        crop_files(pictured, input="content", output=None)
