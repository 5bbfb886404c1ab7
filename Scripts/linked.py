#!/usr/bin/env python3
"""Tells what is linked into the programs: linked.py FOLDER [OUT], that of a release build (Tools/.build/release).

Each program is linked once more, as the build did it, and the linker says which archives it took
something from. A line is a program and an archive's path, or the name of a module compiled for it.
With OUT the programs are left there, with libjpeg inside.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = ["cropkit", "cropkit-server", "cropkit-worker"]

#: Linked in for other distributions.
WITHIN = "libjpeg.a"


def modules(folder, program):
    """The modules whose objects a program is made of."""
    path = folder / f"{program}.product/Objects.LinkFileList"
    try:
        objects = path.read_text()
    except FileNotFoundError:
        sys.exit(f"linked: {path} does not exist; run make build first")
    return sorted(set(re.findall(r"/([^/\s]+)\.build/", objects)))


def archives(folder, program, out=None):
    """The archives that the linker takes something from; the program is left in `out`, with libjpeg inside."""
    build = folder.parent / f"{folder.name}.yaml"
    target = f"{program}-{folder.resolve().parent.name}-{folder.name}"
    text = build.read_text() if build.exists() else ""
    section = re.search(rf'^  "C\.{target}\.exe":\n((?:    .*\n)+)', text, re.MULTILINE)
    if not section:
        sys.exit(f"linked: {build} does not say how {program} is linked; run make build first")
    words = json.loads(re.search(r"args: (\[.*\])", section[1])[1])
    with tempfile.TemporaryDirectory() as scratch:
        words[words.index("-o") + 1] = f"{out or scratch}/{program}"
        if out:
            # Where the linker looks first there is no other.
            found = subprocess.run(
                ["clang", f"-print-file-name={WITHIN}"], capture_output=True, text=True, check=True).stdout.strip()
            os.symlink(found, f"{scratch}/{WITHIN}")
            words.insert(1, f"-L{scratch}")
            # libvips brings its own, maybe of another version, which must not find this one.
            words += ["-Xlinker", f"--exclude-libs={WITHIN}"]
        subprocess.run([*words, "-Xlinker", f"--print-archive-stats={scratch}/archives"], check=True)
        with open(f"{scratch}/archives") as file:
            lines = [line.rstrip("\n").split("\t") for line in file][1:]
        return sorted(os.path.realpath(path) for _, taken, path in lines if int(taken) > 0)


def main():
    """Prints all of it."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for program in PROGRAMS:
        for name in modules(folder, program) + archives(folder, program, *sys.argv[2:]):
            print(f"{program}\t{name}")


if __name__ == "__main__":
    main()
