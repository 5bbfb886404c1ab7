"""Six targets of one 12-megapixel JPEG in one run, compared with six single crops.

    swift build --package-path Tools -c release --product cropkit      (or make build)
    python3 -m venv .venv && .venv/bin/pip install Pillow numpy
    CROPKIT=Tools/.build/release/cropkit .venv/bin/python Benchmarks/targets.py [ROUNDS]

Every round runs all of them alternately, the single crops with the targets' rectangles; the medians of wall
time and CPU time are compared. The goal is a ratio of at most 0.5.
"""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from PIL import Image

PROGRAM = os.environ.get("CROPKIT", "bin/cropkit")
FOCUS = "0.42,0.30"


def photo(path):
    """An image of 4032 × 3024 pixels that is neither flat nor noise."""
    y, x = numpy.mgrid[0:3024, 0:4032]
    grain = numpy.random.default_rng(12).integers(0, 24, (3024, 4032, 3))
    waves = numpy.dstack([numpy.sin(x / 37) * numpy.cos(y / 53), numpy.sin((x + y) / 71), numpy.cos(x * y / 90_000)])
    Image.fromarray((waves * 100 + 115 + grain).clip(0, 255).astype(numpy.uint8)).save(path, quality=92)


def timed(*commands):
    """Wall time and CPU time in seconds."""
    used, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    for command in commands:
        subprocess.run([PROGRAM, *command], check=True, capture_output=True)
    clock, now = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as folder:
        source, out = f"{folder}/photo.jpg", f"{folder}/out"
        photo(source)
        together = ["targets", source, "--set", "social", "--focus", FOCUS, "-d", out, "--force"]
        lines = subprocess.run([PROGRAM, *together, "--json"], check=True, capture_output=True, text=True).stdout
        alone = []
        for report in map(json.loads, lines.splitlines()):
            rect = report["rect"]
            words = ["crop", source, "--rect", ",".join(f"{rect[key]:.0f}" for key in ("x", "y", "width", "height")),
                     "-o", f"{folder}/{report['target']}.jpg", "--force"]
            if report["width"] != rect["width"]:
                words += ["--size", f"{report['width']}x{report['height']}"]
            alone.append(words)
        one_job = [*together, "--jobs", "1"]
        taken = {"six crops": [], "six targets": [], "six targets, --jobs 1": []}
        for _ in range(rounds):
            for name, commands in zip(taken, (alone, [together], [one_job])):
                shutil.rmtree(out, ignore_errors=True)
                taken[name].append(timed(*commands))
        medians = {name: [statistics.median(column) for column in zip(*all)] for name, all in taken.items()}
        print(time.strftime("%F, %R"), f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {rounds} rounds")
        base = medians["six crops"]
        for name, (clock, processor) in medians.items():
            print(f"| {name} | {clock * 1000:.0f} ms | {processor * 1000:.0f} ms "
                  f"| {clock / base[0]:.2f} | {processor / base[1]:.2f} |")


main()
