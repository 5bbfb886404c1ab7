"""Shared by the long tests on Spark: photos and boxes, a batch's results for them, and a cluster with
separate executors.

They need pyspark (Scripts/python-tests.sh installs it) and Java; without them they are skipped.
"""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENV = ROOT / ".build/python/bin/python"
try:
    import pyspark  # noqa: F401
except ImportError:
    if VENV.exists() and sys.executable != str(VENV):
        os.execv(VENV, [str(VENV), *sys.argv])
    print("SKIPPED: a cluster of Spark that is killed; pyspark is missing")
    sys.exit(0)

from soak import LONG, PROGRAM, read, write  # noqa: E402

sys.path.insert(0, str(ROOT / "Python/src"))
os.environ |= {"CROPKIT_PROGRAM": PROGRAM, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "Python/src")}

from pyspark.sql import SparkSession  # noqa: E402

PHOTOS = 2000 if LONG else 60
BOXES = 5


def photos(soak):
    """This many photos, copies of a few images, one in twenty bad; their names, and those of the bad ones."""
    pictures = [read(soak.photo(f"{number}.jpg", 480, 320)) for number in range(6)]
    os.mkdir(soak.path("photos"))
    names, bad = [], set()
    for number in range(PHOTOS):
        name = soak.path(f"photos/{number:05}.jpg")
        names.append(name)
        if number % 20 == 13:
            bad.add(name)
            if number % 40 == 13:
                continue
            write(name, pictures[number % 6][:700])
        else:
            write(name, pictures[number % 6])
    return names, bad


def rows_of(names):
    return [
        (name, box, [16 * box, 16 * (number % 5), 96 + 16 * box, 80])
        for number, name in enumerate(names) for box in range(BOXES)]


def batch(soak, rows):
    """The results on one machine: digests by name."""
    os.mkdir(soak.path("alone"))
    with open(soak.path("list.jsonl"), "w") as file:
        for name, box, rect in rows:
            output = soak.path(f"alone/{os.path.basename(name)[:-4]}-{box}.jpg")
            file.write(json.dumps({"input": name, "output": output, "rect": ",".join(map(str, rect))}) + "\n")
    subprocess.run([PROGRAM, "batch", soak.path("list.jsonl")], capture_output=True)
    return digests(soak.path("alone"))


def digests(folder):
    return {name: hashlib.sha256(read(f"{folder}/{name}")).hexdigest() for name in os.listdir(folder)}


def executors(mark):
    """The processes of executors that were started with this word in their arguments."""
    found = []
    for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
        except OSError:
            continue
        if any(b"CoarseGrainedExecutorBackend" in word for word in words) and mark.encode() in words:
            found.append(int(line.parent.name))
    return found


def cluster(mark):
    """A session with two executors of one core each, started with this word in their arguments."""
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "1g").config("spark.speculation", "true")
        .config("spark.sql.shuffle.partitions", "4").config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.extraJavaOptions", mark)
        .config("spark.executorEnv.CROPKIT_PROGRAM", PROGRAM)
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"]).getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    return spark


class Killer:
    """Kills an executor as soon as `made()` returns this many results: `with Killer(…) as killer:`."""

    def __init__(self, mark, count, made):
        self.mark, self.count, self.made = mark, count, made
        self.pid = self.at = None

    def __enter__(self):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def watch(self):
        while not self.ended.wait(0.01):
            if self.made() >= self.count and (running := executors(self.mark)):
                os.kill(running[0], signal.SIGKILL)
                self.pid, self.at = running[0], self.made()
                return


def check_report(soak, reported, rows, bad):
    """Each crop is reported once, correctly."""
    soak.check(len(reported) == len(rows), f"{len(reported)} rows of {len(rows)}")
    crops = {(row.input, row.number) for row in reported}
    soak.check(crops == {row[:2] for row in rows}, "a crop is told twice or not at all")
    wrong = [(row.input, row.code, row.message) for row in reported if row.ok == (row.input in bad)]
    soak.check(not wrong, f"what is bad is told otherwise: {len(wrong)}, such as {wrong[:1]}")
    soak.check(all(row.code and row.message for row in reported if not row.ok), "a failure without words")
