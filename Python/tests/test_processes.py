"""A pool together with other processes, threads and event loops."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from conftest import encoded

import cropkit

BOX = (0, 0, 16, 16)


def in_child(work: Callable[[], object]) -> None:
    """Forks; the child's work must succeed within a minute."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    is_late = threading.Event()

    def give_up() -> None:
        is_late.set()
        os.kill(child, 9)

    timer = threading.Timer(600, give_up)
    timer.start()
    _, status = os.waitpid(child, 0)
    timer.cancel()
    assert not is_late.is_set(), "the child hangs"
    assert os.waitstatus_to_exitcode(status) == 0


def forked(use: Callable[[], object]) -> None:
    with pytest.raises(cropkit.ProgramError, match="make one in each process") as caught:
        use()
    assert caught.value.code == "pool-forked"


def program_of(pool: cropkit.Pool) -> int:
    return pool._stream._process.pid


def test_a_forked_child_uses_the_pool_with_a_program_of_its_own(photo):
    crop = cropkit.Crop(photo(), rect=BOX)
    with cropkit.Pool(jobs=1, lenient=True) as pool:
        pool.crop(crop)
        parents = program_of(pool)

        def child() -> None:
            assert pool.submit(crop).result().width == 16
            assert [one.width for one in pool.map([crop, crop])] == [16, 16]
            assert [one.width for one in pool.map([crop, crop], ordered=False)] == [16, 16]
            assert program_of(pool) != parents
            in_child(lambda: pool.crop(crop))
            pool.close()
            with pytest.raises(cropkit.ProgramError, match="closed"):
                pool.crop(crop)

        in_child(child)
        assert program_of(pool) == parents
        assert pool.crop(crop).width == 16


def test_a_pool_without_a_process_may_be_forked(photo, tmp_path):
    crop = cropkit.Crop(photo(), tmp_path / "a.jpg", rect=BOX)
    cropkit.crop(crop.input, crop.output, rect=BOX)
    with cropkit.Pool(jobs=1, resume=True) as pool:

        def child() -> None:
            assert pool.crop(crop).skipped
            assert pool.crop(cropkit.Crop(crop.input, rect=BOX)).width == 16
            pool.close()

        in_child(child)
        assert pool.crop(crop).skipped


def test_a_closed_pool_is_closed_in_a_forked_child(photo):
    crop = cropkit.Crop(photo(), rect=BOX)
    with cropkit.Pool(jobs=1) as pool:
        pool.crop(crop)

        def leaving() -> None:
            with pool:
                pass
            with pytest.raises(cropkit.ProgramError, match="closed"):
                pool.crop(crop)

        in_child(leaving)

    def child() -> None:
        with pytest.raises(cropkit.ProgramError, match="closed"):
            pool.crop(crop)

    in_child(child)


def test_no_process_gets_the_picture_of_another(photo):
    path = photo()
    with cropkit.Pool(jobs=1) as pool:
        # Responses arrive while the child crops.
        futures = [pool.submit(cropkit.Crop(path, rect=(0, 0, 16, 1 + number))) for number in range(40)]

        def child() -> None:
            for side in range(17, 57):
                assert pool.crop(cropkit.Crop(path, rect=(0, 0, side, 48), format="png")).width == side

        in_child(child)
        assert [future.result().height for future in futures] == list(range(1, 41))


def stop(pool):
    """Stops a pool's program, and waits until all its threads are stopped."""
    pid = pool._stream._process.pid
    os.kill(pid, signal.SIGSTOP)
    os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOWAIT)


def test_a_child_does_not_wait_for_its_parent_s_results(photo):
    crops = [cropkit.Crop(photo(), rect=BOX) for _ in range(64)]
    with cropkit.Pool(jobs=1) as pool:
        done = pool.submit(crops[0])
        done.result()
        for ordered in (True, False):
            results = pool.map(crops, ordered=ordered)
            next(results)
            # A stopped program does not respond before the child has checked.
            stop(pool)
            pending = pool.submit(crops[0])

            def child(results=results, pending=pending) -> None:
                forked(pending.result)
                assert pending.exception().code == "pool-forked"
                forked(lambda: list(results))
                assert done.result().width == 16

            try:
                in_child(child)
            finally:
                os.kill(pool._stream._process.pid, 18)
            assert pending.result().width == 16
            assert len(list(results)) == 63


def test_waiting_in_a_child_for_its_parent_s_results_fails_immediately(photo):
    crop = cropkit.Crop(photo(), rect=BOX)
    with cropkit.Pool(jobs=1) as pool:
        pool.crop(crop)
        stop(pool)
        futures = [pool.submit(crop) for _ in range(3)]
        # The lock is held by a thread that the child does not have, and another thread waits for it.
        waiting = threading.Thread(target=concurrent.futures.wait, args=(futures,))
        waiting.start()
        reported = []
        futures[1].add_done_callback(lambda future: reported.append(os.getpid()))

        def child() -> None:
            assert concurrent.futures.wait(futures).not_done == set()
            for future in concurrent.futures.as_completed(futures):
                forked(future.result)
            assert reported == []

        try:
            with futures[0]._condition:
                in_child_of_another_thread(child)
        finally:
            os.kill(pool._stream._process.pid, 18)
        waiting.join()
        assert [future.result().width for future in futures] == [16] * 3
        assert reported == [os.getpid()]


