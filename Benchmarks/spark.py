"""A job on Spark, compared with `cropkit batch` on the same cores and with the same job written with Pillow.

    make build
    python3 -m venv .venv && .venv/bin/pip install pyspark==4.0.1 pyarrow pandas Pillow
    CROPKIT=bin/cropkit PYTHONPATH=Python/src .venv/bin/python Benchmarks/spark.py [skipped] [ROUNDS] [PHOTOS ...]

`skipped` only measures runs that find all crops made. Photos are names of the samples, which have six megapixels each (default: 400 and 4000 of them), with five crops
each. Every round runs all of them alternately; the medians of wall time and CPU time are compared. Pillow and
quality 90 are only measured with the first number. Spark is running and warm before the measurement. CropKit
flushes its files to the disk (fsync), Pillow does not. The goals: at most 1.25 of the batch's wall time; at
most 0.15 of Pillow's for crops on the grid, and 0.5 for others at quality 90.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.path.abspath(os.environ.get("CROPKIT", ROOT / "bin/cropkit"))
os.environ["CROPKIT_PROGRAM"] = PROGRAM
os.environ["PYSPARK_PYTHON"] = sys.executable

import pandas  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql.functions import pandas_udf  # noqa: E402

from cropkit.spark import crop_files  # noqa: E402

CORES = 2
#: Left, top, width and height; on the grid of blocks of 16 pixels.
BOXES = [(0, 0, 640, 480), (320, 160, 800, 800), (1200, 960, 480, 640), (1344, 96, 512, 512), (912, 752, 960, 720)]


def photos(folder, count):
    """This many names of the samples."""
    samples = sorted((ROOT / "Samples").glob("*.jpg"))
    for sample in samples:
        shutil.copy(sample, folder)
    names = []
    for number in range(count):
        names.append(f"{folder}/{number:05}.jpg")
        os.link(f"{folder}/{samples[number % len(samples)].name}", names[-1])
    return names


def crops(names, shift):
    """Each name with its crops; a shift moves them off the grid."""
    return [(name, box, [x + shift, y + shift, width, height])
            for name in names for box, (x, y, width, height) in enumerate(BOXES)]


def with_batch(spark, rows, out, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as manifest:
        for name, box, rect in rows:
            line = {"input": name, "output": f"{out}/{os.path.basename(name)[:-4]}-{box}.jpg",
                    "rect": ",".join(map(str, rect))}
            manifest.write(json.dumps(line) + "\n")
        manifest.flush()
        command = [PROGRAM, "batch", manifest.name, "--jobs", str(CORES), *options]
        subprocess.run(command, check=True, capture_output=True)


def framed(spark, rows):
    return spark.createDataFrame(rows, "path string, number int, box array<int>")


def with_spark(spark, rows, out, partitions=None):
    report = crop_files(framed(spark, rows), output=f"{out}/{{stem}}-{{number}}.jpg", partitions=partitions)
    report.write.parquet(f"{out}/report")


def cut_with_pillow(path, numbers, boxes, out):
    from PIL import Image
    with Image.open(path) as picture:
        for number, (x, y, width, height) in zip(numbers, boxes):
            name = f"{out}/{os.path.basename(path)[:-4]}-{number}.jpg"
            picture.crop((x, y, x + width, y + height)).save(name, quality=90)


def with_pillow(spark, rows, out):
    """Processes each row separately."""
    @pandas_udf("string")
    def cut(paths: pandas.Series, numbers: pandas.Series, boxes: pandas.Series) -> pandas.Series:
        for path, number, box in zip(paths, numbers, boxes):
            cut_with_pillow(path, [number], [box], out)
        return paths

    framed(spark, rows).select(cut("path", "number", "box")).write.parquet(f"{out}/report")


def with_grouped_pillow(spark, rows, out):
    """Reads each image once for all its crops, unlike most jobs."""
    def cut(group):
        cut_with_pillow(group.path.iloc[0], group.number, group.box, out)
        return group[["path"]]

    framed(spark, rows).groupBy("path").applyInPandas(cut, "path string").write.parquet(f"{out}/report")


class Memory:
    """The peak memory of Python and of the programs below this process in MiB: the largest process of each."""

    def __enter__(self):
        self.most = {"python3": 0, "cropkit": 0}
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def watch(self):
        while not self.ended.wait(0.05):
            for status in pathlib.Path("/proc").glob("[0-9]*/status"):
                try:
                    fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
                except OSError:
                    continue
                name = "python3" if fields["Name"].startswith("python") else fields["Name"].strip()
                if name in self.most and int(fields["Pid"]) != os.getpid():
                    self.most[name] = max(self.most[name], int(fields.get("VmRSS", "0 kB").split()[0]) >> 10)


def processor():
    """CPU time in seconds of this process and all processes below it."""
    stats = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        stats[int(path.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    below = {os.getpid()}
    while more := {one for one, (parent, _) in stats.items() if parent in below} - below:
        below |= more
    return sum(stats[one][1] for one in below) / os.sysconf("SC_CLK_TCK")


def timed(work, spark, rows, **how):
    """Wall time and CPU time in seconds."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("CROPKIT_BENCH")) as out:
        used, start = processor(), time.perf_counter()
        work(spark, rows, out, **how)
        took = time.perf_counter() - start, processor() - used
        made = sum(path.suffix == ".jpg" for path in pathlib.Path(out).iterdir())
        assert made == len(rows), f"{made} files of {len(rows)}"
    return took


