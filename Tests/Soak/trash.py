"""The trash on another disk or mount, according to the freedesktop specification: which folder is used, which
is rejected, what the info file contains, and that everything can be restored. Disks that disappear and return
while a server runs, and files that another program saves while a photo is replaced.

Only root can mount a disk; otherwise that part is skipped, with a message.
"""

import os
import shutil
import subprocess
import tempfile
import threading
import urllib.parse

from served import Served
from soak import Soak, read, write

OWN = str(os.getuid())


class Disk:
    """`with Disk(path):` a small temporary disk at `path`; `with Disk(path, folder):` that folder again, as a
    separate mount."""

    def __init__(self, path, folder=None):
        self.path, self.folder = path, folder

    def __enter__(self):
        os.makedirs(self.path, exist_ok=True)
        what = ["--bind", self.folder] if self.folder else ["-t", "tmpfs", "-o", "size=8m,mode=755", "none"]
        return subprocess.run(["mount", *what, self.path], capture_output=True).returncode == 0

    def __exit__(self, kind, value, trace):
        subprocess.run(["umount", "-l", self.path], capture_output=True)


class Exchanges:
    """Holds a server's calls that exchange or rename files: `with Exchanges(server, log) as exchanges:`."""

    def __init__(self, server, log):
        self.server, self.log = server, log

    def __enter__(self):
        with open(f"{self.log}-errors", "wb") as errors:
            self.tracer = subprocess.Popen(
                ["strace", "-f", "-p", str(self.server.number), "-e", "trace=renameat2", "-e",
                 f"inject=renameat2:delay_enter={3600 * 1000000}", "-o", self.log], stderr=errors)
        self.server.wait(lambda: b"attached" in read(f"{self.log}-errors"))
        return self

    @property
    def held(self):
        """Whether a call is held."""
        return b"renameat2(" in (read(self.log) or b"")

    def __exit__(self, *_):
        self.tracer.kill()
        self.tracer.wait()


def served(folder, photos, before=()):
    """A server with its data in `folder` and the images on a disk."""
    server = Served(folder, before=before)
    os.rmdir(server.photos)
    server.photos = photos
    os.makedirs(photos, exist_ok=True)
    return server


def tree(folder):
    """All files below a folder, with their contents."""
    return {
        os.path.relpath(os.path.join(place, name), folder): read(os.path.join(place, name))
        for place, _, names in os.walk(folder) for name in names}


def round_trip(soak, disk, server, photo, trash):
    """A photo goes to the trash in the folder `trash` of the disk, and can be restored."""
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
    reported = [line[5:] for line in note if line.startswith("Path=")]
    wanted = os.path.relpath(path, disk)
    soak.check(
        note[:1] == ["[Trash Info]"] and [urllib.parse.unquote(line) for line in reported] == [wanted],
        f"{trash}: the note says {note}")
    soak.check(os.stat(where).st_mode & 0o777 == 0o700, f"{trash}: others may look into it")
    # Another user's file with that name is not touched.
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
    """A replaced photo's original is in the disk's trash, and can be restored too."""
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


# What an administrator or another user has put at the top of a disk, and which trash is then correct.
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
    """The disk of a camera, which does not support hard links."""
    if not shutil.which("strace"):
        print("SKIPPED: a disk without links, for there is no strace")
        return
    disk = soak.path("card")
    words = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=link", "-e", "inject=link:error=EPERM"]
    with Disk(disk), served(soak.path("camera"), f"{disk}/Photos", words) as server:
        round_trip(soak, disk, server, photo, f".Trash-{OWN}")


def bound(soak, photo):
    """Photos on a separate mount of the disk with the home folder, as in a container."""
    store, place = soak.path("store"), soak.path("bound")
    os.makedirs(store)
    with Disk(place, store), served(soak.path("container"), place) as server:
        round_trip(soak, place, server, photo, f".Trash-{OWN}")
        replaced(soak, place, server, f".Trash-{OWN}")
        soak.check(not tree(f"{server.folder}/data/Trash"), "the home trash was used")


