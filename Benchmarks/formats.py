"""Goal 4: crops of the other formats, CropKit's warm workers compared with `vips crop`.

    Benchmarks/formats.py [--cold] [ROUNDS [FORMAT…]]      bin/cropkit is from `make build`; vips is libvips-tools

Twelve megapixels in PNG, WebP, TIFF (tiles of 256², deflate and predictor), HEIC and AVIF, regions a to c, into
the same format. `batch` compares one `cropkit batch` with four crops of each of several images (as in goal h)
on 2 cores with a loop of `vips crop` on 2 cores; the four are the region, moved by up to 48 pixels. `warm`
compares the cost of the crop of one more image in a batch on one core with one run of `vips crop`. Both encode
at quality 90, and 4:2:0 for formats with chroma subsampling. Every round runs all of them alternately, and the
medians are compared.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = os.environ.get("CROPKIT", "bin/cropkit")
FOLDER = Path(os.environ.get("CROPKIT_BENCH", "/tmp/cropkit-bench")) / "formats"
REGIONS = [(1008, 752, 2016, 1504), (3456, 2448, 512, 512), (64, 64, 512, 512)]
SAVED = {
    "png": "", "webp": "[Q=90]", "tif": "[tile,tile-width=256,tile-height=256,compression=deflate,predictor=horizontal]",
    "heic": "[Q=90]", "avif": "[Q=90]",
}
CODED = {"png": "", "webp": "[Q=90]", "tif": "[compression=deflate,predictor=horizontal]",
         "heic": "[Q=90,subsample-mode=on]", "avif": "[Q=90,subsample-mode=on]"}


def picture():
    """Twelve megapixels of soft blobs and noise, similar to a photo."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    base = FOLDER / "base.v"
    if not base.exists():
        small = FOLDER / "small.v"
        subprocess.run(["vips", "gaussnoise", small, "252", "189", "--mean", "128", "--sigma", "40",
                        "--seed", "1"], check=True)
        large = FOLDER / "large.v"
        subprocess.run(["vips", "resize", small, large, "16"], check=True)
        noise = FOLDER / "noise.v"
        subprocess.run(["vips", "gaussnoise", noise, "4032", "3024", "--mean", "0", "--sigma", "4",
                        "--seed", "2"], check=True)
        gray = FOLDER / "gray.v"
        subprocess.run(["vips", "add", large, noise, gray], check=True)
        byte = FOLDER / "byte.v"
        subprocess.run(["vips", "cast", gray, byte, "uchar"], check=True)
        flipped = FOLDER / "flipped.v"
        subprocess.run(["vips", "flip", byte, flipped, "horizontal"], check=True)
        turned = FOLDER / "turned.v"
        subprocess.run(["vips", "flip", byte, turned, "vertical"], check=True)
        subprocess.run(["vips", "bandjoin", f"{byte} {flipped} {turned}", FOLDER / "rgb.v"], check=True)
        subprocess.run(["vips", "copy", FOLDER / "rgb.v", base, "--interpretation", "srgb"], check=True)
    return base


def pictures():
    """Makes the inputs."""
    base = picture()
    for suffix, options in SAVED.items():
        path = FOLDER / f"in.{suffix}"
        if not path.exists():
            subprocess.run(["vips", "copy", base, f"{path}{options}"], check=True, stderr=subprocess.DEVNULL)


def seconds(act):
    start = time.monotonic()
    act()
    return time.monotonic() - start


def processor(act):
    """Wall time and CPU time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = seconds(act)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shifted(region, step):
    """The region, moved."""
    x, y, width, height = region
    return x - 16 * step, y - 16 * step, width, height


def crops(suffix, region, pictures, each=1):
    """A list of crops: the input, the output's name and the region."""
    found = []
    for picture in range(pictures):
        # Links to one file, which both programs treat as separate images.
        path = FOLDER / f"in{picture}.{suffix}"
        if not path.exists():
            os.link(FOLDER / f"in.{suffix}", path)
        found += [(path, f"{picture}-{step}.{suffix}", shifted(region, step)) for step in range(each)]
    return found