def compared(spark, names, rounds, shift, ways):
    rows = crops(names, shift)
    taken = {name: [] for name in ways}
    for _ in range(rounds):
        for name, work in ways.items():
            taken[name].append(timed(work, spark, rows))
    medians = {name: [statistics.median(column) for column in zip(*all)] for name, all in taken.items()}
    base = medians["batch"]
    for name, (clock, used) in medians.items():
        print(f"| {len(rows):,} crops, {'quality 90' if shift else 'lossless'} | {name} | {clock:.2f} s | {used:.2f} s "
              f"| {clock / base[0]:.2f} | {used / base[1]:.2f} |", flush=True)


def skipped(spark, names, rounds):
    """Runs that find all crops made."""
    rows = crops(names, 0)
    with tempfile.TemporaryDirectory(dir=os.environ.get("CROPKIT_BENCH")) as out:
        with_spark(spark, rows, out)
        ways = {"batch --resume": lambda: with_batch(spark, rows, out, "--resume"),
                "Spark": lambda: with_spark(spark, rows, out)}
        taken = {name: [] for name in ways}
        for _ in range(rounds):
            for name, work in ways.items():
                shutil.rmtree(f"{out}/report", ignore_errors=True)
                used, start = processor(), time.perf_counter()
                work()
                taken[name].append((time.perf_counter() - start, processor() - used))
        base = statistics.median(clock for clock, _ in taken["batch --resume"])
        for name, all in taken.items():
            clock, used = (statistics.median(column) for column in zip(*all))
            print(f"| {len(rows):,} | {name} | {clock:.2f} s | {used:.2f} s | {clock / base:.2f} |", flush=True)


def main():
    only_skipped = sys.argv[1:2] == ["skipped"]
    numbers = [int(word) for word in sys.argv[1 + only_skipped:]]
    rounds = numbers[0] if numbers else 3
    counts = numbers[1:] or ([300, 1000] if only_skipped else [400, 4000])
    spark = (
        SparkSession.builder.master(f"local[{CORES}]").config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g").config("spark.sql.shuffle.partitions", CORES)
        # Otherwise, Pillow's groups would share one core.
        .config("spark.sql.adaptive.coalescePartitions.enabled", "false").getOrCreate())
    spark.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory(dir=os.environ.get("CROPKIT_BENCH")) as folder:
        names = photos(folder, max(counts))
        # Java compiles code that runs often, which belongs to its start.
        for work in (with_spark,) if only_skipped else (with_spark, with_pillow, with_grouped_pillow):
            timed(work, spark, crops(names[:100], 0))
        print(time.strftime("%F, %R"), f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {rounds} rounds\n")
        if only_skipped:
            print("| crops that exist | by | clock | processor | of the batch's clock |\n|---|---|---|---|---|")
            for count in counts:
                skipped(spark, names[:count], rounds)
            spark.stop()
            return
        print("| what | by | clock | processor | of the batch's clock | of its processor |\n|---|---|---|---|---|---|")
        ways = {"batch": with_batch, "Spark": with_spark, "Pillow in a pandas UDF": with_pillow,
                "Pillow by groups": with_grouped_pillow}
        for shift in (0, 5):
            compared(spark, names[:counts[0]], rounds, shift, ways)
        ways = {"batch": with_batch, "Spark": with_spark}
        for count in counts[1:]:
            compared(spark, names[:count], rounds, 0, ways)
        print("\n| crops | partitions | clock | processor | a Python worker | cropkit |\n|---|---|---|---|---|---|")
        for count in counts:
            for partitions in (1, 2, 4):
                with Memory() as memory:
                    took, used = timed(with_spark, spark, crops(names[:count], 0), partitions=partitions)
                held = " | ".join(f"{memory.most[name]} MiB" for name in ("python3", "cropkit"))
                print(f"| {count * len(BOXES):,} | {partitions} | {took:.2f} s | {used:.2f} s | {held} |", flush=True)
    spark.stop()


main()
