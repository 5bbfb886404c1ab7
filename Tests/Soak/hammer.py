"""Two writers of one file, kills at random moments, files that shrink, full disks."""

import os
import re
import shutil
import signal
import subprocess
import time

from soak import LONG, PROGRAM, Soak, read, run, write

ROUNDS = 200 if LONG else 15
TEMPORARY = re.compile(r"\.cropkit-[0-9a-z]+\.tmp")


def start(*arguments):
    return subprocess.Popen(
        [PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)


def two_writers(soak, photo):
    """Whichever writer is last, the file is one of the two, complete."""
    rects = ("0,0,64,64", "16,16,160,112")
    wanted = []
    for rect in rects:
        run(["crop", photo, "--rect", rect, "-o", soak.path("wanted.jpg"), "--force"])
        wanted.append(read(soak.path("wanted.jpg")))
    os.mkdir(soak.path("two"))
    target = soak.path("two/out.jpg")
    for round in range(ROUNDS):
        force = ["--force"] if round % 2 else []
        if not force and os.path.exists(target):
            os.unlink(target)
        both = [start("crop", photo, "--rect", rect, "-o", target, *force) for rect in rects]
        ends = [process.wait(300) for process in both]
        soak.check(read(target) in wanted, f"two writers, round {round}: a mixture")
        expected = [0, 0] if force else [0, 73]
        soak.check(sorted(ends) == expected, f"two writers, round {round}: {ends}")
        soak.check(os.listdir(soak.path("two")) == ["out.jpg"], f"round {round}: files are left")


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def kills(soak, photo):
    """SIGKILL for the program or its worker: the old file or the new one remains, and no process."""
    os.mkdir(soak.path("kills"))
    target = soak.path("kills/out.png")
    crop = ["crop", photo, "--tilt", "3", "-o", target, "--force"]
    begun = time.monotonic()
    soak.check(run(crop).returncode == 0, "a crop to begin with")
    span = time.monotonic() - begun
    new = read(target)
    old = b"old" * 10000
    for round in range(ROUNDS):
        write(target, old)
        process = start(*crop)
        time.sleep(soak.random.random() * span * 1.1)
        workers = children(process.pid)
        victim = process.pid if round % 2 else (workers or [process.pid])[0]
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = process.wait(300)
        now = read(target)
        soak.check(now in (old, new), f"kill {round}: neither old nor new")
        # A worker that dies before it is ready counts as missing.
        soak.check(status in (0, -9, 69, 70), f"kill {round}: {status}")
        soak.check(status not in (69, 70) or now == old, f"kill {round}: failed and replaced")
        for name in set(os.listdir(soak.path("kills"))) - {"out.png"}:
            path = soak.path("kills/" + name)
            soak.check(TEMPORARY.fullmatch(name) and read(path) == new, f"kill {round}: {name}")
            os.unlink(path)
        end = time.monotonic() + 300
        while any(os.path.exists(f"/proc/{worker}") for worker in workers):
            if time.monotonic() > end:
                soak.check(False, f"kill {round}: a worker lives on")
                break
            time.sleep(0.01)


def shrinking(soak, photo):
    """A file that becomes shorter while it is read: an error, or the crop of the original."""
    whole = read(photo)
    target = soak.path("shrunk.png")
    for round in range(ROUNDS):
        path = soak.path("shrinking.jpg")
        write(path, whole)
        lossless = round % 2
        options = ["--rect", "16,16,160,112"] if lossless else ["--tilt", "2"]
        process = start("crop", path, *options, "-o", target, "--force")
        time.sleep(soak.random.random() * 0.06)
        os.truncate(path, soak.random.randrange(len(whole)))
        status = process.wait(300)
        soak.check(status in (0, 65, 74), f"shrinking, round {round}: {status}")
        os.unlink(path)


def full(soak, photo):
    """A full disk: the old file stays, and nothing else is left."""
    done = run(["crop", photo, "-o", "/dev/full", "--force", "--rect", "0,0,64,64"])
    soak.check(done.returncode == 74, f"/dev/full: {done.returncode}")
    disk = soak.path("disk")
    os.mkdir(disk)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True)
    if mounted.returncode != 0:
        return print("SKIPPED: a full disk, for no small disk can be mounted here")
    try:
        old = b"old" * 10000
        for name, options in (("out.png", ["--force"]), ("new.png", []), ("in.jpg", ["--in-place"])):
            path = os.path.join(disk, name)
            if name == "in.jpg":
                os.unlink(os.path.join(disk, "out.png"))
                shutil.copy(photo, path)
                words = ["crop", path, "--in-place", "--quality", "100", "--tilt", "1"]
            else:
                words = ["crop", photo, "-o", path, *options]
            if name == "out.png":
                write(path, old)
            before = read(path)
            done = run(words)
            soak.check(
                done.returncode in (0, 74) and (done.returncode == 0 or read(path) == before),
                f"full disk, {name}: {done.returncode}")
            soak.check(
                not any(TEMPORARY.fullmatch(other) for other in os.listdir(disk)),
                f"full disk, {name}: a temporary file is left")
    finally:
        subprocess.run(["umount", disk], check=False)


with Soak("hammer") as soak:
    photo = soak.photo()
    original = read(photo)
    for test in (two_writers, kills, shrinking, full):
        test(soak, photo)
    soak.check(read(photo) == original, "the original is changed")
