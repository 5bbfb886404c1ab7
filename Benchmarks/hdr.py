"""A lossless crop of a 12-megapixel JPEG with a gain map of a quarter of its size, and one without.

    swift build --package-path Tools -c release --product cropkit      (and cropkit-worker; or make build)
    python3 -m venv .venv && .venv/bin/pip install Pillow numpy pyvips && .venv/bin/pip install pyvips-binary
    CROPKIT=Tools/.build/release/cropkit .venv/bin/python Benchmarks/hdr.py [ROUNDS]

Every round runs all of them alternately; the medians of wall time, CPU time and peak memory are compared. The
goal is a ratio of at most 1.3. For comparison, pyvips (libvips 8.18) decodes the photo with its map, crops it,
crops the map by hand and encodes both.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

sys.path.append(str(Path(__file__).resolve().parents[1] / "Tests/Peers"))
import gainmap  # noqa: E402

PROGRAM = os.environ.get("CROPKIT", "bin/cropkit")
#: Left, top, width and height, on the grid of the image's blocks and on that of the map's.
RECT = (384, 256, 3072, 2304)
VIPS = """
import sys, pyvips
left, top, width, height = map(int, sys.argv[3:])
image = pyvips.Image.uhdrload(sys.argv[1])
light = pyvips.Image.new_from_buffer(image.get("gainmap-data"), "").crop(left // 4, top // 4, width // 4, height // 4)
part = image.crop(left, top, width, height).copy()
part.set_type(pyvips.GValue.blob_type, "gainmap-data", light.jpegsave_buffer(Q=95))
# This map does not name its colors.
part.set_type(pyvips.GValue.gint_type, "gainmap-use-base-cg", 1)
part.uhdrsave(sys.argv[2], Q=92)
"""
#: A process that starts another counts its own memory as the other's, so this one has little.
MEASURE = """
import os, sys, time
start = time.perf_counter()
_, status, used = os.wait4(os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ), 0)
print(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
sys.exit(status != 0)
"""


def photo(path, plain):
    """An image of 4032 × 3024 pixels that is neither flat nor noise, with and without a map."""
    y, x = numpy.mgrid[0:3024, 0:4032]
    grain = numpy.random.default_rng(12).integers(0, 24, (3024, 4032, 3))
    waves = numpy.dstack([numpy.sin(x / 37) * numpy.cos(y / 53), numpy.sin((x + y) / 71), numpy.cos(x * y / 90_000)])
    base = (waves * 100 + 115 + grain).clip(0, 255).astype(numpy.uint8)
    light = base[2::4, 2::4, 0]
    data = gainmap.photo(base, numpy.ascontiguousarray(light), quality=92, map_quality=90)
    Path(path).write_bytes(data)
    Path(plain).write_bytes(data[: gainmap.end_of(data)])


def measured(command):
    """Wall time and CPU time in seconds, and peak memory in MB."""
    said = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, *command], check=True, capture_output=True, text=True)
    return tuple(map(float, said.stdout.splitlines()[-1].split()))


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        source, plain, out = f"{folder}/photo.jpg", f"{folder}/plain.jpg", f"{folder}/out.jpg"
        photo(source, plain)
        rect = ",".join(map(str, RECT))
        beside = ",".join(str(value + (16 if index < 2 else 0)) for index, value in enumerate(RECT))
        # On the photo's blocks but not on the samples of its map, whose new size is half the crop's.
        between = ",".join(str(value - (2 if index > 1 else 0)) for index, value in enumerate(RECT))

        def crop(name, part=rect):
            return [PROGRAM, "crop", name, "--rect", part, "-o", out, "--force"]

        commands = {
            "without a map": crop(plain, rect), "map cut": crop(source),
            "map re-coded": crop(source, beside), "map resampled": crop(source, between),
            "pyvips": [sys.executable, "-c", VIPS, source, out, *map(str, RECT)],
        }
        said = subprocess.run(commands["map re-coded"], check=True, capture_output=True, text=True)
        assert "lossless" in said.stdout + said.stderr and "re-coded" in said.stdout + said.stderr, said
        taken = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                taken[name].append(measured(command))
        medians = {name: [statistics.median(column) for column in zip(*all)] for name, all in taken.items()}
        print(time.strftime("%F, %R"), f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {rounds} rounds, "
              f"{os.path.getsize(source):,} bytes, of these {os.path.getsize(source) - os.path.getsize(plain):,} the map")
        base = medians["without a map"]
        for name, (clock, processor, memory) in medians.items():
            print(f"| {name} | {clock * 1000:.0f} ms | {processor * 1000:.0f} ms "
                  f"| {clock / base[0]:.2f} | {processor / base[1]:.2f} | {memory:.0f} MB |")


main()
