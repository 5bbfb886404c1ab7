"""The steps of the Containerfile, run in a minimal system: a container without container tools.

Its root is read-only and no process in it is root; two folders serve as the volumes. Like life.py it needs
root, debootstrap and a Debian mirror, and the packages in dist.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Soak"), str(ROOT / "Tests/Packaging")]
from bare import Bare, can_be_bare, is_built  # noqa: E402
from soak import Soak  # noqa: E402

#: Files that Debian's slim image leaves out.
SLIM = "".join(f"path-exclude /usr/share/{one}/*\n" for one in ("doc", "man", "locale", "info", "lintian"))

#: The largest sizes in megabytes: of the files, and of the compressed image.
MOST = (150, 60)

FORMATS = ["jpg", "png", "webp", "gif", "tif", "heic", "avif", "jxl"]

#: The container: read-only, with volumes and a separate network; its process is the first one.
STARTED = r"""
set -eu
ip link set lo up
mount --bind {root} {root}
cd {root}
mount -t proc proc proc
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs tmp
for volume in {volumes}; do mount --bind {volumes_of}/$volume ./$volume; done
mount -o remount,ro,bind .
as_user() {{ {as_user} "$@"; }}
{as_user} {entry} >{said} 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || :' EXIT
for _ in $(seq 3000); do as_user {health} 2>/dev/null && break; sleep 0.1; done
as_user {health} && echo HEALTHY
as_user id -u
# Not even root could write there.
touch usr/x 2>/dev/null || echo READ-ONLY
# The image has no command line; this one uses the image's worker.
mkdir tmp/bin tmp/libexec
cp {command_line} tmp/bin/cropkit
ln -s /usr/libexec/cropkit tmp/libexec/cropkit
for format in {formats}; do
  as_user /tmp/bin/cropkit crop --require-sandbox -q /photos/still-life.jpg --max-side 240 -o /tmp/photo.$format
  as_user /tmp/bin/cropkit crop --require-sandbox -q /tmp/photo.$format --rect 5,3,90,60 -o /tmp/part.$format
