"""Compares two builds of CropKit in one run, to show whether a change has made anything slower.

    Benchmarks/versions.py [--single] OLD NEW [ROUNDS]   two folders, each with a cropkit and its cropkit-worker

The images and regions are those of formats.py, and a JPEG and a GIF of the same pixels; the JPEG is cropped losslessly
and re-encoded. `single` is one crop with its complete start (20 runs of a command that only starts), `batch`
four crops of each of several images on 2 cores. Every round runs both builds alternately; the medians of wall time and
CPU time are compared, and the sizes of the programs.
"""

import statistics
import subprocess
import sys
from pathlib import Path

import formats
from formats import FOLDER, REGIONS

STARTS = {"--version": ["--version"], "info of a JPEG": ["info", FOLDER / "in.jpg"]}
WAYS = {
    "jpg lossless": ("jpg", ["--lossless", "snap"]), "jpg quality 90": ("jpg", ["--lossless", "never", "--quality", "90"]),
    "png": ("png", []), "webp": ("webp", ["--subsampling", "420"]), "tif": ("tif", []), "gif": ("gif", []),
    "heic": ("heic", ["--subsampling", "420"]), "avif": ("avif", ["--subsampling", "420"]),
}


def started(program, words):
    """Twenty starts."""
    for _ in range(20):
        subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL)


def single(program, suffix, options):
    """One crop with half of each side."""
    subprocess.run([program, "crop", FOLDER / f"in.{suffix}", "-o", FOLDER / f"version.{suffix}", "--force",
                    "--limit-seconds", "600", "--rect", ",".join(map(str, REGIONS[0])), *options],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def batch(program, suffix, options):
    """Many small crops; only a few for formats that take seconds each."""
    crops = formats.crops(suffix, REGIONS[1], 2 if suffix in ("heic", "avif") else 12, 4)
    formats.cropkit(suffix, crops, 2, program, options)


def compared(old, new, rounds, act):
    """The cells of a table: what `act` takes with both programs, by the clock and of the processor."""
    taken = {old: [], new: []}
    for turn in range(rounds):
        # The builds take turns to be first.
        for program in (old, new) if turn % 2 else (new, old):
            taken[program].append(formats.processor(lambda: act(program)))
    (o, oc), (n, nc) = ([statistics.median(side) for side in zip(*taken[program])] for program in (old, new))
    return [f"{o * 1000:.0f} ms", f"{n * 1000:.0f} ms", f"{n / o:.2f}",
            f"{oc * 1000:.1f} ms", f"{nc * 1000:.1f} ms", f"{nc / oc:.3f}"]


def main():
    acts = [single] if "--single" in sys.argv else [single, batch]
    folders, rounds = [word for word in sys.argv[1:] if word != "--single"], 7
    if len(folders) > 2:
        rounds = int(folders.pop())
    old, new = (f"{folder}/cropkit" for folder in folders)
    formats.SAVED |= {"jpg": "[Q=90]", "gif": ""}
    formats.pictures()
    heads = "".join(f" {act.__name__}: old | new | ratio | CPU: old | new | ratio |" for act in acts)
    print(f"| what |{heads}\n|---{'|---' * 6 * len(acts)}|")
    for name, words in STARTS.items():
        print("|", " | ".join([name, *compared(old, new, rounds, lambda program: started(program, words))]), "|", flush=True)
    for name, (suffix, options) in WAYS.items():
        cells = [cell for act in acts for cell in compared(
            old, new, rounds, lambda program, act=act: act(program, suffix, options))]
        print("|", " | ".join([name, *cells]), "|", flush=True)
    for name in ("cropkit", "cropkit-worker"):
        o, n = (Path(folder, name).stat().st_size for folder in folders)
        print(f"{name}: {o:,} and {n:,} bytes, {n / o:.3f}")


if __name__ == "__main__":
    main()
