"""A release's files other than Debian packages: the tarball, the changes, and no trace of the build folder."""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Soak"), str(ROOT / "Tests/Packaging"), str(ROOT / "Scripts")]
import linked  # noqa: E402
from bare import ARCHITECTURE  # noqa: E402
from soak import BIN, LONG, Soak, write  # noqa: E402


def script(soak, name, *words, **names):
    done = subprocess.run(
        [ROOT / f"Scripts/{name}", *words], capture_output=True, text=True, env={**os.environ, **names})
    soak.check(done.returncode == 0, f"{name}: {done.stderr}")
    return done.stdout


def packed(soak, folder):
    """The tarball of the build, stripped as in a release."""
    programs, lines = soak.path("programs"), soak.path("linked")
    os.makedirs(programs, exist_ok=True)
    for program in linked.PROGRAMS:
        subprocess.run(["strip", "-o", f"{programs}/{program}", f"{os.path.abspath(BIN)}/{program}"], check=True)
    write(lines, "".join(f"{program}\tCropCore\n{program}\tNIOCore\n" for program in linked.PROGRAMS).encode())
    script(soak, "tarball.sh", CROPKIT_BIN=programs, CROPKIT_LINKED=lines, CROPKIT_DIST=folder)
    return next(pathlib.Path(folder).iterdir())


def tarball(soak):
    """It has the layout of /usr/local, runs where it is unpacked, and its bytes contain neither time nor
    user."""
    path = packed(soak, soak.path("first"))
    again = packed(soak, soak.path("second"))
    soak.check(path.name == again.name and path.read_bytes() == again.read_bytes(), "packed again it differs")
    with tarfile.open(path) as archive:
        members = archive.getmembers()
    subprocess.run(["tar", "-xzf", path, "-C", soak.folder], check=True)
    top = members[0].name
    names = [one.name.removeprefix(f"{top}/") for one in members[1:]]
    soak.check(
        path.name == f"{top}.tar.gz" and names == sorted(names, key=lambda name: name.replace("/", "\0")),
        f"{path.name}: {names}")
    soak.check(len({one.mtime for one in members}) == 1, "times differ")
    soak.check(all((one.uid, one.gid) == (0, 0) and one.mode & 0o022 == 0 for one in members), "owners or modes")
    files = [one.name.removeprefix(f"{top}/") for one in members if one.isfile()]
    soak.check(all("cropkit" in name for name in files if "/" in name), f"others' files: {files}")
    soak.check(
        {name for name in files if "/" not in name} == {"LICENSE", "LICENSES.txt", "CHANGELOG.md", "README.md"},
        f"beside the folders: {files}")
    root = pathlib.Path(soak.path(top))
    soak.check("swift-nio" in (root / "LICENSES.txt").read_text(), "no licenses of others")
    soak.check("@" not in (root / "README.md").read_text(), "README.md has a gap")
    units = list(root.glob("lib/systemd/*/cropkit*.service"))
    for unit in units:
        program = unit.read_text().split("ExecStart=/usr/local/")[1].split()[0]
        soak.check(os.access(root / program, os.X_OK), f"{unit.name} starts {program}")
    soak.check(len(units) == 2, f"units: {units}")
    return root


def crop(root, photo, out):
    return subprocess.run(
        [root / "bin/cropkit", "crop", photo, "--aspect", "1:1", "--force", "-o", out], capture_output=True, text=True)


def unpacked(soak, root):
    """The programs find each other there; a missing library is reported together with the package that
    provides it."""
    photo, png = soak.photo(), soak.path("part.png")
    for source, made in ((photo, png), (png, soak.path("again.png"))):
        done = crop(root, source, made)
        soak.check(done.returncode == 0, f"{source}: {done.stderr}")
    worker = root / "libexec/cropkit/cropkit-worker"
    # As on a system without it: the loader looks for another name.
    worker.write_bytes(worker.read_bytes().replace(b"libvips.so.42\0", b"nothere.so.42\0"))
    done = crop(root, png, soak.path("none.png"))
    soak.check(
        done.returncode == 69 and "the library nothere.so.42 is missing; it comes with libvips" in done.stderr
        and done.stderr.count("\n") == 1, f"without libvips: {done}")
    done = crop(root, photo, soak.path("part.jpg"))
    soak.check(done.returncode == 0, f"a JPEG without libvips: {done.stderr}")


