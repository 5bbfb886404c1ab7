"""Objects in S3 with odd names, denied, slow, changing, written by two clients at the same time or by a killed
one."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy
import pytest
from conftest import encoded
from PIL import Image
from s3server import SECRET
from test_processes import in_child

import cropkit
from cropkit import _address, _objects, _picture, _requests

BOX = (5, 7, 31, 17)
ODD = [
    "a/../b.jpg", "../../b.jpg", "a%2Fb.jpg", "a?b=c.jpg", "a#b.jpg", "a b+ü&;'\"<>.jpg",
    "a:b@c.jpg", "*[x]?.jpg", "{stem}.jpg",
]  # fmt: skip


def keys(files):
    return {one["Key"] for one in files.call_s3("list_objects_v2", Bucket="bucket").get("Contents", ())}


@pytest.mark.parametrize("key", ODD)
def test_an_odd_key_is_that_object_and_no_other(files, options, key):
    files.call_s3("put_object", Bucket="bucket", Key=f"in/{key}", Body=encoded())
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        crop = cropkit.Crop(f"s3://bucket/in/{key}", f"s3://bucket/out/{key}", rect=BOX)
        assert not pool.crop(crop).skipped
        assert pool.crop(crop).skipped
        with pytest.raises(cropkit.CropError) as caught:
            pool.crop(cropkit.Crop(f"s3://bucket/none/{key}", rect=BOX))
    assert keys(files) == {"a.jpg", f"in/{key}", f"out/{key}"}
    assert caught.value.code == "input-missing"
    assert str(caught.value).isprintable()


def test_a_version_of_an_object_may_be_named(files, options):
    files.call_s3("put_bucket_versioning", Bucket="bucket", VersioningConfiguration={"Status": "Enabled"})
    old = files.call_s3("put_object", Bucket="bucket", Key="v.jpg", Body=encoded(1))["VersionId"]
    files.call_s3("put_object", Bucket="bucket", Key="v.jpg", Body=encoded(2))
    for name, seed in ((f"s3://bucket/v.jpg?versionId={old}", 1), ("s3://bucket/v.jpg", 2)):
        part = cropkit.crop_bytes(name, rect=BOX, storage_options=options)
        assert part == cropkit.crop_bytes(encoded(seed), rect=BOX)


def test_a_large_object_goes_through_a_file_and_is_read_again_if_it_changes(files, options, monkeypatch):
    monkeypatch.setattr(_picture, "IN_MEMORY", 1000)
    real = _requests._call
    changes = [encoded(4)]

    def late(place, name, *arguments, **how):
        made = real(place, name, *arguments, **how)
        if name == "get_file" and changes:
            files.pipe_file("bucket/a.jpg", changes.pop())
        return made

    monkeypatch.setattr(_requests, "_call", late)
    part = cropkit.crop_bytes("s3://bucket/a.jpg", rect=BOX, storage_options=options)
    assert part == cropkit.crop_bytes(encoded(4), rect=BOX)


def test_an_object_that_changed_is_noted_with_the_version_that_was_read(files, options, monkeypatch):
    real = _requests._get
    changes = [encoded(4)]

    def late(*arguments):
        if changes:
            files.pipe_file("bucket/a.jpg", changes.pop())
        return real(*arguments)

    monkeypatch.setattr(_requests, "_get", late)
    crop = cropkit.Crop("s3://bucket/a.jpg", "s3://bucket/out/a.jpg", rect=BOX)
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        pool.crop(crop)
        assert files.cat_file("bucket/out/a.jpg") == cropkit.crop_bytes(encoded(4), rect=BOX)
        assert pool.crop(crop).skipped
        # The version that was checked first is not the one that was cropped.
        files.pipe_file("bucket/a.jpg", encoded())
        with pytest.raises(cropkit.CropError) as caught:
            pool.crop(crop)
    assert caught.value.code == "output-exists"


def test_denied_access_has_the_code_of_its_side_and_is_not_retried(files, options, server, monkeypatch):
    monkeypatch.setattr(_objects, "PAUSES", (0.0, 0.0))
    crop = cropkit.Crop("s3://bucket/a.jpg", "s3://bucket/out/a.jpg", rect=BOX)
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        for method, path, code in (
            ("HEAD", "/bucket/a.jpg", "input-unreadable"),
            ("GET", "/bucket/a.jpg", "input-unreadable"),
            ("PUT", "/bucket/out/a.jpg", "output-uncreatable"),
        ):
            server[1].denied = {(method, path)}
            server[1].requests.clear()
            with pytest.raises(cropkit.CropError) as caught:
                pool.crop(crop)
            assert caught.value.code == code
            assert server[1].requests.count((method, path)) == 1
        server[1].denied = set()
        assert keys(files) == {"a.jpg"}


def test_results_can_be_written_without_permission_to_read(files, options, server):
    # S3 reports a missing object as denied to clients that may not list the bucket.
    server[1].denied = {("HEAD", "/bucket/out/a.jpg")}
    crop = cropkit.Crop("s3://bucket/a.jpg", "s3://bucket/out/a.jpg", rect=BOX)
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        assert not pool.crop(crop).skipped
        with pytest.raises(cropkit.CropError) as caught:
            pool.crop(crop)
    assert caught.value.code == "output-exists"
    server[1].denied = set()
    assert files.cat_file("bucket/out/a.jpg") == cropkit.crop_bytes(encoded(), rect=BOX)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("method", "path", "code"),
    [("GET", "/bucket/a.jpg", "read-failed"), ("PUT", "/bucket/out/a.jpg", "write-failed")],
)
def test_an_endless_response_times_out(files, options, server, monkeypatch, method, path, code):
    monkeypatch.setattr(_objects, "PAUSES", (0.0,))
    # Only this method's body has little time: the other requests may be slow on a busy machine.
    size = len(encoded())
    monkeypatch.setattr(_requests, "_timeout", lambda of: 1.0 if (of == size) == (method == "GET") else 600.0)
    server[1].ended.clear()
    server[1].endless = (method, path)
    if method == "PUT":
        server[1].endless, server[1].stalled = None, (method, path)
        server[1].released.clear()
    with pytest.raises(cropkit.CropError, match="no answer in time") as caught:
        cropkit.crop("s3://bucket/a.jpg", "s3://bucket/out/a.jpg", rect=BOX, storage_options=options)
    server[1].ended.set()
    server[1].release()
    assert caught.value.code == code


@pytest.mark.thorough
def test_two_jobs_that_write_the_same_objects_agree(files, options):
    for number in range(4):
        files.pipe_file(f"bucket/in/{number}.jpg", encoded(number))
    crops = [
        cropkit.Crop(f"s3://bucket/in/{number}.jpg", f"s3://bucket/out/{number}-{box}.jpg", rect=(16 * box, 0, 32, 32))
        for number in range(4)
        for box in range(5)
    ]

    def job(_):
        with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
            return list(pool.map(crops, errors="return"))

    with ThreadPoolExecutor(2) as threads:
        for reported in threads.map(job, range(2)):
            assert [one for one in reported if isinstance(one, cropkit.CropError)] == []
    assert {name: files.cat_file(name) for name in files.find("bucket/out")} == {
        f"bucket/out/{number}-{box}.jpg": cropkit.crop_bytes(encoded(number), rect=(16 * box, 0, 32, 32))
        for number in range(4)
        for box in range(5)
    }


@pytest.mark.thorough
def test_a_process_that_is_killed_while_it_uploads_leaves_nothing(files, options, server):
    # Larger than the system's buffers.
    noise = numpy.random.default_rng(0).integers(0, 256, (2200, 2200, 3)).astype(numpy.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).save(file, "png", compress_level=1)
    files.pipe_file("bucket/large.png", file.getvalue())
    server[1].held.clear()
    server[1].released.clear()
    server[1].stalled = ("PUT", "/bucket/out/large.png")
    script = (
        "import cropkit; cropkit.crop('s3://bucket/large.png', 's3://bucket/out/large.png', rect=(0, 0, 2200, 2199), "
        f"format='png', storage_options={options!r})"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(cropkit.__file__).parents[1])}
    child = subprocess.Popen([sys.executable, "-c", script], env=environment)
    assert server[1].held.wait(600)
    child.send_signal(signal.SIGKILL)
    child.wait()
    server[1].release()
    assert keys(files) == {"a.jpg", "large.png"}
    assert not files.call_s3("list_multipart_uploads", Bucket="bucket").get("Uploads")
    how = {"rect": (0, 0, 2200, 2199), "format": "png"}
    cropkit.crop("s3://bucket/large.png", "s3://bucket/out/large.png", storage_options=options, **how)
    assert files.cat_file("bucket/out/large.png") == cropkit.crop_bytes(file.getvalue(), **how)


def test_a_forked_child_reaches_objects_with_a_new_pool(files, options):
    with cropkit.Pool(jobs=1, storage_options=options) as pool:
        wanted = pool.crop(cropkit.Crop("s3://bucket/a.jpg", rect=BOX)).data

        def child():
            with cropkit.Pool(jobs=1, storage_options=options) as own:
                assert own.crop(cropkit.Crop("s3://bucket/a.jpg", rect=BOX)).data == wanted

        in_child(child)
        assert pool.crop(cropkit.Crop("s3://bucket/a.jpg", rect=BOX)).data == wanted


def test_addresses_are_shown_without_secrets_and_with_the_containers_of_azure():
    for text, shown in (
        ("abfs://photos@account.dfs.core.windows.net/a.jpg", "abfs://photos@account.dfs.core.windows.net/a.jpg"),
        (f"abfs://me:{SECRET}@account/a.jpg", "abfs://***@account/a.jpg"),
        (f"https://{SECRET}@host/a.jpg?sig={SECRET}&x=1", "https://***@host/a.jpg?sig=***&x=1"),
        ("s3://bucket/a\nb\x9b1m.jpg", "s3://bucket/a?b?1m.jpg"),
    ):
        assert _address.shown(text) == shown
