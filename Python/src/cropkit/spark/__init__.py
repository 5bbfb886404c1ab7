"""Crops by the million on Spark: one row a crop in, one row a crop out.

    from cropkit.spark import crop_files
    report = crop_files(frame, input="path", rect="box", output="out/{sha}/{index}.jpg")
    report.write.parquet("report")

Spark schedules, tries again and commits; the programs cut.
"""

from ._job import crop_files
from ._store import Files, Store

__all__ = ["Files", "Store", "crop_files"]
