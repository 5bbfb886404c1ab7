"""Spark on objects in S3, with a server that fails and an executor that is killed: the same results as a
batch of files.

The server is moto's, on this machine. It responds to one request in twenty with 503, and cuts one connection
in fifty, after the request was processed or in the middle of the response.
"""

import hashlib
import os
import pathlib
import shutil
import sys
import time

from cluster import PHOTOS, ROOT, Killer, batch, check_report, cluster, photos, rows_of
from soak import Soak, read

sys.path.insert(0, str(ROOT / "Python/tests"))
try:
    import moto.server  # noqa: F401
    import pyspark
    import s3fs
except ImportError:
    print("SKIPPED: objects in S3; moto or s3fs is missing")
    sys.exit(0)

from s3server import SECRET, running  # noqa: E402

from cropkit.spark import crop_files  # noqa: E402


OPTION_SECRET = "hush-of-the-options-c41d"


def digests(files, folder):
    return {
        name.rpartition("/")[2]: hashlib.sha256(files.cat_file(name)).hexdigest() for name in files.find(folder)}


def logs(spark):
    """The folder of the executors' output."""
    return pathlib.Path(pyspark.__file__).parent / "work" / spark.sparkContext.applicationId


def seconds(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def main():
    with Soak("stores") as soak, running() as (address, faulty):
        options = {"client_kwargs": {"endpoint_url": address}}
        files = s3fs.S3FileSystem(use_listings_cache=False, **options)
        files.mkdir("bucket")
        names, bad = photos(soak)
        wanted = batch(soak, rows_of(names))
        for name in names:
            if os.path.exists(name):
                files.pipe_file(f"bucket/in/{os.path.basename(name)}", read(name))
        where = {name: f"s3a://bucket/in/{os.path.basename(name)}" for name in names}
        rows = [(where[name], number, box) for name, number, box in rows_of(names)]
        bad = {where[name] for name in bad}

        mark = f"-Dcropkit.mark={soak.folder}"
        # The driver's output goes to a file while it runs.
        said, before = os.open(soak.path("said"), os.O_CREAT | os.O_WRONLY | os.O_APPEND), os.dup(2)
        os.dup2(said, 2)
        spark = cluster(mark)
        os.dup2(before, 2)
        spark.sparkContext.setLogLevel("INFO")
        frame = spark.createDataFrame(rows, "path string, number int, box array<int>")
        job = {"output": "s3a://bucket/out/{stem}-{number}.jpg", "keep": ["number"], "partitions": 8,
               "storage_options": options}
        faulty.slow_down, faulty.cut = 20, 50
        with Killer(mark, len(wanted) // 2,
                    lambda: sum(method == "PUT" for method, _ in faulty.requests)) as killer:
            crop_files(frame, **job).write.parquet(soak.path("report"))
        faulty.slow_down = faulty.cut = 0
        soak.check(killer.pid is not None, "no executor was killed")
        soak.check(faulty.slowed > 0 and faulty.cuts > 0, "the server never failed")

        reported = spark.read.parquet(soak.path("report")).collect()
        check_report(soak, reported, rows, bad)
        made = digests(files, "bucket/out")
        differ = sum(made.get(name) != wanted[name] for name in wanted)
        soak.check(made == wanted, f"{len(made)} objects of {len(wanted)}, {differ} differ")
        uploads = files.call_s3("list_multipart_uploads", Bucket="bucket").get("Uploads")
        soak.check(not uploads, f"parts are left: {uploads}")
        # Credentials may also be options.
        signed = {"key": "hush-id", "secret": OPTION_SECRET, **options}
        again = crop_files(frame, **job | {"storage_options": signed}).collect()
        spark.sparkContext.setLogLevel("OFF")
        soak.check(sum(row.skipped for row in again) == len(wanted), "a second run made something")
        soak.check(len(list(logs(spark).rglob("stderr"))) >= 3, "there are no logs of three executors")
        texts = [read(soak.path("said")), repr([reported, again]).encode(), *(
            path.read_bytes() for path in logs(spark).rglob("*") if path.is_file())]
        soak.check(len(texts[0]) > 10_000, "the driver has said nothing")
        secrets = [SECRET.encode(), OPTION_SECRET.encode()]
        soak.check(not any(one in text for text in texts for one in secrets), "a log or the report has a password")

        clean = seconds(lambda: crop_files(
            frame, **job | {"output": "s3a://bucket/clean/{stem}-{number}.jpg"}).write.parquet(soak.path("clean")))
        plain = spark.createDataFrame(rows_of(names), "path string, number int, box array<int>")
        os.mkdir(soak.path("plain"))
        local = seconds(lambda: crop_files(
            plain, **job | {"output": soak.path("plain") + "/{stem}-{number}.jpg"}).write.parquet(soak.path("files")))
        skipped = sum(row.skipped for row in reported)
        print(f"stores: {PHOTOS} objects, {len(rows)} crops, {len(bad)} bad ones; an executor was killed at {killer.at} "
              f"results, {faulty.slowed} requests were answered 503 and {faulty.cuts} cut; {skipped} crops were found done; "
              f"without faults {clean:.1f} s, on files {local:.1f} s")
        shutil.rmtree(logs(spark), ignore_errors=True)
        spark.stop()


main()
