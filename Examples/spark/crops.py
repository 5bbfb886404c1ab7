"""Crops the boxes of a data set: a job for spark-submit.

    PYSPARK_PYTHON=$(command -v python) spark-submit crops.py boxes.parquet out report

PYSPARK_PYTHON is the Python interpreter with the package cropkit. All executors must see the images and `out` under the
same paths.

`boxes.parquet` has a row for each box: `path`, the image's name, and `box`, four numbers (x, y, width, height in
pixels). Each is cropped losslessly to a JPEG below `out`, on the grid of blocks around the box; `report` has the outcomes.
After an interruption, run it again: existing crops are skipped.
"""

import sys

from cropkit.spark import crop_files
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main(boxes: str, out: str, report: str) -> int:
    spark = SparkSession.builder.appName("crops").getOrCreate()
    frame = spark.read.parquet(boxes)
    crop_files(
        frame,
        input="path",
        rect="box",
        output=out + "/{sha}/{index}.jpg",
        lossless="snap",
        strip="all",
    ).write.mode("overwrite").parquet(report)

    # Read the stored report, since using `report` directly would check all crops again.
    results = spark.read.parquet(report)
    results.groupBy(F.coalesce("code", F.lit("done")).alias("what")).agg(
        F.count("*").alias("crops"), F.sum("bytes").alias("bytes"), F.sum("seconds").alias("seconds")
    ).orderBy(F.desc("crops")).show(truncate=False)
    failed = results.where(~F.col("ok")).count()
    spark.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