def copied(soak, photo):
    """If a mount can't have its own trash, files are copied to that of the home folder."""
    store, place = soak.path("store2"), soak.path("copied")
    os.makedirs(store)
    write(f"{store}/.Trash-{OWN}", b"in the way")
    with Disk(place, store), served(soak.path("copying"), place) as server:
        path, home = f"{place}/a.jpg", f"{server.folder}/data/Trash"
        write(path, photo)
        os.utime(path, ns=(10**18, 10**18 + 1))
        os.chmod(path, 0o640)
        with open(f"{place}/huge.jpg", "wb") as file:
            file.write(photo)
            file.truncate(4 << 40)
        server.wait(lambda: len(server.all()) == 2)
        number = {entry["name"]: entry["id"] for entry in server.all()}
        before = os.stat(path)
        status, body = server.call("POST", f"/api/photos/{number['a.jpg']}/trash", {})
        soak.check(status == 204 and not os.path.exists(path), f"copied with {status} {body!r}")
        soak.check(tree(f"{home}/files") == {"a.jpg": photo}, f"not copied: {list(tree(home))}")
        status, body = server.call("POST", f"/api/photos/{number['a.jpg']}/restore", {})
        soak.check(status == 200 and read(path) == photo, f"copied back with {status} {body!r}")
        after = os.stat(path)
        soak.check(
            (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns),
            f"its permissions or times are others: {after}")
        recipe = {"recipe": {"rect": {"x": 3, "y": 5, "width": 40, "height": 30}}}
        status, body = server.call("POST", f"/api/photos/{number['a.jpg']}/replace", recipe)
        soak.check(status == 200 and tree(f"{home}/files") == {"a.jpg": photo}, f"{status} {body!r}")
        status, body = server.call("POST", f"/api/photos/{number['a.jpg']}/restore", {})
        soak.check(status == 200 and read(path) == photo, f"after a replacement: {status} {body!r}")
        soak.check(tree(home) == {}, f"left behind {list(tree(home))}")
        # Files above the size that is read into memory are not copied, and stay.
        status, body = server.call("POST", f"/api/photos/{number['huge.jpg']}/trash", {})
        soak.check(status == 409 and b'"trash"' in body, f"4 TiB: {status} {body!r}")
        soak.check(os.stat(f"{place}/huge.jpg").st_size == 4 << 40, "4 TiB are gone")
        soak.check(tree(home) == {}, f"4 TiB left {list(tree(home))}")


def refused(soak, photo):
    """If there is no usable trash, the photo stays, and the response contains the reason."""
    disk = soak.path("full")
    with Disk(disk):
        write(f"{disk}/.Trash-{OWN}", b"in the way")
        with served(soak.path("refused"), f"{disk}/Photos") as server:
            write(f"{server.folder}/data/Trash", b"in the way")
            write(f"{server.photos}/a.jpg", photo)
            server.wait(server.all)
            number = server.all()[0]["id"]
            status, body = server.call("POST", f"/api/photos/{number}/trash", {})
            soak.check(status == 409 and b'"trash"' in body, f"refused with {status} {body!r}")
            soak.check(read(f"{server.photos}/a.jpg") == photo, "a refused photo is gone")


def unmounted(soak, photo):
    """A disk with the photos can be removed while the server runs, and returned."""
    place = soak.path("stick")
    os.makedirs(place)
    with served(soak.path("sticks"), place) as server:
        for name in ("a.jpg", "b.jpg"):
            with Disk(place):
                write(f"{place}/{name}", photo)
                server.wait(lambda: [entry["name"] for entry in server.all()] == [name])
                number = server.all()[0]["id"]
                status, _ = server.call("GET", f"/api/photos/{number}/thumbnail")
                soak.check(status == 200, f"{name}: {status}")
                # A file that is being read may keep it busy for a moment.
                server.wait(lambda: subprocess.run(["umount", place], capture_output=True).returncode == 0)
            server.wait(lambda: server.all() == [])
        soak.check(True, "")


