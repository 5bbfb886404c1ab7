"""Spark with separate executors, one of which is killed: the same files as from a batch, and each crop once
in the report."""

import os

from cluster import PHOTOS, Killer, batch, check_report, cluster, digests, photos, rows_of
from soak import Soak

from cropkit.spark import crop_files


def main():
    with Soak("spark") as soak:
        names, bad = photos(soak)
        rows = rows_of(names)
        wanted = batch(soak, rows)
        soak.check(len(wanted) == (PHOTOS - len(bad)) * 5, f"{len(wanted)} files of the batch")
        os.mkdir(soak.path("out"))
        mark = f"-Dcropkit.mark={soak.folder}"
        spark = cluster(mark)
        frame = spark.createDataFrame(rows, "path string, number int, box array<int>")
        job = {"output": soak.path("out") + "/{stem}-{number}.jpg", "keep": ["number"], "partitions": 8}
        with Killer(mark, len(wanted) // 2, lambda: sum(1 for _ in os.scandir(soak.path("out")))) as killer:
            crop_files(frame, **job).write.parquet(soak.path("report"))
        soak.check(killer.pid is not None, "no executor was killed")

        reported = spark.read.parquet(soak.path("report")).collect()
        check_report(soak, reported, rows, bad)
        # Temporary files would be listed too.
        made = digests(soak.path("out"))
        differ = sum(made.get(name) != wanted[name] for name in wanted)
        soak.check(made == wanted, f"{len(made)} files of {len(wanted)}, {differ} differ")
        again = crop_files(frame, **job).collect()
        soak.check(sum(row.skipped for row in again) == len(wanted), "a second run made something")
        soak.check(digests(soak.path("out")) == wanted, "a second run changed something")
        skipped = sum(row.skipped for row in reported)
        print(f"spark: {PHOTOS} photos, {len(rows)} crops, {len(bad)} bad photos; an executor was killed at "
              f"{killer.at} files; {skipped} crops were found done by the tasks after it")
        spark.stop()


main()
