"""The share of damage to a JPEG's coded data that is told.

    Benchmarks/damage.py [COUNT [SEED [JPEG]]]      bin/cropkit is from `make build`; vips is libvips-tools

A JPEG of one scan (unless named, 12 megapixels of made noise, the same each time: quality 90, 4:2:0, the standard's
tables) is damaged COUNT times (1,000 unless told), a third each by one flipped bit, a run of 512 bytes that became
zeros, and two such runs that changed places; each place is drawn evenly from all bytes between the scan's header and
the file's last 1,026. Each damaged file is cropped twice, and what is counted is a refusal as damaged (status 65):
`whole` is a copy of all of it, for which the data are parsed to their end; `most` a crop on the grid that leaves 64
pixels at each edge.

The shares depend on the picture. Zeros are a valid code of a small coefficient in the standard's tables: they are told
by the MCUs that are missing or left over at the end, unless there are as many as before; restart markers in the run,
or tables made for the picture, tell of more. Runs that change places in a picture of much noise, whose blocks take
about as many bits everywhere, give as many MCUs as before more often than in a smooth one. What is not told is, but for
a few blocks, a valid stream: nothing in it says that it was another.
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
    """A copy with one damage of the kind behind `start`."""
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
    """Whether a crop of the file is refused as damaged."""
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
        told = is_told(path), is_told(path, *most)
        for made in (path, FOLDER / f"{path.name}.out.jpg"):
            made.unlink(missing_ok=True)
        return kind, told

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(trial, range(count)))
    print(f"{len(data):,} bytes (SHA-256 {hashlib.sha256(data).hexdigest()[:16]}), of them {len(data) - start:,} "
          f"coded; {count} damages, seed {seed}; told of whole and of {most[1]}")
    print("| | damages | whole | most |")
    print("|---|---|---|---|")
    for kind in (*KINDS, "all"):
        told = [told for found, told in answers if kind in (found, "all")]
        shares = [f"{100 * sum(one[way] for one in told) / len(told):.0f} %" for way in (0, 1)]
        print(f"| {kind} | {len(told)} | {shares[0]} | {shares[1]} |")


if __name__ == "__main__":
    main()