def vips(suffix, crops, jobs):
    """A loop of `vips crop`."""
    lines = "\n".join(
        f"{path} {FOLDER}/v{name}{CODED[suffix]} {x} {y} {w} {h}" for path, name, (x, y, w, h) in crops)
    subprocess.run(["xargs", "-P", str(jobs), "-L", "1", "vips", "crop"], input=lines, text=True, check=True,
                   stderr=subprocess.DEVNULL)


def cropkit(suffix, crops, jobs, program=PROGRAM, options=None):
    """One batch."""
    lines = "\n".join(
        json.dumps({
            "input": str(path), "output": f"{FOLDER}/c{name}",
            "recipe": {"version": 1, "rect": dict(zip(("x", "y", "width", "height"), region))},
        }) for path, name, region in crops)
    if options is None:
        options = [] if suffix in ("png", "tif") else ["--subsampling", "420"]
    subprocess.run([program, "batch", "-", "--jobs", str(jobs), "--force", *options], input=lines, text=True,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def cold(rounds, formats):
    """Single crops, each with its complete start."""
    print("| format | region | `vips crop` | `cropkit crop` | ratio | of CPU |")
    print("|---|---|---|---|---|---|")
    for suffix in formats:
        tiny = FOLDER / f"tiny.{suffix}"
        if not tiny.exists():
            subprocess.run(["vips", "crop", FOLDER / "base.v", f"{tiny}{SAVED[suffix]}", "900", "900", "200", "120"],
                           check=True, stderr=subprocess.DEVNULL)
        whole = FOLDER / f"in.{suffix}"
        cases = [(name, whole, region) for name, region in zip("abcs", [*REGIONS, (1968, 1488, 64, 64)])]
        for name, path, region in [*cases, ("t", tiny, (8, 8, 64, 64))]:
            target, other = FOLDER / f"cold.{suffix}", f"{FOLDER}/vcold.{suffix}{CODED[suffix]}"
            # On a busy machine, a HEIC or AVIF image may take longer than the default limit.
            words = [PROGRAM, "crop", path, "-o", target, "--force", "--limit-seconds", "600",
                     "--rect", ",".join(map(str, region))]
            words += [] if suffix in ("png", "tif") else ["--subsampling", "420"]
            ours, theirs = [], []
            for _ in range(rounds):
                quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
                theirs.append(processor(lambda: subprocess.run(["vips", "crop", path, other, *map(str, region)], **quiet)))
                ours.append(processor(lambda: subprocess.run(words, **quiet)))
            (v, vc), (c, cc) = ([statistics.median(side) for side in zip(*all)] for all in (theirs, ours))
            print(f"| {suffix} | {name} | {v * 1000:.0f} ms | {c * 1000:.0f} ms | {c / v:.2f} | {cc / vc:.2f} |", flush=True)


def main():
    words = sys.argv[1:]
    single = words[:1] == ["--cold"]
    words = words[1:] if single else words
    rounds = int(words[0]) if words else 3
    formats = words[1:] or list(SAVED)
    pictures()
    if single:
        return cold(rounds, formats)
    print("| format | region | `vips crop` | warm worker | ratio | batch of vips | batch of cropkit | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for suffix in formats:
        # A batch distributes the cost of starting workers; `vips crop` takes seconds for each HEIC or AVIF
        # image.
        many, files = (2, 2) if suffix in ("heic", "avif") else (4, 12)
        for name, region in zip("abc", REGIONS):
            loops, batches, single, warm = [], [], [], []
            for _ in range(rounds):
                single.append(seconds(lambda: vips(suffix, crops(suffix, region, 1), 1)))
                one = seconds(lambda: cropkit(suffix, crops(suffix, region, 1), 1))
                more = seconds(lambda: cropkit(suffix, crops(suffix, region, 1 + many), 1))
                warm.append((more - one) / many)
                loops.append(seconds(lambda: vips(suffix, crops(suffix, region, files, 4), 2)))
                batches.append(seconds(lambda: cropkit(suffix, crops(suffix, region, files, 4), 2)))
            v, c, lv, lc = map(statistics.median, (single, warm, loops, batches))
            print(f"| {suffix} | {name} | {v * 1000:.0f} ms | {c * 1000:.0f} ms | {c / v:.2f} "
                  f"| {lv:.2f} s | {lc:.2f} s | {lc / lv:.2f} |", flush=True)


if __name__ == "__main__":
    main()
