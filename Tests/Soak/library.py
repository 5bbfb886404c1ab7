"""The library under kill -9, swapped links and attacks, and with very many photos.

A sample in CI; with CROPKIT_SOAK=1, more rounds and 100,000 photos.
"""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import threading
import time

from served import Served, dated
from soak import LONG, PROGRAM, Soak, read, run, write

RECIPE = {"recipe": {"rect": {"x": 3, "y": 5, "width": 200, "height": 150}}}


def saves(soak, photo):
    """A server that is killed while it saves leaves no incomplete image and no other file."""
    folder = soak.path("saves")
    server = Served(folder)
    target = f"{server.photos}/photo.jpg"
    write(target, photo)
    server.start()
    number = server.all()[0]["id"]
    server.stop()
    for _ in range(100 if LONG else 4):
        server.start()
        threads = [
            threading.Thread(
                target=server.call, args=("POST", f"/api/photos/{number}/{action}", RECIPE))
            for action in ("crops", "crops", "replace")]
        for thread in threads:
            thread.start()
        time.sleep(soak.random.uniform(0, 0.5))
        server.stop(signal.SIGKILL)
        for thread in threads:
            thread.join()
        names = [os.path.join(place, name) for place, _, names in os.walk(server.photos) for name in names]
        for name in names:
            if name.endswith(".tmp") and "/.cropkit-" in name:
                continue
            result = run(["info", name])
            soak.check(result.returncode == 0, f"{name} after a kill: {result.stderr[-200:]}")
        soak.check(os.path.exists(target), "the original is gone")
        write(target, photo)
    server.start()
    listed = {photo["name"] for photo in server.all("cropped")}
    soak.check(
        listed == {name for name in os.listdir(f"{server.photos}/Cropped") if name[0] != "."}
        if os.path.exists(f"{server.photos}/Cropped") else not listed, "the list is not the folder")
    server.stop()


def passes(soak, photo):
    """A server that is killed while it scans its folder continues after a restart."""
    folder = soak.path("passes")
    server = Served(folder, waits=False)
    count = 5000 if LONG else 1500
    for index in range(count):
        write(f"{server.photos}/{index}.jpg", dated(photo, index))
    for _ in range(20 if LONG else 3):
        server.start()
        time.sleep(soak.random.uniform(0, 0.4))
        server.stop(signal.SIGKILL)
    server.waits = True
    server.start()
    names = [photo["name"] for photo in server.all(limit=333)]
    soak.check(len(names) == count and len(set(names)) == count, f"{len(names)} of {count} listed")
    server.stop()


def links(soak, photo):
    """A link that replaces a file or a folder never leads outside."""
    folder = soak.path("links")
    secret = soak.path("secret.jpg")
    write(secret, dated(photo, 7) + b"SECRET")
    os.makedirs(soak.path("outside"))
    write(soak.path("outside/in.jpg"), read(secret))
    server = Served(folder, "--queue", "1000")
    os.makedirs(f"{server.photos}/sub")
    for name in ("file.jpg", "sub/in.jpg"):
        write(f"{server.photos}/{name}", photo)
    server.start()
    numbers = [photo["id"] for photo in server.all()]
    asked = 0

    def swap():
        file, place = f"{server.photos}/file.jpg", f"{server.photos}/sub"
        end = time.monotonic() + 3
        for number in range(10_000_000):
            if number >= (10_000 if LONG else 100) and time.monotonic() > end and asked > 5:
                break
            os.symlink(secret, file + ".new")
            os.rename(file + ".new", file)
            write(file + ".new", photo)
            os.rename(file + ".new", file)
            os.rename(place, place + ".real")
            os.symlink(soak.path("outside"), place)
            os.unlink(place)
            os.rename(place + ".real", place)

    thread = threading.Thread(target=swap, daemon=True)
    thread.start()
    while thread.is_alive():
        for number in numbers:
            status, body = server.call("GET", f"/api/photos/{number}/original")
            soak.check(b"SECRET" not in body, f"{number} shows what is outside")
            server.call("POST", f"/api/photos/{number}/crops", RECIPE)
            asked += 1
    thread.join()
    soak.check(
        sorted(os.listdir(soak.path("outside"))) == ["in.jpg"], "something was written outside")
    server.stop()


