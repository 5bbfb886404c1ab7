"""A pool's crops of objects in S3, compared with the same crops of files: time and peak memory so far.

    make build
    python3 -m venv .venv && .venv/bin/pip install 'moto[server]' s3fs Pillow
    CROPKIT=bin/cropkit PYTHONPATH=Python/src .venv/bin/python Benchmarks/stores.py [CROPS ...]

Photos are 200 samples scaled to 640 × 480 pixels, with five crops each, repeated until there are as many crops
as the last number (default: 2000 and 20000). A line is printed at each number. The server is moto's, in another
process of this machine: its work counts in the wall time, but neither in the CPU time nor in the memory. Each
run is a separate Python process whose pool has one job, like a task on Spark. "skipped" is a second run that
skips everything.
"""

import io
import json
import os
import pathlib
import socket
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


#: The number of photos.
PHOTOS = 200


def run(source, target, counts, options):
    """Makes this many crops; prints the cost at each number as JSON."""
    import cropkit

    crops = (
        cropkit.Crop(f"{source}/{number % PHOTOS:05}.jpg", f"{target}/{number:05}-{box}.jpg", rect=rect)
        for number in range(counts[-1] // len(BOXES)) for box, rect in enumerate(BOXES))
    start = time.perf_counter()
    with cropkit.Pool(jobs=1, resume=True, storage_options=options) as pool:
        for done, result in enumerate(pool.map(crops), 1):
            if done in counts:
                of = [os.getpid(), *children()]
                took = time.perf_counter() - start, sum(map(processor, of)), *map(most_memory, of)
                print(json.dumps([done, *took, result.skipped]), flush=True)


def children():
    return map(int, pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def processor(process):
    """CPU time in seconds."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def most_memory(process):
    """The peak memory of a process in MiB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10


def measured(*arguments):
    """Yields the cost of a run at each number, as soon as it is available."""
    words = [sys.executable, __file__, "run", *map(json.dumps, arguments)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        yield from map(json.loads, process.stdout)
    assert process.returncode == 0


def photos():
    """The samples, scaled."""
    from PIL import Image

    for path in sorted((ROOT / "Samples").glob("*.jpg")):
        with Image.open(path) as image:
            file = io.BytesIO()
            image.convert("RGB").resize((640, 480)).save(file, "jpeg", quality=85)
            yield file.getvalue()


def served():
    """An S3 server and its address."""
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


def compared(folder, options, counts):
    os.mkdir(f"{folder}/out")
    base = {}
    for name, *places in (
        ("files", f"{folder}/in", f"{folder}/out", counts, {}),
        ("objects in S3", "s3://bucket/in", "s3://bucket/out", counts, options),
        ("objects in S3, skipped", "s3://bucket/in", "s3://bucket/out", counts[:1], options),
    ):
        for done, clock, used, own, program, is_skipped in measured(*places):
            assert is_skipped == name.endswith("skipped")
            files_clock, files_used = base.setdefault(done, (clock, used))
            print(f"| {done:,} | {name} | {clock:.1f} s | {used:.1f} s | {clock / files_clock:.2f} "
                  f"| {used / files_used:.2f} | {own} MiB | {program} MiB |", flush=True)


def main():
    import s3fs

    counts = [int(word) for word in sys.argv[1:]] or [2000, 20000]
    server, address = served()
    options = {"client_kwargs": {"endpoint_url": address}}
    try:
        files = s3fs.S3FileSystem(use_listings_cache=False, **options)
        files.mkdir("bucket")
        with tempfile.TemporaryDirectory(dir=os.environ.get("CROPKIT_BENCH")) as folder:
            os.mkdir(f"{folder}/in")
            pictures = list(photos())
            for number in range(PHOTOS):
                data = pictures[number % len(pictures)]
                pathlib.Path(f"{folder}/in/{number:05}.jpg").write_bytes(data)
                files.pipe_file(f"bucket/in/{number:05}.jpg", data)
            print(time.strftime("%F, %R"), f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
            print("| crops | of | clock | processor | of the files' clock | of their processor | Python | cropkit |\n"
                  "|---|---|---|---|---|---|---|---|")
            compared(folder, options, counts)
    finally:
        server.terminate()
        server.wait()


if len(sys.argv) > 1 and sys.argv[1] == "run":
    run(*map(json.loads, sys.argv[2:]))
else:
    main()