def meanwhile(soak, photo):
    """Files that another program saves while a photo is replaced or restored are kept."""
    if not shutil.which("strace"):
        print("SKIPPED: another program's saves, for there is no strace")
        return
    recipe = {"recipe": {"rect": {"x": 3, "y": 5, "width": 40, "height": 30}}}
    for action in ("replace", "restore"):
        folder = soak.path(f"meanwhile-{action}")
        with Served(folder) as server:
            path = f"{server.photos}/a.jpg"
            write(path, photo)
            server.wait(lambda: [entry["name"] for entry in server.all()] == ["a.jpg"])
            number = server.all()[0]["id"]
            if action == "restore":
                server.call("POST", f"/api/photos/{number}/replace", recipe)
            with Exchanges(server, soak.path("exchanges")) as exchanges:
                answers = []
                thread = threading.Thread(target=lambda: answers.append(
                    server.call("POST", f"/api/photos/{number}/{action}", recipe)))
                thread.start()
                # The new file is next to the old one: the next step is the exchange.
                server.wait(lambda: exchanges.held)
                write(f"{folder}/theirs.jpg", photo + b"theirs")
                os.rename(f"{folder}/theirs.jpg", path)
            thread.join()
            status, body = answers[0]
            soak.check(status == 409 and b'"changed"' in body, f"{action}: {status} {body!r}")
            soak.check(read(path) == photo + b"theirs", f"{action}: another program's save is lost")
            soak.check(os.listdir(server.photos) == ["a.jpg"], f"{action}: {os.listdir(server.photos)}")
            trashed = list(tree(f"{folder}/data/Trash/files").values())
            soak.check(trashed == ([photo] if action == "restore" else []), f"{action}: the trash is another")


def without_exchange(soak, photo):
    """A disk that supports neither exchanging names nor renaming without replacing."""
    if not shutil.which("strace"):
        print("SKIPPED: a disk without exchange, for there is no strace")
        return
    server = Served(
        soak.path("plain"),
        before=["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2", "-e",
                "inject=renameat2:error=EINVAL"])
    write(f"{server.photos}/a.jpg", photo)
    with server:
        home = f"{server.folder}/data/Trash"
        number = server.all()[0]["id"]
        recipe = {"recipe": {"rect": {"x": 3, "y": 5, "width": 40, "height": 30}}}
        status, body = server.call("POST", f"/api/photos/{number}/replace", recipe)
        soak.check(status == 200, f"replaced with {status} {body!r}")
        soak.check(list(tree(f"{home}/files").values()) == [photo], "the original is not in the trash")
        for action, wanted in (("restore", 200), ("trash", 204), ("restore", 200)):
            status, body = server.call("POST", f"/api/photos/{number}/{action}", {})
            soak.check(status == wanted, f"{action} with {status} {body!r}")
        soak.check(tree(server.photos) == {"a.jpg": photo}, f"{list(tree(server.photos))}")
        soak.check(tree(home) == {}, f"left behind {list(tree(home))}")


def can_mount():
    with tempfile.TemporaryDirectory(prefix="cropkit-soak-") as folder:
        with Disk(f"{folder}/disk") as is_there:
            return is_there


with Soak("trash") as soak:
    small = read(soak.photo("small.jpg", 64, 48))
    meanwhile(soak, small)
    without_exchange(soak, small)
    if os.geteuid() != 0:
        print("SKIPPED: the trash of another disk, for only root can mount one")
    elif not can_mount():
        print("SKIPPED: the trash of another disk, for none can be mounted here")
    else:
        cases(soak, small)
        without_links(soak, small)
        bound(soak, small)
        copied(soak, small)
        refused(soak, small)
        unmounted(soak, small)
