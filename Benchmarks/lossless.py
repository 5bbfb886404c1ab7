"""Lossless crops of the requested size: lossless.py [ROUNDS]

Measures CPU time, since the machine may be busy, as medians of programs that run alternately. `swift build
--package-path Benchmarks -c release --product jpegcut` builds the measured program; it is compared with
jpegtran and Pillow.
"""

import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[1]
CUT = ROOT / "Benchmarks" / ".build" / "release" / "jpegcut"
#: The ratios of six targets, on a photo of 12 megapixels.
SOCIAL = [(1, 1), (4, 5), (9, 16), (16, 9), (191, 100), (3, 1)]
WIDTH, HEIGHT = 4032, 3024
PILLOW = """
from PIL import Image
image = Image.open("in.jpg")
image.load()
for x, y, w, h in {rects}:
    image.crop((x, y, x + w, y + h)).save("out.jpg", quality=90, subsampling=2)
"""


def largest(across, down):
    """The largest rectangle of a ratio, near the middle and on the grid."""
    steps = min(WIDTH // across, HEIGHT // down)
    width, height = across * steps, down * steps
    return (WIDTH - width) // 2 // 16 * 16, (HEIGHT - height) // 2 // 16 * 16, width, height


def processor_time(words, folder):
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = spent()
    subprocess.run([str(word) for word in words], cwd=folder, check=True)
    return (spent() - before) * 1000


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    rects = [largest(*ratio) for ratio in SOCIAL]
    programs = {
        "on the grid": [CUT, "in.jpg", "out.jpg", 512, 384, 2992, 2000],
        "exact": [CUT, "in.jpg", "out.jpg", 512, 384, 3000, 2000],
        "jpegtran": ["jpegtran", "-copy", "none", "-crop", "3000x2000+512+384", "-outfile", "out.jpg", "in.jpg"],
        "six exact": [CUT, "in.jpg", "out.jpg", *(length for rect in rects for length in rect)],
        "six by Pillow": [sys.executable, "-c", PILLOW.format(rects=rects)],
        "Pillow alone": [sys.executable, "-c", "from PIL import Image"],
    }
    times = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as folder:
        photo = Image.open(ROOT / "Samples" / "still-life.jpg").convert("RGB").resize((WIDTH, HEIGHT), Image.LANCZOS)
        photo.save(f"{folder}/in.jpg", quality=90, subsampling=2)
        for _ in range(rounds):
            for name in random.sample(list(programs), len(programs)):
                times[name].append(processor_time(programs[name], folder))
    middle = {name: statistics.median(some) for name, some in times.items()}
    for name, time in middle.items():
        print(f"{name:14} {time:6.1f} ms")
    encoded = middle["six by Pillow"] - middle["Pillow alone"]
    print(f"exact / on the grid {middle['exact'] / middle['on the grid']:.2f} (1.05)")
    print(f"exact / jpegtran {middle['exact'] / middle['jpegtran']:.2f} (0.30)")
    print(f"six exact / six by Pillow {middle['six exact'] / encoded:.2f} (0.20)")


if __name__ == "__main__":
    main()
