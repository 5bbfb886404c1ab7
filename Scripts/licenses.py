#!/usr/bin/env python3
"""Writes the licenses of all code in a program: licenses.py LINKED PROGRAM...

LINKED is the output of Scripts/linked.py; with that of Scripts/carry.py, `wheel` is a program of libraries. The texts come
from the packages, from the Swift toolchain and, for system archives and libraries, from their Debian packages. Code
without a known license is an error.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHECKOUTS = ROOT / "Tools/.build/checkouts"
OWN = [ROOT / "Sources", ROOT / "Tools/Sources"]

#: Third-party code in archives, by the names that the Debian package with its licenses has, whatever its version.
WITHIN = {"lib_FoundationICU.a": "libicu[0-9]*"}


def packages_of(module):
    """The package of a module, or the possible ones; none for a module of this repository."""
    if any((folder / name).is_dir() for folder in OWN for name in (module, module.replace("_", "-"))):
        return set()
    for pattern in (f"*/Sources/{module}", f"*/{module}", f"*/Sources/*/{module}"):
        found = {
            path.relative_to(CHECKOUTS).parts[0] for path in CHECKOUTS.glob(pattern) if path.is_dir()
        }
        if found:
            return found
    # A module whose folder has a different name.
    declared = re.compile(rf'\.target\(\s*name: "{module}"')
    found = {path.parent.name for path in CHECKOUTS.glob("*/Package.swift") if declared.search(path.read_text())}
    return found or sys.exit(f"licenses: no package has the module {module}")


def texts_of(package, modules):
    """The license and notices of a package and of the third-party code in it."""
    root = CHECKOUTS / package
    folders = [root] + [path for module in modules for path in root.glob(f"**/{module}") if path.is_dir()]
    files = [
        path for folder in folders for path in sorted(folder.iterdir())
        if path.is_file() and re.match(r"(?i)(LICEN[CS]E|NOTICE|COPYING)", path.name)
    ]
    if not any(re.match(r"(?i)(LICEN[CS]E|COPYING)", path.name) for path in files if path.parent == root):
        sys.exit(f"licenses: {root} holds no license")
    return [path.read_text().strip() for path in dict.fromkeys(files)]


def debian_text(package):
    """The copyright file of an installed Debian package, the last one of those with such a name."""
    found = sorted(pathlib.Path("/usr/share/doc").glob(f"{package}/copyright"))
    if not found:
        sys.exit(f"licenses: /usr/share/doc/{package}/copyright is missing")
    return found[-1].read_text(errors="replace").strip()


def origin_of(archive):
    """The origin of an archive: a name and the text of its license."""
    toolchain = re.match(r"(.*)/lib/swift(_static)?/", archive)
    if toolchain:
        return "Swift", pathlib.Path(f"{toolchain[1]}/share/swift/LICENSE.txt").read_text().strip()
    # Packages that were built before the /usr merge list their files under the shorter path.
    for path in (archive, archive.removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if done.returncode == 0:
            package = done.stdout.split(":")[0]
            return package, debian_text(package)
    sys.exit(f"licenses: no package has {archive}")


def sources(linked):
    """A line per carried library: the Debian package, and the name and version of its source."""
    paths = [line.split("\t")[1] for line in linked.splitlines() if line.startswith("wheel\t")]
    packages = {origin_of(path)[0] for path in paths} - {"Swift"}
    if not packages:
        return []
    form = "${Package}: ${source:Package} ${source:Version}\\n"
    done = subprocess.run(["dpkg-query", "-W", "-f", form, *sorted(packages)], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def parts(linked, programs):
    """The components of the programs other than this repository: names, and the texts of each."""
    names = {
        name for line in linked.splitlines() for program, name in [line.split("\t")]
        if program in programs
    }
    if not names:
        sys.exit(f"licenses: nothing is said of {', '.join(programs)}")
    found = {}
    packages = {}
    for name in sorted(names):
        if not name.startswith("/"):
            for package in packages_of(name):
                packages.setdefault(package, []).append(name)
            continue
        origin, text = origin_of(name)
        found[origin] = [text]
        within = WITHIN.get(name.rsplit("/", 1)[-1])
        if within:
            found["ICU (International Components for Unicode)"] = [debian_text(within)]
    for package, modules in packages.items():
        found[package] = texts_of(package, modules)
    return dict(sorted(found.items(), key=lambda one: one[0].lower()))


def main():
    """Prints the license of this repository, followed by those of all components."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    linked = pathlib.Path(sys.argv[1]).read_text()
    found = parts(linked, sys.argv[2:])
    print("CropKit\n")
    print((ROOT / "LICENSE").read_text().strip())
    print("\nThe programs of this package also contain code of these, under the licenses that follow:\n")
    for name in found:
        print(f"  {name}")
    if "wheel" in sys.argv[2:]:
        print("\nThe folder cropkit/lib contains shared libraries of Debian, changed so that they find each other; libvips loads")
        print("no libraries for formats that CropKit does not open. https://snapshot.debian.org/ has the sources:\n")
        for line in sources(linked):
            print(f"  {line}")
    # A license that several components share is printed once.
    printed = {}
    for name, texts in found.items():
        print(f"\n{'-' * 79}\n{name}")
        for text in texts:
            body = "\n".join(line.rstrip() for line in text.splitlines())
            if body in printed:
                print(f"\nAs of {printed[body]}, above.")
            else:
                printed[body] = name
                print(f"\n{body}")


if __name__ == "__main__":
    main()
