"""The library's speed: indexing, first page, thumbnails, 50 clients, memory after 10,000 requests.

    make build
    python3 Benchmarks/library.py [PHOTOS]

The photos are small JPEGs (320 × 240, each with a different capture date); one in a hundred has 12 megapixels.
Each figure is printed with its target, if there is one.
"""

import http.client
import json
import os
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "Tests", "Soak"))
os.environ.setdefault("CROPKIT_BIN", os.path.join(ROOT, "bin"))
from served import CREDENTIALS, Served, dated  # noqa: E402

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
CLIENTS, SECONDS = 50, int(os.environ.get("CROPKIT_SECONDS", "60"))


def jpeg(width, height):
    """A JPEG with some detail in every area."""
    pixels = bytes((x * 7 ^ y * 13) & 255 for y in range(256) for x in range(256))
    rows = b"".join(
        (pixels[y % 256 * 256:y % 256 * 256 + 256] * (3 * width // 256 + 1))[:3 * width]
        for y in range(height))
    return subprocess.run(
        ["cjpeg", "-quality", "85"], input=b"P6 %d %d 255\n" % (width, height) + rows,
        capture_output=True, check=True).stdout


def say(what, value, target=""):
    print(f"{what:<44}{value:>16}   {target}", flush=True)


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000


class Client:
    """One persistent connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, method, path, body=None):
        begin = time.perf_counter()
        try:
            self.connection.request(method, path, body, CREDENTIALS)
            answer = self.connection.getresponse()
            answer.read()
            return answer.status, time.perf_counter() - begin
        except (OSError, http.client.HTTPException):
            self.connection.close()
            return 0, time.perf_counter() - begin


def together(port, jobs, clients):
    """Runs jobs (method, path, body) with several clients; returns their statuses and times."""
    rest, results = queue.SimpleQueue(), []
    for job in jobs:
        rest.put(job)

    def work():
        client = Client(port)
        while True:
            try:
                job = rest.get_nowait()
            except queue.Empty:
                return
            results.append(client.ask(*job))

    threads = [threading.Thread(target=work) for _ in range(clients)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results, time.perf_counter() - begin


def crowd(server, photos):
    """Runs 50 clients for a while, each of which lists, views and crops photos."""
    stop = time.monotonic() + SECONDS
    results, lock = {}, threading.Lock()
    recipe = json.dumps({"recipe": {"rect": {"x": 8, "y": 8, "width": 160, "height": 120}}})

    def work(number):
        client, turn = Client(server.port), number
        while time.monotonic() < stop:
            photo = photos[(turn * 7919) % len(photos)]["id"]
            kind = ("list", "thumbnail", "preview", "list", "thumbnail", "crop")[turn % 6]
            status, span = client.ask(*{
                "list": ("GET", "/api/albums/all/photos?limit=100"),
                "thumbnail": ("GET", f"/api/photos/{photo}/thumbnail"),
                "preview": ("GET", f"/api/photos/{photo}/preview?maxSide=1024"),
                "crop": ("POST", f"/api/photos/{photo}/crops", recipe)}[kind])
            with lock:
                results.setdefault(kind, []).append((status, span))
            turn += CLIENTS
            if status == 429:
                time.sleep(0.5)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def main():
    folder = tempfile.mkdtemp(prefix="cropkit-library-")
    try:
        measure(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure(folder):
    small, large = jpeg(320, 240), jpeg(4032, 3024)
    server = Served(folder, waits=False)
    for index in range(COUNT):
        if index % 2000 == 0:
            os.makedirs(f"{server.photos}/{index // 2000}")
        with open(f"{server.photos}/{index // 2000}/{index}.jpg", "wb") as file:
            file.write(dated(large if index % 100 == 0 and index < 20_000 else small, index))
    begin = time.perf_counter()
    server.start()
    peak = 0
    while server.get("/api/albums").get("indexing"):
        peak = max(peak, server.memory)
        time.sleep(0.2)
    span = time.perf_counter() - begin
    say(f"first indexing of {COUNT} photos, a second", f"{COUNT / span:.0f}", "at least 500")
    say("memory while indexing, most", f"{peak:.0f} MiB", "flat")
    server.stop()

    server.start()
    times = []
    client = Client(server.port)
    for _ in range(20):
        times.append(client.ask("GET", "/api/albums/all/photos?limit=100")[1])
    say("first page of a warm index, first and median",
        f"{times[0] * 1000:.0f} / {statistics.median(times) * 1000:.1f} ms", "under 100 ms")
    begin = time.perf_counter()
    photos = server.all()
    say(f"all {len(photos)} by pages of 1000", f"{time.perf_counter() - begin:.2f} s")
    begin = time.perf_counter()
    server.get("/api/albums")
    say("albums with counts and covers", f"{(time.perf_counter() - begin) * 1000:.0f} ms")
    server.wait(lambda: server.get("/api/albums").get("indexing") is None, 600)

    ones = [photo for photo in photos if photo["width"] == 320][:1000]
    big = [photo for photo in photos if photo["width"] == 4032][:100]
    for name, some in (("320 × 240", ones), ("12 megapixels", big)):
        jobs = [("GET", f"/api/photos/{photo['id']}/thumbnail", None) for photo in some]
        for kind in ("made", "kept"):
            results, span = together(server.port, jobs, 8)
            good = sum(status == 200 for status, _ in results)
            say(f"thumbnails of {name}, {kind}, a second", f"{good / span:.0f}")

    before = server.memory
    for kind, entries in sorted(crowd(server, photos[:2000]).items()):
        times = [span for status, span in entries if status in (200, 201)]
        busy = sum(status == 429 for status, _ in entries)
        other = len(entries) - len(times) - busy
        say(f"{CLIENTS} clients: {kind}, p50 / p99",
            f"{quantile(times, 0.5):.0f} / {quantile(times, 0.99):.0f} ms",
            f"p99 under 2 s; {len(times)} good, {busy} busy (429), {other} other")
    middle = server.memory
    jobs = [("GET", "/api/albums/all/photos?limit=100", None)] * 5000
    jobs += [("GET", f"/api/photos/{photo['id']}/thumbnail", None) for photo in ones] * 5
    results, span = together(server.port, jobs, CLIENTS)
    say(f"{len(results)} requests more, a second", f"{len(results) / span:.0f}")
    say("memory before, after the clients, after those",
        f"{before:.0f} / {middle:.0f} / {server.memory:.0f} MiB", "flat")
    server.stop()


main()
