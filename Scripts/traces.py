#!/usr/bin/env python3
"""Finds the path of this folder in built files: traces.py FILE...

Also searches packages and archives, and compressed files in them. Fails if the path is in any of them: the same
commit would give different bytes in another folder.
"""

import gzip
import io
import pathlib
import subprocess
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def traces(name, content, folder):
    """The names of the files in `content` that contain the path of `folder`."""
    if name.endswith(".deb"):
        parts = [
            subprocess.run(["dpkg-deb", what, name], capture_output=True, check=True).stdout
            for what in ("--ctrl-tarfile", "--fsys-tarfile")
        ]
        return [one for part in parts for one in traces(f"{name}.tar", part, folder)]
    if content.startswith(b"\x1f\x8b"):
        return traces(name.removesuffix(".gz").replace(".tgz", ".tar"), gzip.decompress(content), folder)
    if name.endswith(".tar"):
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            return [
                one for member in archive if member.isfile()
                for one in traces(f"{name}/{member.name}", archive.extractfile(member).read(), folder)
            ]
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [one for part in archive.namelist() for one in traces(f"{name}/{part}", archive.read(part), folder)]
    return [name] if str(folder).encode() in content else []


def main():
    """Lists traces of the folder."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = [one for name in sys.argv[1:] for one in traces(name, pathlib.Path(name).read_bytes(), ROOT)]
    for one in found:
        print(f"traces: {one} contains the path {ROOT}", file=sys.stderr)
    if found:
        sys.exit(1)


if __name__ == "__main__":
    main()