def in_child_of_another_thread(work: Callable[[], object]) -> None:
    """As `in_child`, but forks in a different thread, so that the child has none of this thread's locks."""
    with ThreadPoolExecutor(1) as executor:
        executor.submit(in_child, work).result()


def test_a_child_that_outlives_its_parent_does_not_keep_the_program_alive(photo):
    reader, writer = os.pipe()
    with cropkit.Pool(jobs=1) as pool:
        pool.crop(cropkit.Crop(photo(), rect=BOX))
        child = os.fork()
        if child == 0:
            os.close(writer)
            os.read(reader, 1)
            os._exit(0)
    # Leaving the pool waited for the program, which saw the end of its input.
    assert pool._stream._process.returncode == 0
    os.close(writer)
    os.close(reader)
    os.waitpid(child, 0)


def test_leaving_in_a_child_does_not_affect_the_parent_s_program(photo):
    crop = cropkit.Crop(photo(), rect=BOX)
    with cropkit.Pool(jobs=1) as pool:
        pool.crop(crop)

        def child() -> None:
            # What a child does when it leaves the block, normally or by an exception.
            with contextlib.suppress(KeyError), pool:
                raise KeyError
            with pool:
                pass

        in_child(child)
        assert pool.crop(crop).width == 16


def test_a_forked_child_can_create_pools(photo):
    crop = cropkit.Crop(photo(), rect=BOX)
    with cropkit.Pool(jobs=1) as pool:
        pool.crop(crop)

        def child() -> None:
            with cropkit.Pool(jobs=1) as own:
                assert own.crop(crop).width == 16
            assert len(cropkit.crop_bytes(crop.input, rect=BOX)) > 0

        in_child(child)


def test_forking_while_threads_make_crops_harms_neither(photo):
    path = photo()
    with cropkit.Pool(jobs=2) as pool:
        widths: list[int] = []

        def work() -> None:
            crops = [cropkit.Crop(path, rect=(0, 0, 16 + number % 16, 16)) for number in range(200)]
            widths.extend(
                result.width - crop.how["rect"][2] for crop, result in zip(crops, pool.map(crops), strict=True)
            )

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(10):
            in_child(lambda: pool.crop(cropkit.Crop(path, rect=BOX)))
        for thread in threads:
            thread.join()
        assert widths == [0] * 600


_kept: cropkit.Pool | None = None


def kept_by_process(data: bytes, width: int) -> tuple[int, int]:
    """A pool that each process creates when it first needs one."""
    global _kept
    _kept = _kept or cropkit.Pool(jobs=1)
    return os.getpid(), _kept.crop(cropkit.Crop(data, rect=(0, 0, width, 16))).width


def with_an_inherited_pool(crop: cropkit.Crop) -> tuple[int, int]:
    assert _kept is not None
    return _kept.crop(crop).width, program_of(_kept)


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_processes_of_each_kind_make_their_own_pools(method):
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        made = list(executor.map(kept_by_process, [encoded()] * 12, range(16, 28), timeout=600))
    assert [width for _, width in made] == list(range(16, 28))
    assert os.getpid() not in {process for process, _ in made}


def test_a_global_pool_works_in_the_processes_of_multiprocessing(monkeypatch):
    crop = cropkit.Crop(encoded(), rect=BOX)
    with cropkit.Pool(jobs=1) as pool:
        monkeypatch.setattr(f"{__name__}._kept", pool)
        pool.crop(crop)
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as executor:
            made = list(executor.map(with_an_inherited_pool, [crop] * 4, timeout=600))
        assert [width for width, _ in made] == [16] * 4
        assert program_of(pool) not in {program for _, program in made}
        assert pool.crop(crop).width == 16


def test_a_pool_can_t_be_sent_to_another_process():
    with cropkit.Pool(jobs=1) as pool, pytest.raises(TypeError, match="make one in each process"):
        pickle.dumps(pool)


def test_an_event_loop_may_wait_for_crops(photo):
    path = photo()

    async def work() -> list[int]:
        crops = [cropkit.Crop(path, rect=(0, 0, 16, 1 + number)) for number in range(30)]
        results = await asyncio.gather(*(asyncio.wrap_future(pool.submit(crop)) for crop in crops))
        one = await asyncio.to_thread(cropkit.crop_bytes, path, rect=BOX)
        assert one[:2] == b"\xff\xd8"
        return [result.height for result in results]

    with cropkit.Pool(jobs=2) as pool:
        assert asyncio.run(work()) == list(range(1, 31))


def test_a_response_with_the_id_of_another_stream_is_rejected(tmp_path, monkeypatch):
    stranger = tmp_path / "stranger"
    answer = (
        '{"id": 1, "ok": true, "format": "jpeg", "size": {"width": 1, "height": 1}, "lossless": true, "warnings": []}'
    )
    stranger.write_text(f"#!/bin/sh\nread -r line\necho '{answer}'\ncat >/dev/null\n")
    stranger.chmod(0o755)
    monkeypatch.setenv("CROPKIT_PROGRAM", str(stranger))
    with cropkit.Pool(jobs=1) as pool, pytest.raises(cropkit.ProgramError) as caught:
        pool.crop(cropkit.Crop("photo.jpg", rect=BOX))
    assert caught.value.code == "answer-unreadable"
