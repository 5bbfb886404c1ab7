"""Two builds of CropKit in one run: whether a change has made anything slower.

    Benchmarks/versions.py OLD NEW [ROUNDS]      two folders, each with a cropkit and its cropkit-worker

The pictures and regions are those of formats.py, and a JPEG of the same pixels, cut without loss and coded
anew. `single` is one crop with all it takes to start, `batch` four crops of each of several pictures on 2
cores. Every round runs both builds in turn; the medians are compared, by the clock and by processor time.
"""

import statistics
import subprocess
import sys

import formats
from formats import FOLDER, REGIONS

WAYS = {
    "jpg lossless": ("jpg", ["--lossless", "snap"]), "jpg quality 90": ("jpg", ["--lossless", "never", "--quality", "90"]),
    "png": ("png", []), "webp": ("webp", ["--subsampling", "420"]), "tif": ("tif", []),
    "heic": ("heic", ["--subsampling", "420"]), "avif": ("avif", ["--subsampling", "420"]),
}


def single(program, suffix, options):
    """One crop of half of each side."""
    subprocess.run([program, "crop", FOLDER / f"in.{suffix}", "-o", FOLDER / f"version.{suffix}", "--force",
                    "--limit-seconds", "600", "--rect", ",".join(map(str, REGIONS[0])), *options],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def batch(program, suffix, options):
    """Many small crops; few of the formats that take seconds for each."""
    crops = formats.crops(suffix, REGIONS[1], 2 if suffix in ("heic", "avif") else 12, 4)
    formats.cropkit(suffix, crops, 2, program, options)


def main():
    old, new = (f"{folder}/cropkit" for folder in sys.argv[1:3])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    formats.SAVED["jpg"] = "[Q=90]"
    formats.pictures()
    print("| what | single: old | new | ratio | of CPU | batch: old | new | ratio | of CPU |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, (suffix, options) in WAYS.items():
        cells = []
        for act in (single, batch):
            taken = {old: [], new: []}
            for turn in range(rounds):
                # Neither is always the first.
                for program in (old, new) if turn % 2 else (new, old):
                    taken[program].append(formats.processor(lambda: act(program, suffix, options)))
            (o, oc), (n, nc) = ([statistics.median(side) for side in zip(*taken[program])] for program in (old, new))
            cells += [f"{o * 1000:.0f} ms", f"{n * 1000:.0f} ms", f"{n / o:.2f}", f"{nc / oc:.2f}"]
        print("|", " | ".join([name, *cells]), "|", flush=True)


if __name__ == "__main__":
    main()
