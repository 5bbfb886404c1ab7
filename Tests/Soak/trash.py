"""The trash on another disk, as the freedesktop specification has it: which folder is taken, which is
refused, what the note says, and that everything comes back.

Only root can mount a disk; without it everything is skipped, which is said.
"""

import os
import shutil
import subprocess
import tempfile
import urllib.parse

from served import Served
from soak import Soak, read, write

OWN = str(os.getuid())


class Disk:
    """`with Disk(path):` a small disk at `path` that is gone afterwards."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        os.makedirs(self.path)
        return subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=8m,mode=755", "none", self.path],
            capture_output=True).returncode == 0

    def __exit__(self, kind, value, trace):
        subprocess.run(["umount", "-l", self.path], capture_output=True)


def served(folder, photos, before=()):
    """A server with its own things in `folder` and the pictures on a disk."""
    server = Served(folder, before=before)
    os.rmdir(server.photos)
    server.photos = photos
    os.makedirs(photos)
    return server


def tree(folder):
    """All files below a folder, with what is in them."""
    return {
        os.path.relpath(os.path.join(place, name), folder): read(os.path.join(place, name))
        for place, _, names in os.walk(folder) for name in names}


def round_trip(soak, disk, server, photo, trash):
    """A photo goes to the trash in the folder `trash` of the disk, and comes back."""
    name = "a photo,100%.jpg"
    path = f"{server.photos}/{name}"
    write(path, photo)
    server.wait(lambda: [entry for entry in server.all() if entry["name"] == name])
    number = server.all()[0]["id"]
    status, body = server.call("POST", f"/api/photos/{number}/trash", {})
    soak.check(status == 204, f"{trash}: trashed with {status} {body!r}")
    soak.check(not os.path.exists(path), f"{trash}: the photo is still there")
    where = f"{disk}/{trash}"
    soak.check(read(f"{where}/files/{name}") == photo, f"{trash}: not in it, but {list(tree(disk))}")
    note = (read(f"{where}/info/{name}.trashinfo") or b"").decode().splitlines()
    told = [line[5:] for line in note if line.startswith("Path=")]
    wanted = os.path.relpath(path, disk)
    soak.check(
        note[:1] == ["[Trash Info]"] and [urllib.parse.unquote(line) for line in told] == [wanted],
        f"{trash}: the note says {note}")
    soak.check(os.stat(where).st_mode & 0o777 == 0o700, f"{trash}: others may look into it")
    # Somebody else's file of that name is not touched.
    write(path, b"another")
    status, _ = server.call("POST", f"/api/photos/{number}/restore", {})
    soak.check(status == 409 and read(path) == b"another", f"{trash}: restored over another: {status}")
    os.unlink(path)
    status, body = server.call("POST", f"/api/photos/{number}/restore", {})
    soak.check(status == 200, f"{trash}: restored with {status} {body!r}")
    soak.check(read(path) == photo, f"{trash}: not as it was")
    soak.check(tree(where) == {}, f"{trash}: left behind {list(tree(where))}")
    server.wait(lambda: [entry["id"] for entry in server.all()] == [number])


def replaced(soak, disk, server, trash):
    """A replaced photo's original lies in the disk's trash, and comes back too."""
    entry = server.all()[0]
    before = read(f"{server.photos}/{entry['name']}")
    recipe = {"recipe": {"rect": {"x": 3, "y": 5, "width": 40, "height": 30}}}
    status, body = server.call("POST", f"/api/photos/{entry['id']}/replace", recipe)
    soak.check(status == 200, f"{trash}: replaced with {status} {body!r}")
    soak.check(
        list(tree(f"{disk}/{trash}/files").values()) == [before], f"{trash}: the original is not in it")
    status, body = server.call("POST", f"/api/photos/{entry['id']}/restore", {})
    soak.check(
        status == 200 and read(f"{server.photos}/{entry['name']}") == before,
        f"{trash}: the original did not come back: {status} {body!r}")


def sticky(path):
    os.mkdir(path)
    os.chmod(path, 0o1777)


def link(path):
    os.mkdir(path + "-elsewhere")
    os.chmod(path + "-elsewhere", 0o1777)
    os.symlink(path + "-elsewhere", path)


def foreign(path):
    sticky(path)
    os.mkdir(f"{path}/{OWN}")
    os.chown(f"{path}/{OWN}", 12345, 12345)


def linked(path):
    sticky(path)
    os.mkdir(path + "-elsewhere")
    os.symlink(path + "-elsewhere", f"{path}/{OWN}")


# What an administrator or somebody else has put at the top of a disk, and which trash is then right.
CASES = [
    ("nothing", None, f".Trash-{OWN}"),
    ("a trash for all", sticky, f".Trash/{OWN}"),
    ("one without the sticky bit", os.mkdir, f".Trash-{OWN}"),
    ("a link to one", link, f".Trash-{OWN}"),
    ("one in which another user has this user's place", foreign, f".Trash-{OWN}"),
    ("one in which this user's place is a link", linked, f".Trash-{OWN}"),
    ("a file", lambda path: write(path, b""), f".Trash-{OWN}"),
]


def cases(soak, photo):
    for number, (words, prepare, trash) in enumerate(CASES):
        disk = soak.path(f"disk{number}")
        with Disk(disk):
            if prepare:
                prepare(f"{disk}/.Trash")
            with served(soak.path(f"server{number}"), f"{disk}/deep/Photos") as server:
                round_trip(soak, disk, server, photo, trash)
                replaced(soak, disk, server, trash)
            elsewhere = f"{disk}/.Trash-elsewhere"
            soak.check(
                not os.path.exists(elsewhere) or os.listdir(elsewhere) == [],
                f"{words}: a link was followed")
            if trash != f".Trash/{OWN}" and os.path.isdir(f"{disk}/.Trash"):
                soak.check(tree(f"{disk}/.Trash") == {}, f"{words}: it was used")


def without_links(soak, photo):
    """The disk of a camera, which knows no second names of a file."""
    if not shutil.which("strace"):
        print("SKIPPED: a disk without links, for there is no strace")
        return
    disk = soak.path("card")
    words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=link", "-e", "inject=link:error=EPERM"]
    with Disk(disk), served(soak.path("camera"), f"{disk}/Photos", words) as server:
        round_trip(soak, disk, server, photo, f".Trash-{OWN}")


def refused(soak, photo):
    """Where no trash can be had the photo stays, and the answer says why."""
    disk = soak.path("full")
    with Disk(disk):
        write(f"{disk}/.Trash-{OWN}", b"in the way")
        with served(soak.path("refused"), f"{disk}/Photos") as server:
            write(f"{server.photos}/a.jpg", photo)
            server.wait(server.all)
            number = server.all()[0]["id"]
            status, body = server.call("POST", f"/api/photos/{number}/trash", {})
            soak.check(status == 409 and b'"trash"' in body, f"refused with {status} {body!r}")
            soak.check(read(f"{server.photos}/a.jpg") == photo, "a refused photo is gone")


def can_mount():
    with tempfile.TemporaryDirectory(prefix="cropkit-soak-") as folder:
        with Disk(f"{folder}/disk") as is_there:
            return is_there


if os.geteuid() != 0:
    print("SKIPPED: the trash of another disk, for only root can mount one")
elif not can_mount():
    print("SKIPPED: the trash of another disk, for none can be mounted here")
else:
    with Soak("trash") as soak:
        small = read(soak.photo("small.jpg", 64, 48))
        cases(soak, small)
        without_links(soak, small)
        refused(soak, small)
