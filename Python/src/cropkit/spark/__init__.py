"""Crops by the million on Spark: one row per crop in, one row per crop out.

    from cropkit.spark import crop_files
    report = crop_files(frame, input="path", rect="box", output="out/{sha}/{index}.jpg")
    report.write.parquet("report")

Spark schedules, retries and commits; the programs crop.
"""

from ._job import crop_files
from ._store import Files, Store

__all__ = ["Files", "Store", "crop_files"]
