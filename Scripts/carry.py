#!/usr/bin/env python3
"""Lists the shared libraries that a worker needs from its system: carry.py WORKER [FOLDER | --in-place]

A line has the word `wheel` and the path of a library; so Scripts/licenses.py and sbom.py can read it. With FOLDER, the
libraries are copied there, and the worker is changed so that it loads them from there, for systems without them. The
C library stays the system's.

libvips also needs the libraries of formats that are never opened (SVG, FITS, Matlab, OpenEXR, JPEG 2000 …), and those
need half of a desktop. Its copy gets a small library with their functions instead, which end the worker. With
--in-place, the system's libvips is changed like that, for a container.
"""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

#: The C library, which programs must take from the system.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libresolv|libutil|ld-linux-.*)\.so\.\d+|linux-vdso\.so\.1")
#: What libvips needs for formats and operations that CropKit never uses, by the start of the library's name.
UNUSED = [
    "libOpenEXR", "libarchive", "libcairo", "libcfitsio", "libfftw3", "libfontconfig", "libgsf", "libmatio", "libopenjp2",
    "libpango", "librsvg",
]
#: Functions of these that libvips calls when it starts and ends.
INERT = ["gsf_init", "gsf_shutdown"]
#: An instruction that ends the process, by processor.
TRAPS = {"x86_64": "ud2", "aarch64": "udf #0"}
#: The modules of libvips for formats in separate libraries.
MODULES = ["heif", "jxl"]
#: The library instead of the unused ones.
STUB = "libcropkit-unused.so"


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def needed(path):
    """The names of the libraries that a file loads."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-dW", path))


def loaded(path):
    """The path of each library that is loaded with a file, by name."""
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", path), re.MULTILINE))
    missing = re.findall(r"^\s*(\S+) => not found", run("ldd", path), re.MULTILINE)
    if missing:
        sys.exit(f"carry: {path} needs {', '.join(missing)}")
    return found


def is_unused(name):
    return any(name.startswith(start) for start in UNUSED)


def vips_of(places):
    """The path of libvips among the libraries of a worker."""
    found = next((path for name, path in places.items() if name.startswith("libvips.so.")), None)
    return pathlib.Path(found or sys.exit("carry: the worker does not load libvips"))


def reached(worker):
    """The paths of all libraries that the worker needs, by the names under which they are loaded, and the modules."""
    places = loaded(worker)
    folder = vips_of(places).parent
    if list(folder.glob("libheif/plugins/*.so")):
        sys.exit("carry: libheif here loads its codecs as plugins; make the wheel on Debian 12")
    modules = [path for name in MODULES for path in folder.glob(f"vips-modules-*/vips-{name}.so")]
    if len(modules) != len(MODULES):
        sys.exit(f"carry: {folder} has not one module of libvips for each of {', '.join(MODULES)}")
    for module in modules:
        places |= loaded(module)
    found = {}
    waiting = [pathlib.Path(worker), *modules]
    while waiting:
        path = waiting.pop()
        for name in needed(path):
            if SYSTEM.fullmatch(name) or name in found or is_unused(name):
                continue
            found[name] = pathlib.Path(places[name])
            waiting.append(found[name])
    return dict(sorted(found.items())), modules


def symbols(path, kind):
    """The names of the dynamic symbols of a file with their types: those that it has, or that it lacks."""
    lines = run("nm", "-D", f"--{kind}-only", path).splitlines()
    return {words[-1].split("@")[0]: words[-2] for words in map(str.split, lines)}


def without_unused(vips, places, folder):
    """Changes the copy of libvips so that it needs no unused libraries."""
    unused = [name for name in needed(vips) if is_unused(name)]
    if not unused:
        return
    lacking = symbols(vips, "undefined")
    names = set()
    for name in unused:
        theirs = symbols(places[name], "defined")
        for symbol in lacking.keys() & theirs.keys():
            if theirs[symbol] not in "TWi":
                sys.exit(f"carry: libvips needs the data {symbol} of {name}")
            names.add(symbol)
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch, "unused.s")
        trap = TRAPS[platform.machine()]
        source.write_text('.section .note.GNU-stack,"",%progbits\n.text\n' + "".join(
            f".globl {name}\n.type {name}, %function\n{name}: {'ret' if name in INERT else trap}\n" for name in sorted(names)))
        run("as", "-o", f"{scratch}/unused.o", source)
        run("ld", "-shared", "-s", "--build-id=none", "-soname", STUB, "-o", folder / STUB, f"{scratch}/unused.o")
    os.chmod(folder / STUB, 0o644)
    run("patchelf", *(word for name in unused for word in ("--remove-needed", name)), "--add-needed", STUB, vips)


def carry(worker, folder):
    """Copies the libraries to a folder, from which the worker then loads them."""
    places = loaded(worker)
    found, modules = reached(worker)
    folder.mkdir(parents=True)
    for name, path in found.items():
        shutil.copyfile(path, folder / name)
    for module in modules:
        (folder / module.parent.name).mkdir(exist_ok=True)
        shutil.copyfile(module, folder / module.parent.name / module.name)
    for path in folder.rglob("*.so*"):
        path.chmod(0o644)
    without_unused(next(folder.glob("libvips.so.*")), places, folder)
    for path in [pathlib.Path(worker), *folder.rglob("*.so*")]:
        # RPATH, not RUNPATH, which LD_LIBRARY_PATH would override.
        place = os.path.relpath(folder, path.parent)
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN" if place == "." else f"$ORIGIN/{place}", path)
    return found, modules


def change_in_place(worker):
    """Changes the system's libvips so that it needs no unused libraries."""
    places = loaded(worker)
    vips = vips_of(places).resolve()
    without_unused(vips, places, vips.parent)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    worker = sys.argv[1]
    if sys.argv[2:] == ["--in-place"]:
        return change_in_place(worker)
    found, modules = carry(worker, pathlib.Path(sys.argv[2])) if len(sys.argv) == 3 else reached(worker)
    for path in [*found.values(), *modules]:
        print(f"wheel\t{os.path.realpath(path)}")


if __name__ == "__main__":
    main()
