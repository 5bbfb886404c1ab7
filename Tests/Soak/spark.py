"""Spark with executors of their own, one of them killed: the same files as a batch makes, each crop once in the report.

It needs pyspark (Scripts/python-tests.sh installs it) and Java; without them it is skipped.
"""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
VENV = ROOT / ".build/python/bin/python"
try:
    import pyspark  # noqa: F401
except ImportError:
    if VENV.exists() and sys.executable != str(VENV):
        os.execv(VENV, [str(VENV), *sys.argv])
    print("SKIPPED: a cluster of Spark that is killed; pyspark is missing")
    sys.exit(0)

from soak import LONG, PROGRAM, Soak, read, write  # noqa: E402

sys.path.insert(0, str(ROOT / "Python/src"))
os.environ |= {"CROPKIT_PROGRAM": PROGRAM, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT / "Python/src")}

from pyspark.sql import SparkSession  # noqa: E402

from cropkit.spark import crop_files  # noqa: E402

PHOTOS = 2000 if LONG else 100
BOXES = 5


def photos(soak):
    """So many photos of a few pictures, one in twenty bad; their names, and those of the bad ones."""
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
    """What one machine makes of it: digests by name."""
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
    """The processes of executors that were started with a word."""
    found = []
    for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = line.read_bytes().split(b"\0")
        except OSError:
            continue
        if any(b"CoarseGrainedExecutorBackend" in word for word in words) and mark.encode() in words:
            found.append(int(line.parent.name))
    return found


def killer(folder, count, mark, killed):
    """Kills an executor once so many files are there."""
    while not killed["ended"].is_set():
        if sum(1 for _ in os.scandir(folder)) >= count:
            running = executors(mark)
            if running:
                os.kill(running[0], signal.SIGKILL)
                killed["pid"] = running[0]
                killed["at"] = sum(1 for _ in os.scandir(folder))
                return
        time.sleep(0.01)


def main():
    with Soak("spark") as soak:
        names, bad = photos(soak)
        rows = rows_of(names)
        wanted = batch(soak, rows)
        soak.check(len(wanted) == (PHOTOS - len(bad)) * BOXES, f"{len(wanted)} files of the batch")
        os.mkdir(soak.path("out"))
        mark = f"-Dcropkit.mark={soak.folder}"
        spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
            .config("spark.executor.memory", "1g").config("spark.speculation", "true")
            .config("spark.sql.shuffle.partitions", "4").config("spark.driver.host", "127.0.0.1")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.executor.extraJavaOptions", mark)
            .config("spark.executorEnv.CROPKIT_PROGRAM", PROGRAM)
            .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"]).getOrCreate())
        spark.sparkContext.setLogLevel("OFF")
        killed = {"ended": threading.Event()}
        thread = threading.Thread(target=killer, args=(soak.path("out"), len(wanted) // 2, mark, killed))
        thread.start()
        frame = spark.createDataFrame(rows, "path string, number int, box array<int>")
        job = {"output": soak.path("out") + "/{stem}-{number}.jpg", "keep": ["number"], "partitions": 8}
        report = crop_files(frame, **job)
        report.write.parquet(soak.path("report"))
        killed["ended"].set()
        thread.join()
        soak.check("pid" in killed, "no executor was killed")

        told = spark.read.parquet(soak.path("report")).collect()
        soak.check(len(told) == len(rows), f"{len(told)} rows of {len(rows)}")
        crops = {(row.input, row.number) for row in told}
        soak.check(crops == {row[:2] for row in rows}, "a crop is told twice or not at all")
        soak.check(all(row.ok == (row.input not in bad) for row in told), "what is bad is told otherwise")
        soak.check(all(row.code and row.message for row in told if not row.ok), "a failure without words")
        # Temporary files would be among them.
        made = digests(soak.path("out"))
        differ = sum(made.get(name) != wanted[name] for name in wanted)
        soak.check(made == wanted, f"{len(made)} files of {len(wanted)}, {differ} differ")
        again = crop_files(frame, **job).collect()
        soak.check(sum(row.skipped for row in again) == len(wanted), "a second run made something")
        soak.check(digests(soak.path("out")) == wanted, "a second run changed something")
        skipped = sum(row.skipped for row in told)
        print(f"spark: {PHOTOS} photos, {len(rows)} crops, {len(bad)} bad photos; an executor was killed at "
              f"{killed.get('at')} files; {skipped} crops were found done by the tasks after it")
        spark.stop()


main()
