"""Images and results that are objects in stores."""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import sys
import tempfile
import threading
from pathlib import Path

import fsspec
import pytest
from conftest import encoded
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

import cropkit
from cropkit import _objects, _picture, _requests

BOX = (5, 7, 31, 17)


@pytest.fixture
def memory():
    """fsspec's store in memory, with one image."""
    files = fsspec.filesystem("memory")
    files.store.clear()
    files.pseudo_dirs[:] = [""]
    files.pipe_file("/in/a.jpg", encoded())
    yield files
    files.store.clear()
    files.pseudo_dirs[:] = [""]


def names(files):
    return sorted(name for name in files.store if name.startswith("/out/"))


def test_an_object_is_cropped_like_a_file(memory, photo, tmp_path):
    result = cropkit.crop("memory://in/a.jpg", "memory://out/a.png", rect=BOX)
    plain = cropkit.crop(photo(), tmp_path / "a.png", rect=BOX)
    assert memory.cat_file("/out/a.png") == (tmp_path / "a.png").read_bytes()
    assert result.output == "memory://out/a.png"
    unlike = {"crop", "output", "seconds"}
    for field in {field.name for field in dataclasses.fields(result)} - unlike:
        assert getattr(result, field) == getattr(plain, field), field
    assert cropkit.crop_bytes("memory://in/a.jpg", rect=BOX) == cropkit.crop_bytes(encoded(), rect=BOX)


def test_files_bytes_and_objects_mix(memory, photo, tmp_path):
    crops = [
        cropkit.Crop(photo(), "memory://out/1.jpg", rect=BOX),
        cropkit.Crop(encoded(), "memory://out/2.jpg", rect=BOX),
        cropkit.Crop("memory://in/a.jpg", tmp_path / "3.jpg", rect=BOX),
        cropkit.Crop("memory://in/a.jpg", rect=BOX),
        cropkit.Crop(photo(), tmp_path / "5.jpg", rect=BOX),
    ]
    with cropkit.Pool(jobs=1) as pool:
        results = list(pool.map(crops))
    wanted = (tmp_path / "5.jpg").read_bytes()
    assert [result.crop for result in results] == crops
    assert memory.cat_file("/out/1.jpg") == memory.cat_file("/out/2.jpg") == wanted
    assert (tmp_path / "3.jpg").read_bytes() == results[3].data == wanted


def announced(crops, submitted):
    """Yields crops, then sets an event: all of them are submitted, if a pool takes so many in advance."""
    yield from crops
    submitted.set()


def test_crops_of_one_object_share_its_reading(memory, monkeypatch):
    read = []
    submitted = threading.Event()
    real = MemoryFileSystem.cat_file

    def counted(self, path, *arguments, **how):
        assert submitted.wait(600)
        read.append(path)
        return real(self, path, *arguments, **how)

    monkeypatch.setattr(MemoryFileSystem, "cat_file", counted)
    memory.pipe_file("/in/b.jpg", encoded(1))
    crops = [cropkit.Crop(f"memory://in/{name}.jpg", rect=(0, 0, 16, 1 + number))
             for name in "ab" for number in range(15)]  # fmt: skip
    with cropkit.Pool(jobs=1, transfers=1) as pool:
        assert [result.height for result in pool.map(announced(crops, submitted))] == list(range(1, 16)) * 2
    assert read == ["/in/a.jpg", "/in/b.jpg"]


def test_an_object_that_changes_is_read_again(memory):
    with cropkit.Pool(jobs=1) as pool:
        first = pool.crop(cropkit.Crop("memory://in/a.jpg", rect=BOX, format="png")).data
        memory.pipe_file("/in/a.jpg", encoded(3))
        assert pool.crop(cropkit.Crop("memory://in/a.jpg", rect=BOX, format="png")).data != first


def test_a_large_picture_goes_through_a_temporary_file_without_a_name(memory, monkeypatch, tmp_path):
    monkeypatch.setattr(_picture, "IN_MEMORY", 1000)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen = []
    submitted = threading.Event()
    real = MemoryFileSystem.get_file

    def watched(self, *arguments, **how):
        assert submitted.wait(600)
        real(self, *arguments, **how)
        seen.append(list(tmp_path.iterdir()))

    monkeypatch.setattr(MemoryFileSystem, "get_file", watched)
    memory.pipe_file("/in/bad.jpg", encoded()[:1500])
    with cropkit.Pool(jobs=1, transfers=2) as pool:
        crops = [cropkit.Crop("memory://in/a.jpg", rect=(0, 0, 16, 1 + number)) for number in range(9)]
        assert [result.height for result in pool.map(announced(crops, submitted))] == list(range(1, 10))
        with pytest.raises(cropkit.CropError) as caught:
            pool.crop(cropkit.Crop("memory://in/bad.jpg", rect=BOX))
    assert str(caught.value).startswith("memory://in/bad.jpg: ")
    # The file has no name, so that nothing is left of it after a kill either.
    assert seen == [[], []]
    assert list(tmp_path.iterdir()) == []