def traces(soak):
    """The path of the build folder is found in anything packed, and is not in the page's files."""
    place = f"see {ROOT}/Sources\n".encode()
    write(soak.path("inner"), place)
    write(soak.path("inner.gz"), gzip.compress(place))
    with tarfile.open(soak.path("outer.tar.gz"), "w:gz") as archive:
        archive.add(soak.path("inner.gz"), "page.js.gz")
    for name in ("inner", "inner.gz", "outer.tar.gz"):
        done = subprocess.run([ROOT / "Scripts/traces.py", soak.path(name)], capture_output=True, text=True)
        soak.check(done.returncode == 1 and name.split(".")[0] in done.stderr, f"{name}: {done}")
    script(soak, "traces.py", *ROOT.glob("dist/crop-view-*.tgz"), ROOT / "Tools/Page/page.tar")


def pins(soak):
    """A release pins the version of every package that the programs use."""
    pinned = {one["location"] for one in json.loads((ROOT / "Packaging/Package.resolved").read_text())["pins"]}
    used = set(re.findall(r'\.package\(url: "([^"]+)"', (ROOT / "Tools/Package.swift").read_text()))
    # TLS is not part of a release.
    missing = {url for url in used - pinned if not url.endswith("/swift-nio-ssl")}
    soak.check(used and not missing, f"without a pin: {missing}")


def twice(soak):
    """A release that is made twice, in folders with paths of different lengths, has the same bytes."""
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True).stdout:
        print("SKIPPED: a release made twice; something is changed")
        return
    sums = []
    for folder in ("a", "a-longer-one"):
        os.makedirs(soak.path(folder))
        script(soak, "release.sh", TMPDIR=soak.path(folder))
        sums.append((ROOT / "dist/SHA256SUMS").read_text())
    soak.check(sums[0] == sums[1] and len(sums[0].splitlines()) == 7, f"made twice: {sums}")


def unbuilt(soak):
    """Without the objects of a build, the packaging prints one line about what to do."""
    empty = soak.path("empty")
    os.makedirs(empty)
    done = subprocess.run([ROOT / "Scripts/linked.py", empty], capture_output=True, text=True)
    soak.check(
        done.returncode == 1 and done.stderr.endswith("run make build first\n") and done.stderr.count("\n") == 1,
        f"linked.py: {done}")
    for name in ("wheel.sh", "deb.sh", "tarball.sh"):
        done = subprocess.run(
            [ROOT / f"Scripts/{name}"], capture_output=True, text=True, env={**os.environ, "CROPKIT_BIN": empty})
        soak.check(
            done.returncode == 1 and done.stderr == f"{name}: {empty}/cropkit does not exist; run make build first\n",
            f"{name}: {done}")


def older(soak):
    """Packages of another version are removed, since a container would install them too."""
    dist, lines = soak.path("debs"), soak.path("linked-debs")
    os.makedirs(dist)
    stale = [f"{dist}/{name}_0.0.1_{ARCHITECTURE}.deb" for name in ("cropkit", "cropkit-server")]
    for path in stale:
        write(path, b"old")
    write(lines, "".join(f"{program}\tCropCore\n" for program in linked.PROGRAMS).encode())
    script(
        soak, "deb.sh", CROPKIT_BIN=os.path.abspath(BIN), CROPKIT_LINKED=lines, CROPKIT_DIST=dist, CROPKIT_DEB_LEVEL="0")
    found = sorted(os.listdir(dist))
    soak.check(len(found) == 2 and not any("0.0.1" in name for name in found), f"in dist: {found}")
    for name in found:
        reported = subprocess.run(["dpkg-deb", "-f", f"{dist}/{name}"], capture_output=True, text=True).stdout
        soak.check("\nHomepage: https://" in reported and ".invalid" not in reported and "@HOME" not in reported, f"{name}: {reported}")


def main():
    with Soak("release") as soak:
        unbuilt(soak)
        if LONG and shutil.which("dpkg-shlibdeps"):
            older(soak)
        text = script(soak, "changes.sh")
        soak.check(text.startswith("# CropKit ") and "\n- " in text and "\n## " not in text, f"changes: {text[:200]}")
        pins(soak)
        traces(soak)
        if shutil.which("strip"):
            unpacked(soak, tarball(soak))
        if LONG:
            twice(soak)


if __name__ == "__main__":
    main()
