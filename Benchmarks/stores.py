"""A pool's crops of objects in S3 beside the same crops of files: time, and the most memory held.

    make build
    python3 -m venv .venv && .venv/bin/pip install 'moto[server]' s3fs Pillow
    CROPKIT=bin/cropkit PYTHONPATH=Python/src .venv/bin/python Benchmarks/stores.py [ROUNDS] [PHOTOS ...]

Photos are samples scaled to 640 × 480 pixels (400 and 4000 of them by default), with five boxes each. The server is
moto's, in another process of this machine: its work is in the clock, but neither in the processor's time nor in the
memory. Every run is a Python process of its own, whose pool has one job, as a task on Spark has. "skipped" is a second
run that finds all done. The medians are printed.
"""

import io
import json
import os
import pathlib
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ |= {
    "CROPKIT_PROGRAM": os.path.abspath(os.environ.get("CROPKIT", ROOT / "bin/cropkit")),
    "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}
#: Left, top, width and height; on the grid of blocks of 16 pixels.
BOXES = [(0, 0, 320, 240), (160, 96, 256, 256), (320, 208, 320, 240), (64, 64, 480, 320), (256, 32, 192, 192)]


def run(source, target, count, options):
    """Crops so many photos; what it took, as JSON."""
    import cropkit

    crops = (
        cropkit.Crop(f"{source}/{number:05}.jpg", f"{target}/{number:05}-{box}.jpg", rect=rect)
        for number in range(count) for box, rect in enumerate(BOXES))
    start = time.perf_counter()
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        skipped = sum(result.skipped for result in pool.map(crops))
    clock = time.perf_counter() - start
    own, program = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    used = own.ru_utime + own.ru_stime + program.ru_utime + program.ru_stime
    print(json.dumps([clock, used, own.ru_maxrss >> 10, program.ru_maxrss >> 10, skipped]))


def measured(*arguments):
    done = subprocess.run(
        [sys.executable, __file__, "run", *map(json.dumps, arguments)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def photos():
    """The samples, scaled."""
    from PIL import Image

    for path in sorted((ROOT / "Samples").glob("*.jpg")):
        with Image.open(path) as image:
            file = io.BytesIO()
            image.convert("RGB").resize((640, 480)).save(file, "jpeg", quality=85)
            yield file.getvalue()


def served():
    """A server of S3 and its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    code = f"import logging; logging.disable(); from moto.server import main; main(['-p', '{port}'])"
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return server, f"http://127.0.0.1:{port}"
        except ConnectionRefusedError:
            if server.poll() is not None:
                sys.exit("the server ended")
            time.sleep(0.1)


def compared(folder, files, options, count, rounds):
    taken = {"files": [], "objects in S3": [], "objects in S3, skipped": []}
    for number in range(rounds):
        out = f"{count}-{number}"
        os.mkdir(f"{folder}/{out}")
        taken["files"].append(measured(f"{folder}/in", f"{folder}/{out}", count, {}))
        for name in ("objects in S3", "objects in S3, skipped"):
            taken[name].append(measured("s3://bucket/in", f"s3://bucket/{out}", count, options))
        files.rm(f"bucket/{out}", recursive=True)
    for name, runs in taken.items():
        assert all(one[4] == count * len(BOXES) * name.endswith("skipped") for one in runs), runs
        clock, used, own, program, _ = (statistics.median(column) for column in zip(*runs))
        base = [statistics.median(column) for column in zip(*taken["files"])]
        print(f"| {count * len(BOXES):,} | {name} | {clock:.1f} s | {used:.1f} s | {clock / base[0]:.2f} "
              f"| {used / base[1]:.2f} | {own:.0f} MiB | {program:.0f} MiB |", flush=True)


def main():
    import s3fs

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    counts = [int(word) for word in sys.argv[2:]] or [400, 4000]
    server, address = served()
    options = {"client_kwargs": {"endpoint_url": address}}
    try:
        files = s3fs.S3FileSystem(use_listings_cache=False, **options)
        files.mkdir("bucket")
        with tempfile.TemporaryDirectory(dir=os.environ.get("CROPKIT_BENCH")) as folder:
            os.mkdir(f"{folder}/in")
            pictures = list(photos())
            for number in range(max(counts)):
                data = pictures[number % len(pictures)]
                pathlib.Path(f"{folder}/in/{number:05}.jpg").write_bytes(data)
                files.pipe_file(f"bucket/in/{number:05}.jpg", data)
            print(time.strftime("%F, %R"), f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {rounds} rounds\n")
            print("| crops | of | clock | processor | of the files' clock | of their processor | Python | cropkit |\n"
                  "|---|---|---|---|---|---|---|---|")
            for count in counts:
                compared(folder, files, options, count, rounds)
    finally:
        server.terminate()
        server.wait()


if len(sys.argv) > 1 and sys.argv[1] == "run":
    run(*map(json.loads, sys.argv[2:]))
else:
    main()