def test_errors_are_reported_with_the_address(memory):
    memory.pipe_file("/in/bad.jpg", encoded()[:900])
    cases = {
        "input-missing": cropkit.Crop("memory://in/none.jpg", rect=BOX),
        "truncated": cropkit.Crop("memory://in/bad.jpg", rect=BOX),
        "output-is-input": cropkit.Crop("memory://in/a.jpg", "memory:///in/a.jpg", rect=BOX),
        "output-exists": cropkit.Crop("memory://in/bad.jpg", "memory://in/a.jpg", rect=BOX),
        "usage": cropkit.Crop("memory://in/a.jpg", "memory://out/a.xyz", rect=BOX),
    }
    with cropkit.Pool(jobs=1) as pool:
        reported = list(pool.map(cases.values(), errors="return"))
    assert [error.code for error in reported] == list(cases)
    assert all(str(error).startswith("memory://") for error in reported)
    assert [error.crop for error in reported] == list(cases.values())
    assert names(memory) == []


def test_without_fsspec_one_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(cropkit.CropError, match=r"pip install 'cropkit\[stores\]'") as caught:
        cropkit.crop("s3://bucket/a.jpg", "s3://bucket/out/a.jpg", rect=BOX)
    assert caught.value.code == "usage"


@pytest.mark.parametrize("name", ["nothing://bucket/a.jpg", "oss://bucket/a.jpg"])
def test_an_unusable_scheme_is_reported(name):
    with pytest.raises(cropkit.CropError, match="fsspec") as caught:
        cropkit.crop_bytes(name, rect=BOX)
    assert caught.value.code == "usage"


def test_a_result_replaces_nothing_unless_forced(memory):
    memory.pipe_file("/out/a.jpg", b"precious")
    crop = cropkit.Crop("memory://in/a.jpg", "memory://out/a.jpg", rect=BOX)
    for resume in (False, True):
        with cropkit.Pool(jobs=1, resume=resume) as pool, pytest.raises(cropkit.CropError, match="force=") as caught:
            pool.crop(crop)
        assert caught.value.code == "output-exists"
        assert memory.cat_file("/out/a.jpg") == b"precious"
    with cropkit.Pool(jobs=1, force=True) as pool:
        assert not pool.crop(crop).skipped
    assert memory.cat_file("/out/a.jpg") == cropkit.crop_bytes(encoded(), rect=BOX)


def test_a_store_without_metadata_is_resumed_by_comparing(memory, monkeypatch):
    crop = cropkit.Crop("memory://in/a.jpg", "memory://out/a.jpg", rect=BOX)
    with cropkit.Pool(jobs=1, resume=True) as pool:
        assert not pool.crop(crop).skipped
        monkeypatch.setattr(MemoryFileSystem, "pipe_file", None)
        assert pool.crop(crop).skipped


def test_of_two_writers_of_one_object_the_second_finds_it(memory, monkeypatch):
    # Both check before either of them writes.
    both = threading.Barrier(2, timeout=600)
    # This store is not atomic itself.
    one = threading.Lock()
    real = MemoryFileSystem.pipe_file

    def late(self, *arguments, **how):
        both.wait()
        with one:
            real(self, *arguments, **how)

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", late)
    crops = [cropkit.Crop("memory://in/a.jpg", "memory://out/a.jpg", rect=BOX)] * 2
    with cropkit.Pool(jobs=1, transfers=2) as pool:
        assert [result.width for result in pool.map(crops)] == [31, 31]
    both = threading.Barrier(2, timeout=600)
    crops = [cropkit.Crop("memory://in/a.jpg", "memory://out/b.jpg", rect=(0, 0, 8, side)) for side in (8, 9)]
    with cropkit.Pool(jobs=1, transfers=2) as pool:
        reported = [getattr(one, "code", None) for one in pool.map(crops, errors="return")]
    assert sorted(reported, key=str) == [None, "output-exists"]


