#!/usr/bin/env python3
"""Lists what is linked into the programs: linked.py FOLDER [OUT].

FOLDER is a release build (Tools/.build/release). Each program is linked again like in the build, and the linker
reports the archives from which it took objects. A line has a program and either the path of an archive or the name of
a module compiled for it. With OUT, the programs are left there, with libjpeg inside.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = ["cropkit", "cropkit-server", "cropkit-worker"]

#: Linked statically for other distributions.
WITHIN = "libjpeg.a"


def modules(folder, program):
    """The modules with objects in a program."""
    path = folder / f"{program}.product/Objects.LinkFileList"
    try:
        objects = path.read_text()
    except FileNotFoundError:
        sys.exit(f"linked: {path} does not exist; run make build first")
    return sorted(set(re.findall(r"/([^/\s]+)\.build/", objects)))


def archives(folder, program, out=None):
    """The archives from which the linker takes objects; it writes the program to `out`, with libjpeg inside."""
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
            # The linker searches its first folder first, so it only finds this one.
            found = subprocess.run(
                ["clang", f"-print-file-name={WITHIN}"], capture_output=True, text=True, check=True).stdout.strip()
            os.symlink(found, f"{scratch}/{WITHIN}")
            words.insert(1, f"-L{scratch}")
            # libvips loads a libjpeg, maybe of another version, which must not use these symbols.
            words += ["-Xlinker", f"--exclude-libs={WITHIN}"]
        subprocess.run([*words, "-Xlinker", f"--print-archive-stats={scratch}/archives"], check=True)
        with open(f"{scratch}/archives") as file:
            lines = [line.rstrip("\n").split("\t") for line in file][1:]
        return sorted(os.path.realpath(path) for _, taken, path in lines if int(taken) > 0)


def main():
    """Prints everything."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for program in PROGRAMS:
        for name in modules(folder, program) + archives(folder, program, *sys.argv[2:]):
            print(f"{program}\t{name}")


if __name__ == "__main__":
    main()