def attacks(soak, photo):
    """Whatever is requested, no file outside the folder is opened, according to strace."""
    if not shutil.which("strace"):
        print("SKIPPED: the list of attacks, for there is no strace")
        return
    folder = soak.path("attacks")
    trace = soak.path("trace")
    outside = soak.path("CANARY")
    os.makedirs(outside)
    write(f"{outside}/canary.jpg", photo)
    server = Served(
        folder, before=["strace", "-f", "-qq", "-o", trace, "-e", "trace=open,openat,openat2,creat"])
    write(f"{server.photos}/a.jpg", photo)
    os.symlink(f"{outside}/canary.jpg", f"{server.photos}/link.jpg")
    os.symlink(outside, f"{server.photos}/folder")
    server.start()
    number = server.all()[0]["id"]
    up = "../" * 12
    places = [
        "..", "%2e%2e", "..%2f..%2fCANARY", f"{up}etc/passwd", "%2fetc%2fpasswd", "a.jpg",
        "folder%2fcanary.jpg", "link.jpg", "0", "-1", "1", "99999999999999999999", "%00", "zzzzzzzzzzzzz",
        f"{number}/../{number}", f"{number}%2f..%2f..", f"{number}%00", "\u00e9".encode().hex()]
    for place in places:
        for path in (
                f"/api/photos/{place}/original", f"/api/photos/{place}/preview?maxSide=64",
                f"/api/photos/{place}/thumbnail", f"/api/albums/{place}/photos", f"/{place}",
                f"/api/photos/{number}/{place}"):
            answer = server.ask(f"GET {path}")
            status = int((answer.split() + [b"", b"0"])[1])
            soak.check(status in (400, 404), f"GET {path}: {answer[:80]!r}")
        server.call("POST", f"/api/photos/{place}/crops", RECIPE)
        server.call("POST", f"/api/photos/{place}/trash")
    for name in (f"{up}tmp/upload", "/etc/upload", "folder/upload", "..", "a\0b"):
        server.call("POST", "/api/photos?name=" + "".join("%%%02x" % byte for byte in name.encode()), photo)
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1"):
        for method, path in (("GET", "/api/albums"), ("POST", f"/api/photos/{number}/trash")):
            answer = server.ask(f"{method} {path}", host)
            soak.check(answer[9:12] in (b"421", b"400"), f"{host} was let in: {answer[:60]!r}")
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{server.port}"):
        for action in ("crops", "trash", "replace", "restore"):
            status, _ = server.call(
                "POST", f"/api/photos/{number}/{action}", RECIPE, {"Origin": origin})
            soak.check(status == 403, f"{origin} may {action}: {status}")
    for path in (f"/api/photos/{number}/trash", f"/api/photos/{number}/crops"):
        status, _ = server.call("GET", path)
        soak.check(status in (404, 405), f"GET {path}: {status}")
    soak.check(os.path.exists(f"{server.photos}/a.jpg"), "a photo was removed")
    # Valid requests work the whole time.
    status, _ = server.call("GET", f"/api/photos/{number}/thumbnail")
    soak.check(status == 200, f"the thumbnail: {status}")
    server.stop()
    opened = [
        line for line in (read(trace) or b"").decode(errors="replace").splitlines()
        if re.search(r"= \d+$", line)]
    soak.check(len(opened) > 50, "strace saw nothing")
    for line in opened:
        soak.check("CANARY" not in line and "passwd" not in line, f"opened outside: {line}")
    beneath = [line for line in opened if "openat2(" in line]
    soak.check(
        beneath and all("RESOLVE_BENEATH" in line for line in beneath), "files are not opened beneath")


def exhausted(soak, photo):
    """A server that can't open more files does not treat files as deleted."""
    if not shutil.which("strace"):
        print("SKIPPED: no more open files, for there is no strace")
        return
    server = Served(soak.path("exhausted"))
    os.makedirs(f"{server.photos}/sub")
    for name in ("a.jpg", "sub/b.jpg"):
        write(f"{server.photos}/{name}", photo)
    server.start()
    before = sorted(entry["id"] for entry in server.all())
    server.stop()
    # The folder itself is opened before that.
    server.before = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=openat2", "-e",
                     "inject=openat2:error=EMFILE:when=2+"]
    with server:
        soak.check(
            len(before) == 2 and sorted(entry["id"] for entry in server.all()) == before,
            "photos are forgotten")
        status, body = server.call("GET", f"/api/photos/{before[0]}/original")
        soak.check(status == 503 and b"ulimit -n" in body, f"{status} {body!r}")