def test_a_failing_store_is_retried_but_not_endlessly(memory, monkeypatch):
    monkeypatch.setattr(_objects, "PAUSES", (0.0, 0.0))
    failures = [OSError(errno.EBUSY, "Please reduce your request rate."), ConnectionResetError(), None]
    real = MemoryFileSystem.cat_file

    def busy(self, *arguments, **how):
        if (failure := failures.pop(0)) is not None:
            raise failure
        return real(self, *arguments, **how)

    monkeypatch.setattr(MemoryFileSystem, "cat_file", busy)
    assert cropkit.crop_bytes("memory://in/a.jpg", rect=BOX)
    assert failures == []
    failures += [OSError(errno.EBUSY, "Please reduce your request rate.") for _ in range(9)]
    with pytest.raises(cropkit.CropError, match="reduce your request rate") as caught:
        cropkit.crop_bytes("memory://in/a.jpg", rect=BOX)
    assert caught.value.code == "read-failed"
    assert len(failures) == 6


def test_errors_keep_secrets(memory, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "environment-hush")

    def telling(*arguments, **how):
        raise PermissionError(
            errno.EACCES, "option-hush and environment-hush at https://me:hush@h/a?X-Amz-Signature=hush"
        )

    monkeypatch.setattr(MemoryFileSystem, "cat_file", telling)
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes(
            "memory://in/a.jpg?token=hush", rect=BOX, storage_options={"memory": {"secret": "option-hush"}}
        )
    assert "hush" not in str(caught.value)
    memory.pipe_file("/in/a.jpg?token=hush", encoded())
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes(
            "memory://in/a.jpg?token=hush", rect=BOX, storage_options={"memory": {"secret": "option-hush"}}
        )
    assert caught.value.code == "input-unreadable"
    assert "hush" not in repr(caught.value)


class Shared(LocalFileSystem):
    """A file system that shows a file while it is being written, as HDFS does."""

    protocol = "shared"
    fails = False

    def pipe_file(self, path, value, mode="overwrite", **kwargs):
        if self.fails:
            Path(path).write_bytes(value[:9])
            raise OSError(errno.EIO, "gone")
        super().pipe_file(path, value, mode, **kwargs)


def test_in_stores_that_show_incomplete_files_results_are_renamed(tmp_path, photo, monkeypatch):
    monkeypatch.setattr(_objects, "PAUSES", ())
    fsspec.register_implementation("shared", Shared, clobber=True)
    target = f"shared://{tmp_path}/out/a.jpg"
    crop = cropkit.Crop(photo(), target, rect=BOX)
    monkeypatch.setattr(Shared, "fails", True)
    with cropkit.Pool(jobs=1) as pool, pytest.raises(cropkit.CropError, match="gone") as caught:
        pool.crop(crop)
    assert caught.value.code == "write-failed"
    assert list((tmp_path / "out").iterdir()) == []
    monkeypatch.setattr(Shared, "fails", False)
    for force in (False, True):
        with cropkit.Pool(jobs=1, force=force) as pool:
            pool.crop(crop)
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.jpg"]
    with cropkit.Pool(jobs=1, resume=True) as pool:
        assert pool.crop(crop).skipped


def test_a_pool_that_is_left_by_an_error_stops_waiting_crops(memory):
    crops = [cropkit.Crop("memory://in/a.jpg", rect=BOX) for _ in range(20)]
    with contextlib.suppress(KeyError), cropkit.Pool(jobs=1, transfers=1) as pool:
        futures = [pool.submit(crop) for crop in crops]
        raise KeyError
    assert all(future.done() for future in futures)
    with pytest.raises(cropkit.ProgramError):
        pool.submit(crops[0])


def test_retries_are_cancelled_when_a_pool_is_left(memory, monkeypatch):
    monkeypatch.setattr(_objects, "PAUSES", (86400.0,))
    failed = threading.Event()

    def busy(*arguments, **how):
        failed.set()
        raise OSError(errno.EBUSY, "Please reduce your request rate.")

    monkeypatch.setattr(MemoryFileSystem, "cat_file", busy)
    with contextlib.suppress(KeyError), cropkit.Pool(jobs=1) as pool:
        future = pool.submit(cropkit.Crop("memory://in/a.jpg", rect=BOX))
        assert failed.wait(600)
        raise KeyError
    assert "reduce your request rate" in str(future.exception())


def changing(monkeypatch, times, change):
    """Makes an object change this many times, each time between a check and the read."""
    left = [times]
    real = _requests.read

    def read(place, expected):
        if left[0] > 0:
            left[0] -= 1
            change(left[0])
        return real(place, expected)

    monkeypatch.setattr(_requests, "read", read)


