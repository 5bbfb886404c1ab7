"""Many crops by one process of the real program."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import subprocess
import threading

import pytest
from conftest import encoded

import cropkit


@pytest.fixture
def pool():
    with cropkit.Pool(jobs=2) as pool:
        yield pool


def boxes(photo, count):
    return [
        cropkit.Crop(photo, rect=(number % 16 * 16, number % 7 * 16, 16 + number % 4, 16)) for number in range(count)
    ]


def test_results_come_in_the_order_of_the_crops(photo, pool):
    crops = boxes(photo(), 200)
    results = list(pool.map(crops))
    assert [result.crop for result in results] == crops
    assert [result.width for result in results] == [16 + number % 4 for number in range(200)]


def test_unordered_results_are_the_same_ones(photo, pool):
    crops = boxes(photo(), 200)
    results = {id(result.crop): result for result in pool.map(crops, ordered=False)}
    assert all(results[id(crop)].data == result.data for crop, result in zip(crops, pool.map(crops), strict=True))


def test_the_crops_may_be_endless(photo, pool):
    path = photo()
    taken = 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield cropkit.Crop(path, rect=(0, 0, 16, 16))

    for _ in itertools.islice(pool.map(endless()), 300):
        pass
    assert taken <= 300 + 2 * 32


def test_a_value_that_is_not_a_crop_is_rejected_with_a_plain_message(pool):
    with pytest.raises(TypeError, match=r"a pool takes cropkit\.Crop\(input, output, \.\.\.\), not dict"):
        list(pool.map([{"input": "photo.jpg"}]))


def test_errors_stay_in_their_places(photo, pool):
    path = photo()
    crops = [cropkit.Crop(path, rect=(0, 0, 16, 16 if number % 5 else 1000)) for number in range(50)]
    outcomes = list(pool.map(crops, errors="return"))
    assert [isinstance(outcome, cropkit.CropError) for outcome in outcomes] == [number % 5 == 0 for number in range(50)]
    assert all(outcome.crop is crop for outcome, crop in zip(outcomes, crops, strict=True))


def test_an_error_is_raised_unless_asked_for(photo, pool):
    path = photo()
    results = pool.map([cropkit.Crop(path, rect=(0, 0, 16, 16)), cropkit.Crop(path, rect=(0, 0, 999, 16))])
    assert next(results).width == 16
    with pytest.raises(cropkit.CropError, match="partly outside the image"):
        next(results)
    assert pool.crop(cropkit.Crop(path, rect=(0, 0, 8, 8))).width == 8


def test_bytes_and_names_can_be_mixed(photo, pool, tmp_path):
    path = photo()
    crops = [
        cropkit.Crop(encoded() if number % 2 else path, None if number % 3 else tmp_path / f"{number}.jpg",
                     rect=(0, 0, 16, 16))
        for number in range(24)
    ]  # fmt: skip
    made = {result.data or (tmp_path / f"{number}.jpg").read_bytes() for number, result in enumerate(pool.map(crops))}
    assert len(made) == 1


def test_several_threads_may_use_a_pool(photo, pool):
    path = photo()
    results: dict[int, list[int]] = {}

    def work(width):
        crops = [cropkit.Crop(path, rect=(0, 0, width, 16)) for _ in range(40)]
        results[width] = [result.width for result in pool.map(crops)]

    threads = [threading.Thread(target=work, args=(width,)) for width in (16, 32, 48)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {width: [width] * 40 for width in (16, 32, 48)}


def test_a_second_run_skips_finished_crops(photo, tmp_path):
    crops = [cropkit.Crop(photo(), tmp_path / f"{number}.jpg", rect=(0, 0, 16, 16)) for number in range(5)]
    with cropkit.Pool(resume=True) as pool:
        assert not any(result.skipped for result in pool.map(crops))
    before = [crop.output.stat().st_mtime_ns for crop in crops]
    with cropkit.Pool(resume=True) as pool:
        assert all(result.skipped for result in pool.map(crops))
    assert [crop.output.stat().st_mtime_ns for crop in crops] == before


@pytest.fixture
def started(monkeypatch):
    """The processes that pools start."""
    found = []
    start = subprocess.Popen

    def counted(*arguments, **how):
        found.append(arguments)
        return start(*arguments, **how)

    monkeypatch.setattr(subprocess, "Popen", counted)
    return found


def noted(path):
    """Skips the test where the file system keeps no attributes."""
    try:
        os.getxattr(path, "user.cropkit")
    except OSError:
        pytest.skip("the file system keeps no attributes")


@pytest.mark.parametrize("kind", ["file", "bytes"])
def test_a_run_that_skips_all_starts_no_process(photo, tmp_path, started, kind):
    source = photo() if kind == "file" else photo().read_bytes()
    crops = [cropkit.Crop(source, tmp_path / f"{number}.jpg", rect=(0, 0, 16, 16)) for number in range(5)]
    with cropkit.Pool(resume=True) as pool:
        made = list(pool.map(crops))
    noted(crops[0].output)
    assert len(started) == 1
    with cropkit.Pool(resume=True) as pool:
        found = list(pool.map(crops))
    assert len(started) == 1
    assert all(one.skipped for one in found)
    for name in ("output", "format", "width", "height", "byte_count", "lossless", "warnings"):
        assert [getattr(one, name) for one in found] == [getattr(one, name) for one in made], name
    with cropkit.Pool(resume=True) as pool:
        mixed = list(pool.map([*crops, cropkit.Crop(source, tmp_path / "new.jpg", rect=(0, 0, 16, 16))]))
    assert [one.skipped for one in mixed] == [True] * 5 + [False]
    assert len(started) == 2


def test_a_run_without_resume_is_resumed_too(photo, tmp_path, started):
    crop = cropkit.Crop(photo(), tmp_path / "a.jpg", rect=(0, 0, 16, 16))
    with cropkit.Pool() as pool:
        pool.crop(crop)
    noted(crop.output)
    with cropkit.Pool(resume=True) as pool:
        assert pool.crop(crop).skipped
    assert len(started) == 1


@pytest.mark.parametrize("change", ["input", "output", "crop", "options", "lenient"])
def test_only_the_same_crop_is_skipped_without_a_process(photo, tmp_path, started, change):
    path, output = photo(), tmp_path / "a.jpg"
    with cropkit.Pool() as pool:
        pool.crop(cropkit.Crop(path, output, rect=(0, 0, 16, 16)))
    rect, how = (0, 0, 16, 16), {}
    if change == "input":
        path.write_bytes(encoded(1))
    elif change == "output":
        output.write_bytes(output.read_bytes()[:-2] + b"xx")
    elif change == "crop":
        rect = (16, 0, 16, 16)
    elif change == "options":
        how = {"lossless": "never", "quality": 20}
    with cropkit.Pool(resume=True, lenient=change == "lenient") as pool:
        outcome = next(pool.map([cropkit.Crop(path, output, rect=rect, **how)], errors="return"))
    assert len(started) == 2
    is_same = change == "lenient"
    assert is_same == isinstance(outcome, cropkit.Result)
    assert is_same or outcome.code == "output-exists"


def test_a_result_of_batch_is_skipped(photo, tmp_path):
    path, output = photo(), tmp_path / "a.jpg"
    line = {"input": str(path), "output": str(output), "rect": "0,0,16,16"}
    command = [os.environ["CROPKIT_PROGRAM"], "batch", "-"]
    subprocess.run(command, input=json.dumps(line), text=True, capture_output=True, check=True)
    with cropkit.Pool(resume=True) as pool:
        assert pool.crop(cropkit.Crop(path, output, rect=(0, 0, 16, 16))).skipped


def test_a_closed_pool_skips_nothing(photo, tmp_path):
    crop = cropkit.Crop(photo(), tmp_path / "a.jpg", rect=(0, 0, 16, 16))
    for _ in range(2):
        with cropkit.Pool(resume=True) as pool:
            pool.crop(crop)
        with pytest.raises(cropkit.ProgramError, match="closed"):
            pool.crop(crop)


def test_limits_are_the_program_s(photo):
    with cropkit.Pool(limits={"pixels": 1000}) as pool, pytest.raises(cropkit.CropError) as caught:
        pool.crop(cropkit.Crop(photo(), rect=(0, 0, 16, 16)))
    assert caught.value.code == "limit-pixels"


def test_a_result_has_a_limit_of_its_own(photo):
    crop = cropkit.Crop(photo(), rect=(0, 0, 16, 16), size=(16, 16))
    with cropkit.Pool(limits={"output": 255}) as pool, pytest.raises(cropkit.CropError) as caught:
        pool.crop(crop)
    assert caught.value.code == "limit-output"
    assert 'limits["output"]' in str(caught.value)


def test_a_program_that_dies_fails_pending_and_later_crops(photo):
    pool = cropkit.Pool(jobs=1)
    path = photo()
    crops = (cropkit.Crop(path, rect=(0, 0, 16, 16)) for _ in itertools.count())
    results = pool.map(crops, errors="return")
    next(results)
    os.kill(pool._stream._process.pid, signal.SIGKILL)
    with pytest.raises(cropkit.ProgramError, match="signal 9") as caught:
        for _ in results:
            pass
    assert caught.value.code == "program-died"
    with pytest.raises(cropkit.ProgramError):
        pool.crop(cropkit.Crop(path, rect=(0, 0, 16, 16)))
    pool.close()


def test_a_program_that_dies_between_crops_is_reported(photo):
    pool = cropkit.Pool(jobs=1)
    crop = cropkit.Crop(photo(), rect=(0, 0, 16, 16))
    pool.crop(crop)
    os.kill(pool._stream._process.pid, signal.SIGKILL)
    pool._reader.join()
    with pytest.raises(cropkit.ProgramError, match="signal 9") as caught:
        pool.crop(crop)
    assert caught.value.code == "program-died"
    pool.close()


def test_a_closed_pool_reports_that(photo):
    with cropkit.Pool(jobs=1) as pool:
        pass
    with pytest.raises(cropkit.ProgramError, match="closed"):
        pool.crop(cropkit.Crop(photo(), rect=(0, 0, 16, 16)))


def test_leaving_by_an_exception_ends_the_process(photo):
    path = photo()
    pool = cropkit.Pool(jobs=1)
    with contextlib.suppress(KeyError), pool:
        for _ in range(30):
            pool.submit(cropkit.Crop(path, rect=(0, 0, 16, 16)))
        raise KeyError
    assert pool._stream._process.returncode is not None


def test_progress_counts_the_crops(photo, pool, capsys):
    pytest.importorskip("tqdm")
    assert len(list(pool.map(boxes(photo(), 7), progress=True))) == 7
    assert "7/7" in capsys.readouterr().err