done
echo CROPPED
token=$(as_user cat /data/token)
{work}
kill $server
wait $server && echo ENDED
trap - EXIT
"""

#: It changes to the root before it drops its rights.
AS_USER = "env -i PATH=/usr/sbin:/usr/bin:/bin {env} setpriv --no-new-privs chroot --userspec={user} ."

#: Replaces a photo; the original is then in the volume's trash.
WORK = r"""
ask() {
  exec 5<>/dev/tcp/127.0.0.1/8080
  printf '%s HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAuthorization: Bearer %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s' \
    "$1" "$token" "${#2}" "$2" >&5
  cat <&5
  exec 5<&-
}
for _ in $(seq 3000); do ask 'GET /api/albums' '' | grep -q '"indexing"' || break; sleep 0.1; done
id=$(ask 'GET /api/albums/all/photos?limit=100' '' | tr '{' '\n' | grep still-life | sed 's/.*"id":"\([^"]*\)".*/\1/')
ask "POST /api/photos/$id/replace" '{"recipe":{"rect":{"x":0,"y":0,"width":640,"height":480}}}' | head -1
"""


def instructions():
    """The lines of the Containerfile, a word and what follows it: of the image that is built in, and of the result."""
    text = (ROOT / "Containerfile").read_text()
    lines = re.sub(r"\\\n", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    words = [tuple(line.split(maxsplit=1)) for line in lines if line.strip()]
    second = next(index for index, (word, _) in enumerate(words) if index and word == "FROM")
    return words[:second], words[second:]


def words_after(found, name):
    """The list at the end of a line, as words of a shell."""
    return json.loads(re.search(r"\[.*\]$", found[name])[0])


def built(soak, bare, steps, image):
    """Runs the steps that build the image, and returns its root."""
    soak.check(steps["FROM"] == "debian:trixie-slim AS system", f"from {steps['FROM']}")
    soak.check(image["FROM"] == "scratch", f"from {image['FROM']}")
    pathlib.Path(bare.root, "etc/dpkg/dpkg.cfg.d/docker").write_text(SLIM)
    mount, script = re.fullmatch(r"--mount=type=bind,source=\.,target=(\S+) (.*)", steps["RUN"]).groups()
    patterns = (ROOT / ".dockerignore").read_text().split()
    soak.check(patterns[0] == "*", f"all but {patterns} is sent to the builder")
    for path in (path for pattern in patterns[1:] for path in ROOT.glob(pattern.removeprefix("!"))):
        place = pathlib.Path(f"{bare.root}{mount}", path.relative_to(ROOT))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
    done = bare.run(f"export DEBIAN_FRONTEND=noninteractive; {script}")
    soak.check(done.returncode == 0, f"RUN: {done.stdout[-800:]} {done.stderr[-800:]}")
    source = re.fullmatch(r"--from=system (/\S+) /", image["COPY"])[1]
    root = f"{bare.root}{source}"
    # A container has these.
    for folder in ("dev", "proc"):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    size, compressed = sizes(root)
    print(f"container: {size} MB, {compressed} MB compressed")
    soak.check(size <= MOST[0] and compressed <= MOST[1], f"it is larger than {MOST} MB")
    for name in ("cropkit", "cropkit-server"):
        path = pathlib.Path(root, f"usr/share/doc/{name}/licenses.txt.gz")
        soak.check(path.exists(), f"{path.name} of {name} is left out")
    packages = re.findall(r"^Package: (\S+)$", pathlib.Path(root, "var/lib/dpkg/status").read_text(), re.MULTILINE)
    soak.check({"libvips42t64", "libheif1", "libc6"} <= set(packages), f"packages: {packages}")
    for name in packages:
        soak.check(os.path.exists(f"{root}/usr/share/doc/{name}/copyright"), f"the license of {name} is left out")
    return root


def sizes(root):
    """Megabytes of the files, and of them in an archive as registries have it."""
    script = 'du -sx --apparent-size --block-size=1 "$0" | cut -f1; tar -C "$0" -c . | gzip -6 | wc -c'
    done = subprocess.run(["bash", "-c", script, root], capture_output=True, text=True, check=True)
    return [int(line) // 1_000_000 for line in done.stdout.split()]


def volumes(soak, root, places, user):
    folder = soak.path("volumes")
    for place in places:
        subprocess.run(["cp", "-a", f"{root}{place}", f"{folder}{place}"], check=True)
    source = ROOT / "Samples/still-life.jpg"
    subprocess.run(["install", "-o", user.split(":")[0], "-m", "644", source, f"{folder}/photos"], check=True)
    return folder


def started(soak, root, steps, folder, user, command_line):
    places = json.loads(steps["VOLUME"])
    script = STARTED.format(
        root=shlex.quote(root), volumes=" ".join(one.strip("/") for one in places), volumes_of=folder,
        as_user=AS_USER.format(user=user, env=steps["ENV"]), entry=shlex.join(json.loads(steps["ENTRYPOINT"])),
        health=shlex.join(words_after(steps, "HEALTHCHECK")), formats=" ".join(FORMATS), command_line=command_line, said=soak.path("said"), work=WORK)
    done = subprocess.run(
        ["unshare", "-m", "-n", "-p", "-f", "--propagation", "private", "bash", "-c", script],
        capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
    said = pathlib.Path(soak.path("said")).read_text() if os.path.exists(soak.path("said")) else ""
    lines = done.stdout.split("\n")
    soak.check(done.returncode == 0 and lines[0] == "HEALTHY", f"never healthy: {done} {said}")
    soak.check(lines[1:4] == [user.split(":")[0], "READ-ONLY", "CROPPED"], f"user, root and formats: {lines} {done.stderr}")
    soak.check("HTTP/1.1 200" in done.stdout, f"the work: {done} {said}")
    soak.check(lines[5:] == ["ENDED", ""], f"its end: {lines} {said}")
    return done.returncode == 0


def main(soak):
    bare = Bare(soak, "trixie")
    parts = instructions()
    system, steps = map(dict, parts)
    soak.check([len(system), len(steps)] == [len(part) for part in parts], "a line of a kind that occurs twice is not carried out")
    user = steps["USER"]
    soak.check(user.split(":")[0] not in ("0", "root"), "it is root")
    os.mkdir(soak.path("volumes"))
    root = built(soak, bare, system, steps)
    folder = volumes(soak, root, json.loads(steps["VOLUME"]), user)
    command_line = f"{bare.root}/usr/bin/cropkit"
    if not started(soak, root, steps, folder, user, command_line):
        return
    token = pathlib.Path(folder, "data/token").read_text()
    soak.check(list(pathlib.Path(folder, "photos").glob(".Trash*/files/*")), "the original is not in the trash")
    # A second start finds the data of the first one.
    started(soak, root, steps, folder, user, command_line)
    soak.check(pathlib.Path(folder, "data/token").read_text() == token, "another token")


with Soak("container") as soak:
    if is_built() and can_be_bare() and list((ROOT / "dist").glob("cropkit-server_*.deb")):
        main(soak)
    else:
        soak.check(True, "")
        print("SKIPPED: the container; CROPKIT_SOAK=1, root, debootstrap and make deb are needed")
