"""Lossless crops of 12 megapixels where the programs don't run: anywhere.py [ROUNDS]

The package cropkit for Node, once loaded and as a command, and the Python package by wasmtime (needs wasmtime and
Pillow), compared with jpegtran and Pillow. Elapsed times, medians; the programs run alternately. The modules must be
built: `make package`.
"""

import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Python/src"))
WIDTH, HEIGHT = 4032, 3024
X, Y, W, H = RECT = (512, 384, 3000, 2000)


def timed(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def pillow(folder):
    with Image.open(f"{folder}/in.jpg") as image:
        image.crop((X, Y, X + W, Y + H)).save(f"{folder}/pillow.jpg", quality=90, subsampling=2)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    os.environ.pop("CROPKIT_PROGRAM", None)
    import cropkit
    from cropkit import _program

    has_jpegtran = shutil.which("jpegtran") is not None
    # Even if the program is on the path.
    _program._program = lambda: None
    assert cropkit.programs().engine == "wasmtime", cropkit.programs()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        photo = Image.open(ROOT / "Samples/still-life.jpg").convert("RGB").resize((WIDTH, HEIGHT), Image.LANCZOS)
        photo.save(f"{folder}/in.jpg", quality=90, subsampling=2)
        rect = ",".join(map(str, RECT))
        command = ["node", ROOT / "Web/Program/command.js", "crop", "in.jpg", "--rect", rect, "-q", "--force", "-o", "out.jpg"]
        jpegtran = ["jpegtran", "-copy", "all", "-crop", f"{W}x{H}+{X}+{Y}", "-outfile", "jpegtran.jpg", "in.jpg"]

        def run(words):
            return lambda: subprocess.run([str(word) for word in words], cwd=folder, check=True)

        first = timed(lambda: cropkit.crop_bytes(f"{folder}/in.jpg", rect=RECT))
        works = {
            "jpegtran": run(jpegtran),
            "the command in Node, start included": run(command),
            "Python by wasmtime": lambda: cropkit.crop_bytes(f"{folder}/in.jpg", rect=RECT),
            "Pillow, quality 90": lambda: pillow(folder),
        }
        if not has_jpegtran:
            del works["jpegtran"]
        times = {name: [] for name in works}
        for _ in range(rounds):
            for name in random.sample(list(works), len(works)):
                times[name].append(timed(works[name]))
        script = ["node", ROOT / "Benchmarks/anywhere.mjs", f"{folder}/in.jpg", rounds, *RECT]
        made = subprocess.run([str(word) for word in script], check=True, capture_output=True, text=True)
        node = json.loads(made.stdout)
        times["Node, once loaded"] = node[1:]
    middle = {name: statistics.median(some) for name, some in times.items()}
    for name, value in middle.items():
        print(f"{name:36} {value:7.1f} ms")
    print(f"{'Node, first crop':36} {node[0]:7.1f} ms")
    print(f"{'Python by wasmtime, first crop':36} {first:7.1f} ms")
    if "jpegtran" in middle:
        print(f"Node, once loaded / jpegtran {middle['Node, once loaded'] / middle['jpegtran']:.2f} (0.50)")
    print(f"the command, start included {middle['the command in Node, start included']:.0f} ms (150)")


if __name__ == "__main__":
    main()
