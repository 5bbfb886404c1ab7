"""Goal 3: 200 crops of 50 files of 12 megapixels on 2 cores, CropKit's batch compared with its peers.

    Scripts/bench.sh --rounds 1          generates the image; `make build` builds bin/cropkit
    python3 -m venv .venv && .venv/bin/pip install -r Benchmarks/requirements.txt
    .venv/bin/python Benchmarks/batch.py [ROUNDS]

The crops are regions a to d of each file. Peers that can read a file once for its four crops do so; the loop of
jpegtran can't. Every round runs all of them alternately, and the medians are compared. CropKit flushes its
files to the disk (fsync), its peers do not.
"""

import json
import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import time

FOLDER = os.environ.get("CROPKIT_BENCH", "/tmp/cropkit-bench")
PROGRAM = os.environ.get("CROPKIT", "bin/cropkit")
PICTURE = f"{FOLDER}/1-standard-tables.jpg"
REGIONS = [(1008, 752, 2016, 1504), (3456, 2448, 512, 512), (64, 64, 512, 512), (0, 1504, 4032, 368)]
FILES, CORES = 50, 2
OUT = f"{FOLDER}/batch-out"


def names():
    return [f"{FOLDER}/batch/{number}.jpg" for number in range(FILES)]


def output(name, index, suffix="jpg"):
    return f"{OUT}/{os.path.basename(name)[:-4]}-{index}.{suffix}"


def with_turbojpeg(name):
    from turbojpeg import TurboJPEG
    with open(name, "rb") as file:
        data = file.read()
    parts = TurboJPEG().crop_multiple(data, REGIONS)
    for index, part in enumerate(parts):
        with open(output(name, index), "wb") as file:
            file.write(part)


def with_opencv(name):
    import cv2
    cv2.setNumThreads(1)
    picture = cv2.imread(name)
    options = [cv2.IMWRITE_JPEG_QUALITY, 90,
               cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
    for index, (x, y, width, height) in enumerate(REGIONS):
        cv2.imwrite(output(name, index), picture[y:y + height, x:x + width], options)


def with_pillow(name):
    from PIL import Image
    picture = Image.open(name)
    for index, (x, y, width, height) in enumerate(REGIONS):
        picture.crop((x, y, x + width, y + height)).save(
            output(name, index), quality=90, subsampling="4:2:0")


def pooled(work):
    def run():
        with multiprocessing.Pool(CORES) as pool:
            pool.map(work, names(), chunksize=5)
    return run


def jpegtran_loop():
    lines = "".join(
        f"{width}x{height}+{x}+{y} {output(name, index)} {name}\n"
        for name in names() for index, (x, y, width, height) in enumerate(REGIONS))
    subprocess.run(
        ["xargs", "-P", str(CORES), "-L", "1", "sh", "-c",
         'exec jpegtran -copy all -crop "$0" -outfile "$1" "$2"'],
        input=lines.encode(), check=True)


def batch(lossless):
    def run():
        options = ["--jobs", str(CORES), "--lossless", lossless]
        subprocess.run(
            [PROGRAM, "batch", f"{FOLDER}/batch.jsonl", *options], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return run


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    os.makedirs(f"{FOLDER}/batch", exist_ok=True)
    for name in names():
        if not os.path.exists(name):
            shutil.copy(PICTURE, name)
    with open(f"{FOLDER}/batch.jsonl", "w") as file:
        for name in names():
            for index, (x, y, width, height) in enumerate(REGIONS):
                rect = {"x": x, "y": y, "width": width, "height": height}
                line = {"input": name, "output": output(name, index), "recipe": {"rect": rect}}
                file.write(json.dumps(line) + "\n")
    runs = {
        "jpegtran loop": jpegtran_loop, "PyTurboJPEG": pooled(with_turbojpeg),
        "cropkit lossless": batch("exact"),
        "OpenCV q90": pooled(with_opencv), "Pillow q90": pooled(with_pillow),
        "cropkit q90": batch("never"),
    }
    times = {name: [] for name in runs}
    for round in range(rounds + 1):
        for name, run in runs.items():
            shutil.rmtree(OUT, ignore_errors=True)
            os.makedirs(OUT)
            os.sync()
            begun = time.monotonic()
            try:
                run()
            except Exception as error:
                if round == 0:
                    print(f"{name}: left out ({error!r:.80})")
                times[name] = None
                continue
            # The first round is a warm-up.
            if round > 0 and times[name] is not None:
                times[name].append(time.monotonic() - begun)
        runs = {name: run for name, run in runs.items() if times[name] is not None}
    medians = {name: statistics.median(all) for name, all in times.items() if all}
    for name, median in medians.items():
        print(f"{name:18} {median:6.2f} s")
    for ours, peer, goal in (
            ("cropkit lossless", "jpegtran loop", 0.10), ("cropkit lossless", "PyTurboJPEG", 0.5),
            ("cropkit q90", "OpenCV q90", 0.6), ("cropkit q90", "Pillow q90", None)):
        if ours in medians and peer in medians:
            ratio = medians[ours] / medians[peer]
            verdict = f"goal {goal}" + ("" if ratio <= goal else " missed") if goal else ""
            print(f"{ours:18} / {peer:14} {ratio:6.3f}  {verdict}")


main()
