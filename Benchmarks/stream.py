"""Lines per second of `cropkit batch --stream`: a lossless crop of a tiny JPEG, compared with a complete list.

    python3 Benchmarks/stream.py [LINES] [ROUNDS]

CROPKIT is measured, by default bin/cropkit. Lines come from a file and responses go to /dev/null, so that
neither writer nor reader is measured; the medians are printed. The files of "to files" are flushed to the disk
of CROPKIT_BENCH.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time

FOLDER = os.environ.get("CROPKIT_BENCH", "/tmp/cropkit-bench")
PROGRAM = os.path.abspath(os.environ.get("CROPKIT", "bin/cropkit"))
LINES = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
PLACE = f"{FOLDER}/stream"
RECT = {"rect": {"x": 16, "y": 16, "width": 48, "height": 32}}


def picture():
    path = f"{PLACE}/tiny.jpg"
    pixels = bytes((x * 2 + y * (channel + 1)) % 256 for y in range(64) for x in range(96)
                   for channel in range(3))
    subprocess.run(["cjpeg", "-quality", "90", "-outfile", path], check=True,
                   input=b"P6 96 64 255\n" + pixels)
    with open(path, "rb") as file:
        return path, file.read()


def lines(name, count, pictures, content, to_files, as_bytes):
    """Writes a file of lines, each about the next image."""
    with open(name, "wb") as file:
        for number in range(count):
            fields = {"input": pictures[number % len(pictures)], "recipe": RECT}
            fields["output"] = f"{PLACE}/out/{number}.jpg" if to_files else {"bytes": True}
            if as_bytes:
                fields["input"] = {"bytes": len(content)}
            file.write(json.dumps(fields).encode() + b"\n" + (content if as_bytes else b""))


def run(name, *options):
    """Wall time and CPU time in seconds, and peak memory in MiB."""
    shutil.rmtree(f"{PLACE}/out", ignore_errors=True)
    os.makedirs(f"{PLACE}/out")
    os.sync()
    with open(name, "rb") as file, open("/dev/null", "wb") as out:
        begun = time.monotonic()
        process = subprocess.Popen([PROGRAM, "batch", "-", *options], stdin=file, stdout=out, stderr=out)
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{name}: status {status}")
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    os.makedirs(PLACE, exist_ok=True)
    path, content = picture()
    copies = [f"{PLACE}/{number}.jpg" for number in range(100)]
    for copy in copies:
        shutil.copy(path, copy)
    few = max(100, LINES // 10)
    kinds = {
        "batch, to files": (few, [path], True, False, []),
        "stream, to files": (few, [path], True, False, ["--stream"]),
        "stream, one picture to bytes": (LINES, [path], False, False, ["--stream"]),
        "stream, other pictures to bytes": (LINES, copies, False, False, ["--stream"]),
        "stream, bytes to bytes": (LINES, [path], False, True, ["--stream"]),
    }
    for kind, (count, pictures, to_files, as_bytes, options) in kinds.items():
        name = f"{PLACE}/lines"
        lines(name, count, pictures, content, to_files, as_bytes)
        for jobs in (["1"], ["2"], ["2", "--unordered"]):
            if jobs[-1] == "--unordered" and "--stream" not in options:
                continue
            runs = [run(name, "--jobs", *jobs, *options) for _ in range(ROUNDS)]
            clock, processor, memory = (statistics.median(one) for one in zip(*runs))
            print(f"{kind:32} --jobs {' '.join(jobs):14} {count / clock:8.0f} lines a second, "
                  f"{processor / count * 1e6:4.0f} µs of a processor each, {memory:3.0f} MiB")
    shutil.rmtree(PLACE)


main()
