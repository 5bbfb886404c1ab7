"""Batches with one bad line in twenty: counts, order, memory, and resuming after SIGKILL."""

import json
import os
import signal
import subprocess
import time

from soak import LONG, PROGRAM, Soak, read, write

LINES = 10_000 if LONG else 600


def manifest(soak, photos, count):
    """A list of `count` crops, one in twenty bad, with several crops of each photo next to each other."""
    bad = 0
    with open(soak.path("list.jsonl"), "w") as file:
        for number in range(count):
            line = {
                "input": photos[number // 4 % len(photos)], "output": f"out/{number}.jpg",
                "recipe": {"rect": {"x": number % 9 * 16, "y": number % 7 * 16,
                                    "width": 48, "height": 32}}}
            text = json.dumps(line)
            if number % 20 == 11:
                bad += 1
                kind = number // 20 % 5
                if kind == 0:
                    line["input"] = f"missing-{number}.jpg"
                elif kind == 1:
                    line["recipe"]["rect"]["x"] = 10**9
                elif kind == 2:
                    line["input"] = "broken.jpg"
                elif kind == 3:
                    line["output"] = f"broken.jpg/{number}.jpg"
                text = json.dumps(line) if kind < 4 else text[:40]
            file.write(text + "\n")
    return bad


def peak(process):
    """The peak memory of a process in KiB; 0 if it has exited."""
    try:
        with open(f"/proc/{process.pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def batch(soak, *options, kill_at=None, list_name="list.jsonl"):
    """Runs the batch and kills it when there are this many outputs; returns its status, its peak memory and
    its output."""
    most = 0
    with open(soak.path("results"), "wb") as out, open(soak.path("errors"), "wb") as errors:
        process = subprocess.Popen(
            [PROGRAM, "batch", soak.path(list_name), *options], stdout=out, stderr=errors,
            stdin=subprocess.DEVNULL)
        while process.poll() is None:
            most = max(most, peak(process))
            if kill_at is not None and len(os.listdir(soak.path("out"))) >= kill_at:
                process.send_signal(signal.SIGKILL)
                kill_at = None
            time.sleep(0.002)
    return process.returncode, most, read(soak.path("results")).splitlines()


def targets(soak, photos, originals):
    """Lines with three targets each, one in twenty bad, killed and resumed."""
    for name in os.listdir(soak.path("out")):
        os.unlink(soak.path("out/" + name))
    places = {"targets": [{"name": "square", "ratio": "1:1"}, {"name": "wide", "ratio": "16:9"},
                          {"name": "card", "size": {"width": 32, "height": 24}}]}
    lines = LINES if LONG else LINES // 4
    reported, failed = [], 0
    with open(soak.path("targets.jsonl"), "w") as file:
        for number in range(lines):
            line = {"input": photos[number // 4 % len(photos)], "directory": "out", "targets": places,
                    "name": f"{number}-{{target}}.{{ext}}", "focus": {"x": number % 11 / 10, "y": 0.4}}
            count = 3
            if number % 20 == 7:
                if number % 40 == 7:
                    line["input"] = f"missing-{number}.jpg"
                else:
                    line["targets"], count = "nowhere", 1
                failed += count
            reported += [number + 1] * count
            file.write(json.dumps(line) + "\n")
    wanted, killed = len(reported) - failed, 0
    for share in sorted(soak.random.random() for _ in range(3)):
        status, _, _ = batch(soak, "--resume", kill_at=int(share * wanted), list_name="targets.jsonl")
        killed += status == -9
        strays = [name for name in os.listdir(soak.path("out")) if not name[0].isdigit()]
        soak.check(not strays, f"left after the kill: {strays}")
    soak.check(killed > 0, "no batch of targets was killed in the middle")
    there = len(os.listdir(soak.path("out")))
    status, most, results = batch(soak, "--resume", list_name="targets.jsonl")
    outcomes = [json.loads(line) for line in results]
    soak.check(status == 1, f"the status is {status}")
    soak.check([line["line"] for line in outcomes] == reported, "the order of the targets")
    soak.check(sum(not line["ok"] for line in outcomes) == failed, "the count of bad targets")
    skipped = sum(line.get("skipped", False) for line in outcomes)
    soak.check(skipped == there, f"{skipped} skipped of {there} that were done")
    names = os.listdir(soak.path("out"))
    soak.check(len(names) == wanted, f"{len(names)} outputs of {wanted}")
    soak.check(all(read(soak.path(name)) == bytes for name, bytes in originals.items()), "an original")
    made = {name: read(soak.path("out/" + name)) for name in names}
    status, _, results = batch(soak, "--force", "--jobs", "3", list_name="targets.jsonl")
    soak.check(status == 1 and len(results) == len(reported), f"once more: {status}")
    for name, content in made.items():
        soak.check(read(soak.path("out/" + name)) == content, f"{name} differs")
    print(f"batches: {lines} lines of targets, {wanted} results, peak {most} KiB")


def main():
    with Soak("batches") as soak:
        photos = [os.path.basename(soak.photo(f"{name}.jpg")) for name in range(5)]
        originals = {name: read(soak.path(name)) for name in photos}
        write(soak.path("broken.jpg"), originals[photos[0]][:1000])
        os.mkdir(soak.path("out"))

        # A tenth first, to compare the memory.
        manifest(soak, photos, max(20, LINES // 10))
        _, small, _ = batch(soak)
        for name in os.listdir(soak.path("out")):
            os.unlink(soak.path("out/" + name))

        bad = manifest(soak, photos, LINES)
        # Killed at random moments and resumed each time. A batch may finish before it is killed; then all
        # outputs exist.
        killed = 0
        for share in sorted(soak.random.random() for _ in range(4)):
            status, _, _ = batch(soak, "--resume", kill_at=int(share * (LINES - bad)))
            killed += status == -9
            done = sum(name[0].isdigit() for name in os.listdir(soak.path("out")))
            soak.check(
                status == -9 or (status == 1 and done == LINES - bad),
                f"ended with {status} and not by the kill, {done} outputs made")
            names = os.listdir(soak.path("out"))
            strays = [name for name in names if not name[0].isdigit()]
            soak.check(not strays, f"left after the kill: {strays}")
        soak.check(killed > 0, "no batch was killed in the middle")
        before = {name: os.stat(soak.path("out/" + name)).st_mtime_ns
                  for name in os.listdir(soak.path("out"))}
        status, most, reported = batch(soak, "--resume")
        outcomes = [json.loads(line) for line in reported]
        soak.check(status == 1, f"the status is {status}")
        soak.check([line["line"] for line in outcomes] == list(range(1, LINES + 1)), "the order")
        soak.check(sum(not line["ok"] for line in outcomes) == bad, "the count of bad lines")
        last = read(soak.path("errors")).splitlines()[-1].decode()
        soak.check(last == f"cropkit: {bad} of {LINES} crops failed", f"it ends with {last}")
        skipped = sum(line.get("skipped", False) for line in outcomes)
        soak.check(skipped == len(before), f"{skipped} skipped of {len(before)} that were done")
        for name, moment in before.items():
            soak.check(
                os.stat(soak.path("out/" + name)).st_mtime_ns == moment, f"{name} was made twice")
        soak.check(len(os.listdir(soak.path("out"))) == LINES - bad, "the count of outputs")
        soak.check(most < small + 16 * 1024, f"{most} KiB where a tenth takes {small}")
        soak.check(
            all(read(soak.path(name)) == bytes for name, bytes in originals.items()), "an original")

        # Running it again without interruption gives the same files.
        made = {name: read(soak.path("out/" + name)) for name in os.listdir(soak.path("out"))}
        status, _, reported = batch(soak, "--force", "--jobs", "3")
        soak.check(status == 1 and len(reported) == LINES, f"once more: {status}")
        for name, content in made.items():
            soak.check(read(soak.path("out/" + name)) == content, f"{name} differs")
        print(f"batches: {LINES} lines, {bad} bad, peak {most} KiB, a tenth {small} KiB")
        targets(soak, photos, originals)


main()
