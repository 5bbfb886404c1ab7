"""Straightens four corners of 12 megapixels, CropKit compared with OpenCV: time and peak memory.

    make build
    python3 -m venv .venv && .venv/bin/pip install opencv-python-headless
    .venv/bin/python Benchmarks/quads.py PHOTO [ROUNDS]

From a 17-megapixel JPEG to a JPEG of 4000 × 3000: decoding, straightening (bicubic, edge pixels extended) and
encoding (quality 90, 4:2:0) in both, alternately, with as many threads as each chooses. OpenCV's `imread`,
`warpPerspective` and `imwrite` run in a process that was started before. So does `pool`, one more crop of a
`cropkit batch --stream`; `command` is a new `cropkit crop` with its worker, which is also compared with OpenCV
in a new process. Memory is the peak of the largest process.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = os.environ.get("CROPKIT", "bin/cropkit")
SIZE, RESULT = (4800, 3600), (4000, 3000)
QUAD = [(310.5, 240.25), (4402, 352.5), (4331.25, 3290), (420, 3345.5)]
#: The maximum memory of a worker.
LIMIT = "512M"

PEER = """
import json, resource, sys, time
import cv2, numpy as np
path, out, corners, size = json.loads(sys.stdin.readline())
flat = np.float32([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]])
# OpenCV counts from pixel centers.
matrix = cv2.getPerspectiveTransform(flat - 0.5, np.float32(corners) - 0.5)
def straighten():
    wall, processor = time.perf_counter(), time.process_time()
    picture = cv2.imread(path)
    made = cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)
    cv2.imwrite(out, made, [
        cv2.IMWRITE_JPEG_QUALITY, 90, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420])
    return time.perf_counter() - wall, time.process_time() - processor
if "once" in sys.argv:
    straighten()
for line in sys.stdin:
    print(json.dumps([*straighten(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]), flush=True)
"""


def spent(act):
    """Wall time and CPU time in seconds of the processes that started and ended during `act`."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    act()
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def processor(root):
    """CPU time in seconds of a running process and its children."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if root in (int(stat.parent.name), int(fields[1])):
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def most_held():
    """The peak memory in MiB of all processes that have ended so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def photo(source, folder):
    from PIL import Image

    path = folder / "in.jpg"
    Image.open(source).convert("RGB").resize(SIZE, Image.Resampling.LANCZOS).save(path, quality=90)
    return path


def main(source, rounds):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, corners = photo(source, folder), ",".join(f"{x},{y}" for x, y in QUAD)
        size = "x".join(map(str, RESULT))
        ours = [
            PROGRAM, "crop", path, "-o", folder / "out.jpg", "--force", "--quad", corners, "--size", size,
            "--quality", "90", "--limit-memory", LIMIT]
        peer = subprocess.Popen(
            [sys.executable, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        peer.stdin.write(json.dumps([str(path), str(folder / "peer.jpg"), QUAD, RESULT]) + "\n")
        pool = subprocess.Popen(
            [PROGRAM, "batch", "--stream", "-", "--jobs", "1", "--quality", "90", "--limit-memory", LIMIT],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        names = (str(folder / f"{number}.jpg") for number in range(rounds + 1))

        def one():
            line = {"input": str(path), "output": next(names), "quad": corners, "size": size}
            pool.stdin.write(json.dumps(line) + "\n")
            pool.stdin.flush()
            answer = json.loads(pool.stdout.readline())
            assert answer["ok"], answer

        def warm():
            wall, before = time.perf_counter(), processor(pool.pid)
            one()
            return time.perf_counter() - wall, processor(pool.pid) - before

        one()
        def peer_once():
            given = json.dumps([str(path), str(folder / "peer.jpg"), QUAD, RESULT]) + "\n"
            subprocess.run([sys.executable, "-c", PEER, "once"], input=given, check=True, text=True)

        times = {"OpenCV": [], "pool": [], "OpenCV, a new process": [], "command": []}
        most, held = 0, 0
        for _ in range(rounds):
            peer.stdin.write("\n")
            peer.stdin.flush()
            *taken, most = json.loads(peer.stdout.readline())
            times["OpenCV"].append(taken)
            times["pool"].append(warm())
            command = spent(lambda: subprocess.run(
                ours, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            times["command"].append(command)
            held = max(held, most_held() if not times["OpenCV, a new process"] else 0)
            times["OpenCV, a new process"].append(spent(peer_once))
        for process in (peer, pool):
            process.stdin.close()
            process.wait()
        print("| | clock | processor | of OpenCV's clock | of its processor | memory |\n|---|---|---|---|---|---|")
        theirs = (1, 1)
        for what, taken in times.items():
            wall, busy = (statistics.median(column) for column in zip(*taken, strict=True))
            if "OpenCV" in what:
                theirs = (wall, busy)
            memory = {"OpenCV": f"{most:.0f} MiB", "command": f"{held:.0f} MiB"}.get(what, "")
            print(f"| {what} | {wall * 1000:.0f} ms | {busy * 1000:.0f} ms | {wall / theirs[0]:.2f} "
                  f"| {busy / theirs[1]:.2f} | {memory} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 15)