def test_an_object_that_changes_before_it_is_read_is_checked_again(memory, monkeypatch):
    changing(monkeypatch, 1, lambda _: memory.pipe_file("/in/a.jpg", encoded(5)))
    assert cropkit.crop_bytes("memory://in/a.jpg", rect=BOX) == cropkit.crop_bytes(encoded(5), rect=BOX)


def test_an_object_that_keeps_changing_is_rejected(memory, monkeypatch):
    changing(monkeypatch, 99, lambda left: memory.pipe_file("/in/a.jpg", encoded(left)))
    with pytest.raises(cropkit.CropError, match="changes while it is read") as caught:
        cropkit.crop_bytes("memory://in/a.jpg", rect=BOX)
    assert caught.value.code == "read-failed"


def test_an_object_over_the_limit_is_refused_before_it_is_read(memory, monkeypatch):
    monkeypatch.setattr(MemoryFileSystem, "cat_file", None)
    with pytest.raises(cropkit.CropError, match=r'raise limits\["bytes"\]') as caught:
        cropkit.crop_bytes("memory://in/a.jpg", rect=BOX, limits={"bytes": "1K"})
    assert (caught.value.code, caught.value.exit_status) == ("limit-bytes", 65)


@pytest.mark.parametrize("limit", ["1K", "1M"])
def test_an_object_of_unknown_size_is_read_up_to_the_limit(memory, monkeypatch, limit):
    real = MemoryFileSystem.info
    monkeypatch.setattr(MemoryFileSystem, "info", lambda *one, **how: real(*one, **how) | {"size": None})
    if limit == "1M":
        assert cropkit.crop_bytes("memory://in/a.jpg", rect=BOX, limits={"bytes": limit})
        return
    with pytest.raises(cropkit.CropError) as caught:
        cropkit.crop_bytes("memory://in/a.jpg", rect=BOX, limits={"bytes": limit})
    assert caught.value.code == "limit-bytes"


def test_an_empty_object_is_rejected_like_empty_bytes(memory):
    memory.pipe_file("/in/empty.jpg", b"")
    for source in ("memory://in/empty.jpg", b""):
        with pytest.raises(cropkit.CropError) as caught:
            cropkit.crop(source, "memory://out/a.jpg", rect=BOX)
        assert caught.value.code == "empty"
    assert names(memory) == []


def test_an_empty_object_is_not_mistaken_for_a_result(memory):
    memory.pipe_file("/out/a.jpg", b"")
    crop = cropkit.Crop("memory://in/a.jpg", "memory://out/a.jpg", rect=BOX)
    with cropkit.Pool(jobs=1, resume=True) as pool, pytest.raises(cropkit.CropError) as caught:
        pool.crop(crop)
    assert caught.value.code == "output-exists"


@pytest.mark.parametrize("name", ["s3://bucket", "s3://bucket/", "memory://out/", "gs://bucket/folder/"])
def test_the_address_of_a_folder_is_refused(name, memory):
    pytest.importorskip({"s3": "s3fs", "gs": "gcsfs"}.get(name.partition(":")[0], "fsspec"))
    with pytest.raises(cropkit.CropError, match="add the name of an object") as caught:
        cropkit.crop(encoded(), name, rect=BOX, format="jpeg")
    assert caught.value.code == "usage"


def test_a_store_that_denies_reading_a_result_is_reported_as_unwritable(memory, monkeypatch):
    def denied(*arguments, **how):
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(MemoryFileSystem, "info", denied)
    for crop, code in (
        (cropkit.Crop(encoded(), "memory://out/a.jpg", rect=BOX), "output-uncreatable"),
        (cropkit.Crop("memory://in/a.jpg", rect=BOX), "input-unreadable"),
    ):
        with cropkit.Pool(jobs=1) as pool, pytest.raises(cropkit.CropError) as caught:
            pool.crop(crop)
        assert caught.value.code == code


def test_an_address_with_a_line_break_stays_one_line_in_errors(memory):
    memory.pipe_file("/in/line\nbreak.jpg", encoded())
    assert cropkit.crop_bytes("memory://in/line\nbreak.jpg", rect=BOX) == cropkit.crop_bytes(encoded(), rect=BOX)
    with pytest.raises(cropkit.CropError, match=r"memory://in/no\?break.jpg: no such object"):
        cropkit.crop_bytes("memory://in/no\nbreak.jpg", rect=BOX)
