"""Crops squares from a folder of photos on this machine, and shows the report: a table and a plot.

    pip install "$(ls dist/cropkit-*linux*.whl)[spark]" matplotlib
    python report.py FOLDER [OUT]

It can be pasted into a notebook, part by part.
"""

import os
import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plot
from cropkit.spark import crop_files
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

matplotlib.use("Agg")
# Tasks run with this Python, which has the package, not with the first one on the path.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
if len(sys.argv) < 2:
    sys.exit(__doc__)
folder = Path(sys.argv[1]).resolve()
out = Path(sys.argv[2] if len(sys.argv) > 2 else "out").resolve()
spark = SparkSession.builder.master("local[*]").getOrCreate()

# %% A row for each crop: every photo at three sizes.
photos = [(str(path), side) for path in sorted(folder.glob("*.jpg")) for side in (256, 512, 1024)]
frame = spark.createDataFrame(photos, "path string, side int")

# %% The crops. The report is written once, and then read.
crop_files(
    frame,
    rect=None,
    aspect="1:1",
    columns={"max_side": "side"},
    output=f"{out}/{{stem}}-{{side}}.webp",
    keep=["side"],
).write.mode("overwrite").parquet(f"{out}/report")
report = spark.read.parquet(f"{out}/report")

# %% The outcomes.
table = (
    report.groupBy("side")
    .agg(
        F.count("*").alias("crops"),
        F.sum(F.col("ok").cast("int")).alias("done"),
        F.round(F.avg("seconds") * 1000, 1).alias("ms each"),
        F.round(F.avg("bytes") / 1024, 1).alias("KiB each"),
    )
    .orderBy("side")
)
table.show()
report.where(~F.col("ok")).select("input", "code", "message").show(truncate=False)

# %% The durations.
times = report.where("ok and not skipped").select("side", "seconds").collect()
figure, axes = plot.subplots()
for side in sorted({row.side for row in times}):
    axes.hist([row.seconds * 1000 for row in times if row.side == side], bins=30, alpha=0.6, label=f"{side} pixels")
axes.set(xlabel="milliseconds a crop", ylabel="crops")
axes.legend()
figure.savefig(f"{out}/report.png")
print(f"{out}/report.png")
spark.stop()
