"""Shared by the long tests: the program, a separate folder, and a count of failures."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import xml.sax.saxutils

BIN = os.environ.get("CROPKIT_BIN", "bin")
PROGRAM = os.path.join(os.path.abspath(BIN), "cropkit")
LONG = os.environ.get("CROPKIT_SOAK", "") not in ("", "0")
# A sample is always the same; a complete run is different each time.
SEED = int(os.environ.get("CROPKIT_SEED", random.SystemRandom().randrange(10**9) if LONG else 1))
IMAGES = os.environ.get("CROPKIT_IMAGES", "../shared/images")

# The exit statuses after a trap, an abort or an invalid access, in a shell or from subprocess.
CRASHES = {132, 133, 134, 135, 136, 139, -4, -5, -6, -7, -8, -11}


class Soak:
    """One long test: `with Soak("name") as soak:`; exits with an error if a check failed."""

    def __init__(self, name):
        self.name = name
        self.random = random.Random(SEED)
        self.wrong = []
        self.count = 0

    def __enter__(self):
        if not os.access(PROGRAM, os.X_OK):
            sys.exit(f"{self.name}: no program at {PROGRAM}; set CROPKIT_BIN")
        self.folder = tempfile.mkdtemp(prefix="cropkit-soak-")
        return self

    def __exit__(self, kind, value, trace):
        shutil.rmtree(self.folder, ignore_errors=True)
        if kind is not None:
            print(f"{self.name}: seed {SEED}")
            return
        for line in self.wrong[:20]:
            print(f"{self.name}: WRONG: {line}")
        print(f"{self.name}: {self.count} checked, {len(self.wrong)} wrong, seed {SEED}")
        self.report()
        if self.wrong or self.count == 0:
            sys.exit(1)

    def report(self):
        """Writes the result as JUnit XML to the folder CROPKIT_RESULTS."""
        folder = os.environ.get("CROPKIT_RESULTS")
        if not folder:
            return
        def case(number, text=None):
            start = f"<testcase classname={xml.sax.saxutils.quoteattr(self.name)} name='{number}'"
            return f"{start}/>" if text is None else f"{start}><failure>{xml.sax.saxutils.escape(text)}</failure></testcase>"
        right = [case(number) for number in range(len(self.wrong), self.count)]
        wrong = [case(number, text) for number, text in enumerate(self.wrong)]
        with open(os.path.join(folder, f"soak-{self.name}.xml".replace(" ", "-")), "w", encoding="utf-8") as file:
            file.write(f"<testsuite>{''.join(wrong + right)}</testsuite>")

    def path(self, name):
        return os.path.join(self.folder, name)

    def check(self, is_right, words):
        self.count += 1
        if not is_right:
            self.wrong.append(words)

    def photo(self, name="photo.jpg", width=320, height=240):
        """A JPEG like a photo, the same for the same seed."""
        path = self.path(name)
        noise = bytes(self.random.randrange(256) for _ in range(width * height // 48))
        pixels = bytearray()
        for y in range(height):
            for x in range(width):
                grain = noise[(y // 4 * (width // 4) + x // 4) % len(noise)] // 4
                pixels += bytes((x * 191 // width + grain, y * 191 // height + grain, 63 + grain))
        with open(path + ".ppm", "wb") as file:
            file.write(b"P6 %d %d 255\n" % (width, height) + pixels)
        subprocess.run(
            ["cjpeg", "-quality", "90", "-outfile", path, path + ".ppm"], check=True)
        os.unlink(path + ".ppm")
        return path


def read(path):
    """The bytes of a file, None if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def run(arguments, **options):
    """Runs cropkit until it exits; its output is kept."""
    return subprocess.run(
        [PROGRAM, *arguments], stdin=options.pop("stdin", subprocess.DEVNULL),
        capture_output=True, timeout=options.pop("timeout", 600), **options)
