"""Measures how much of the damage to a JPEG's coded data is detected.

    Benchmarks/damage.py [COUNT [SEED [JPEG]]]      bin/cropkit is from `make build`; vips is libvips-tools

A JPEG with one scan (by default, 12 megapixels of generated noise, always the same: quality 90, 4:2:0, the
standard's tables) is damaged COUNT times (default: 1,000). A third of them have one flipped bit, a third a
run of 512 bytes that are set to zero, and a third two such runs that are swapped; positions are distributed
evenly over all bytes between the scan's header and the file's last 1,026. Each damaged file is cropped twice,
and a crop counts if it is rejected as damaged (status 65): `whole` copies the complete image, for which the
data are parsed to their end; `most` crops on the grid and leaves out 64 pixels at each edge.

The shares depend on the image. Zeros are a valid code of a small coefficient in the standard's tables. They are
only detected by missing or additional MCUs at the end, unless there are as many as before; restart markers in
the run, or tables that were optimized for the image, reveal more. Swapped runs in an image with much noise,
whose blocks take about as many bits everywhere, more often give the same number of MCUs than in a smooth one.
Damage that is not detected gives, except for a few blocks, a valid stream: nothing in it shows that it was
different.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from formats import FOLDER, PROGRAM, picture

RUN = 512
KINDS = ("flipped bits", "zeroed runs", "swapped runs")


def damaged(data, start, chance, kind):
    """A copy with damage of one kind after `start`."""
    copy = bytearray(data)
    place = chance.randrange(start, len(data) - 2 * RUN - 2)
    if kind == KINDS[0]:
        copy[place] ^= 1 << chance.randrange(8)
    elif kind == KINDS[1]:
        copy[place:place + RUN] = bytes(RUN)
    else:
        other = chance.randrange(start, len(data) - 2 * RUN - 2)
        while abs(other - place) < RUN:
            other = chance.randrange(start, len(data) - 2 * RUN - 2)
        copy[place:place + RUN] = data[other:other + RUN]
        copy[other:other + RUN] = data[place:place + RUN]
    return bytes(copy)


def is_told(path, *options):
    """Whether a crop of the file is rejected as damaged."""
    done = subprocess.run(
        [PROGRAM, "crop", path, "-o", f"{path}.out.jpg", "--force", *options], capture_output=True)
    if done.returncode not in (0, 65):
        sys.exit(f"{path}: {done.returncode}: {done.stderr.decode()}")
    return done.returncode == 65


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if len(sys.argv) > 3:
        sound = FOLDER / "named.jpg"
        FOLDER.mkdir(parents=True, exist_ok=True)
        sound.write_bytes(open(sys.argv[3], "rb").read())
    else:
        sound = FOLDER / "sound.jpg"
        subprocess.run(["vips", "jpegsave", picture(), sound, "--Q", "90"], check=True)
    data = sound.read_bytes()
    start = data.rindex(b"\xff\xda")
    start += 2 + int.from_bytes(data[start + 2:start + 4])
    info = subprocess.run([PROGRAM, "info", "--json", sound], capture_output=True, check=True)
    width, height = (json.loads(info.stdout)["shown"][side] for side in ("width", "height"))
    most = ["--rect", f"64,64,{width - 128},{height - 128}"]
    if is_told(sound) or is_told(sound, *most):
        sys.exit("the sound file is refused")

    def trial(number):
        kind = KINDS[number % len(KINDS)]
        path = FOLDER / f"damaged-{number}.jpg"
        path.write_bytes(damaged(data, start, random.Random(seed * 1_000_003 + number), kind))
        reported = is_told(path), is_told(path, *most)
        for made in (path, FOLDER / f"{path.name}.out.jpg"):
            made.unlink(missing_ok=True)
        return kind, reported

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(trial, range(count)))
    print(f"{len(data):,} bytes (SHA-256 {hashlib.sha256(data).hexdigest()[:16]}), of them {len(data) - start:,} "
          f"coded; {count} damages, seed {seed}; told of whole and of {most[1]}")
    print("| | damages | whole | most |")
    print("|---|---|---|---|")
    for kind in (*KINDS, "all"):
        reported = [reported for found, reported in answers if kind in (found, "all")]
        shares = [f"{100 * sum(one[way] for one in reported) / len(reported):.0f} %" for way in (0, 1)]
        print(f"| {kind} | {len(reported)} | {shares[0]} | {shares[1]} |")


if __name__ == "__main__":
    main()