def unfiltered(soak, photo):
    """Where the kernel can't filter system calls, the server says so, and refuses to start if it must."""
    if not shutil.which("strace"):
        print("SKIPPED: a kernel without filters, for there is no strace")
        return
    server = Served(soak.path("unfiltered"))
    write(f"{server.photos}/a.jpg", photo)
    server.before = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=seccomp", "-e", "inject=seccomp:error=ENOSYS"]
    with server:
        status, body = server.call("GET", "/api/ready")
        soak.check(status == 200 and json.loads(body)["sandbox"] == "limits", f"{status} {body!r}")
        soak.check(server.call("GET", f"/api/photos/{server.all()[0]['id']}/preview?maxSide=64")[0] == 200, "no preview")
    done = subprocess.run(
        [*server.before, PROGRAM, "serve", "--port", "0", "--library", "none", "--require-sandbox"],
        capture_output=True, text=True, timeout=60)
    soak.check(done.returncode == 64 and "can't filter system calls" in done.stderr, f"{done}")
    part = soak.path("unfiltered.png")
    crop = [*server.before, PROGRAM, "crop", f"{server.photos}/a.jpg", "--max-side", "40", "-o", part]
    done = subprocess.run([*crop, "--require-sandbox"], capture_output=True, text=True, timeout=60)
    soak.check(done.returncode == 64 and "can't filter system calls" in done.stderr and not os.path.exists(part), f"{done}")
    done = subprocess.run(crop, capture_output=True, text=True, timeout=60)
    soak.check(done.returncode == 0 and os.path.exists(part), f"{done}")


def doors(soak, photo):
    """The QR code in the terminal contains the address and a code for one device, not the token."""
    if not shutil.which("zbarimg"):
        print("SKIPPED: the QR code, for there is no zbarimg")
        return
    text, code = on_terminal([PROGRAM, "serve", "--port", "0", "--host", "0.0.0.0", "--library", "none"])
    address = re.search(r"CropKit is at (\S+)", text)[1]
    token = re.search(r"token to sign in is (\S+)", text)[1]
    rows = []
    for line in code:
        rows.append(b"".join((b"\xff" if c in "█▀" else b"\0") * 6 for c in line))
        rows.append(b"".join((b"\xff" if c in "█▄" else b"\0") * 6 for c in line))
    write(soak.path("code.pgm"), b"P5 %d %d 255\n" % (len(rows[0]), 6 * len(rows))
          + b"".join(row * 6 for row in rows))
    found = subprocess.run(
        ["zbarimg", "-q", "--raw", soak.path("code.pgm")], capture_output=True, text=True)
    soak.check(
        re.fullmatch(re.escape(address) + r"\?code=[0-9a-f]{32}\n", found.stdout) and token not in found.stdout,
        f"the QR code says {found.stdout!r}")


def on_terminal(command):
    """A server's output in a terminal until its QR code is complete, and the lines of that."""
    number, terminal = pty.fork()
    if number == 0:
        os.execv(command[0], command)
    said, code = b"", []
    # The code is a square, and a line has two rows of it.
    while (not code or len(code) * 2 < len(code[0])) and select.select([terminal], [], [], 300)[0]:
        said += os.read(terminal, 65536)
        code = re.findall(r"\x1b\[97;40m(.*?)\x1b\[0m", said.decode(errors="ignore"))
    os.kill(number, signal.SIGTERM)
    os.waitpid(number, 0)
    os.close(terminal)
    return said.decode(), code


def many(soak, photo):
    """All of 100,000 photos are listed, and a page of them; prints how long that took."""
    folder = soak.path("many")
    server = Served(folder)
    count = 100_000 if LONG else 3000
    for index in range(count):
        if index % 2000 == 0:
            os.makedirs(f"{server.photos}/{index // 2000}")
        write(f"{server.photos}/{index // 2000}/{index}.jpg", dated(photo, index))
    begin = time.monotonic()
    server.start()
    rate = count / (time.monotonic() - begin)
    memory = server.memory
    names = {photo["name"] for photo in server.all()}
    soak.check(len(names) == count, f"{len(names)} of {count} listed")
    server.stop()
    server.start()
    begin = time.monotonic()
    page = server.get("/api/albums/all/photos?limit=100")
    first = time.monotonic() - begin
    server.stop()
    soak.check(len(page["photos"]) == 100, "the first page is not whole")
    print(f"library: {count} photos, {rate:.0f} a second, {memory:.0f} MiB, first page {first * 1000:.0f} ms")


with Soak("library") as soak:
    small = read(soak.photo("small.jpg", 64, 48))
    large = read(soak.photo("large.jpg", 1200, 900))
    saves(soak, large)
    passes(soak, small)
    links(soak, small)
    attacks(soak, small)
    exhausted(soak, small)
    unfiltered(soak, large)
    doors(soak, small)
    many(soak, small)
