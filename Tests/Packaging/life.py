"""The life cycle of the packages in a minimal Debian 12 without Swift: installed, used, upgraded, purged.

Needs root, debootstrap and a Debian mirror, and programs of a release build in bin (`make build`).
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Soak"), str(ROOT / "Tests/Packaging")]
from bare import ARCHITECTURE, Bare, can_be_bare, is_built  # noqa: E402
from soak import Soak  # noqa: E402

#: A user's actions: crops in all formats, and a server that replaces a photo.
WORK = r"""
set -eu
cd /home/alice
cropkit --version
for format in jpeg png webp gif tiff heic avif jxl; do
  cropkit crop Pictures/still-life.jpg --aspect 1:1 --max-side 64 --format $format -o part.$format --force
done
cropkit info part.* >info
grep -c '  size *64 ' info
rm -f part.* info
man cropkit >/dev/null 2>&1 || :
"""

#: A client of the server in bash, since the chroot has no other.
SERVED = r"""
set -eu
cd /home/alice
rm -f said
cropkit serve --port 18931 --token-file token --log warning >said 2>log &
server=$!
trap 'kill $server 2>/dev/null; wait $server || :' EXIT
for _ in $(seq 3000); do grep -qs token said && break; sleep 0.1; done
ask() {
  exec 5<>/dev/tcp/127.0.0.1/18931
  printf '%s HTTP/1.1\r\nHost: 127.0.0.1:18931\r\nAuthorization: Bearer %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %s\r\n\r\n%s' \
    "$1" "$(cat token)" "${#2}" "$2" >&5
  cat <&5
  exec 5<&-
}
for _ in $(seq 3000); do ask 'GET /api/albums' '' | grep -q '"indexing"' || break; sleep 0.1; done
"""

#: A device signs in, a photo is replaced and another one moved to the trash.
FIRST = SERVED + r"""
exec 5<>/dev/tcp/127.0.0.1/18931
printf 'GET /?token=%s HTTP/1.1\r\nHost: 127.0.0.1:18931\r\nConnection: close\r\n\r\n' "$(cat token)" >&5
sed -n 's/^[Ss]et-[Cc]ookie: \([^;]*\).*/\1/p' <&5 >cookie
exec 5<&-
id() { ask 'GET /api/albums/all/photos?limit=100' '' | tr '{' '\n' | grep "$1" | sed 's/.*"id":"\([^"]*\)".*/\1/'; }
ask "POST /api/photos/$(id still-life)/replace" '{"recipe":{"rect":{"x":0,"y":0,"width":640,"height":480}}}' | head -1
ask "POST /api/photos/$(id tilted-harbour)/trash" '' | head -1
ask 'GET /api/albums/all/photos?limit=100' ''
"""

#: The device is still signed in, and the original is restored.
SECOND = SERVED + r"""
exec 5<>/dev/tcp/127.0.0.1/18931
printf 'GET /api/devices HTTP/1.1\r\nHost: 127.0.0.1:18931\r\nConnection: close\r\nCookie: %s\r\n\r\n' "$(cat cookie)" >&5
head -1 <&5
exec 5<&-
id() { ask 'GET /api/albums/all/photos?limit=100' '' | tr '{' '\n' | grep "$1" | sed 's/.*"id":"\([^"]*\)".*/\1/'; }
ask "POST /api/photos/$(id still-life)/restore" '' | head -1
ask 'GET /api/albums/all/photos?limit=100' ''
"""


def packages(soak):
    """Both packages, and the same with a later version."""
    done = subprocess.run([ROOT / "Scripts/deb.sh"], capture_output=True, text=True, env={
        **os.environ, "CROPKIT_BIN": str(ROOT / "bin"), "CROPKIT_DEB_LEVEL": "0"})
    soak.check(done.returncode == 0, f"deb.sh: {done.stderr}")
    version = subprocess.run(
        [ROOT / "Scripts/version.sh"], capture_output=True, text=True, check=True).stdout.strip()
    found = [ROOT / f"dist/{name}_{version}_{ARCHITECTURE}.deb" for name in ("cropkit", "cropkit-server")]
    later = []
    for path in found:
        folder = soak.path("later")
        subprocess.run(["dpkg-deb", "-R", path, folder], check=True)
        control = pathlib.Path(folder, "DEBIAN/control")
        control.write_text(control.read_text().replace(version, f"{version}+1"))
        later.append(soak.path(path.name.replace(version, f"{version}+1")))
        subprocess.run(["dpkg-deb", "-Znone", "-b", folder, later[-1]], check=True, capture_output=True)
        shutil.rmtree(folder)
    return found, later


def contents(soak, found):
    """Their contents: all files in their places, the licenses, and no complaints from lintian."""
    for path in found:
        names = subprocess.run(["dpkg-deb", "-c", path], capture_output=True, text=True, check=True).stdout
        own = [line.split()[5].lstrip(".") for line in names.splitlines() if not line.startswith("d")]
        name = path.name.split("_")[0]
        for wanted in ("copyright", "changelog.gz", "licenses.txt.gz"):
            soak.check(f"/usr/share/doc/{name}/{wanted}" in own, f"{name} has no {wanted}")
        texts = subprocess.run(
            f"dpkg-deb --fsys-tarfile {path} | tar -xO ./usr/share/doc/{name}/licenses.txt.gz | gunzip",
            shell=True, capture_output=True, text=True, check=True).stdout
        # Ubuntu's libjpeg has another name, so it is linked into all programs.
        wanted = {"swift-nio": name == "cropkit-server", "libjpeg62-turbo-dev": True}
        for part, isThere in wanted.items():
            soak.check((f"\n  {part}\n" in texts) == isThere, f"{name}: licenses of {part}")
        soak.check(
            all(re.match(r"/(usr/(bin|libexec|share|lib/systemd)|lib/systemd|etc/cropkit)/", one) for one in own),
            f"{name}: {own}")
        soak.check(all(" root/root " in line for line in names.splitlines()), f"{name}: other owners")
        fields = subprocess.run(["dpkg-deb", "-f", path, "Depends"], capture_output=True, text=True).stdout
        soak.check("swift" not in fields and "libc6" in fields, f"{name} depends on {fields}")
        if shutil.which("lintian"):
            done = subprocess.run(
                ["lintian", "--allow-root", "--fail-on", "error,warning", path], capture_output=True, text=True)
            soak.check(done.returncode == 0, f"lintian: {done.stdout}")
    if not shutil.which("lintian"):
        print("SKIPPED: lintian, which is not installed")


def life(soak, found, later):
    bare = Bare(soak)
    for path in [*found, *later]:
        shutil.copy(path, f"{bare.root}/var/tmp")

    def apt(words):
        done = bare.run(f"export DEBIAN_FRONTEND=noninteractive; apt-get -qy --no-install-recommends {words}")
        soak.check(done.returncode == 0, f"apt-get {words}: {done.stdout[-800:]} {done.stderr[-800:]}")

    before = bare.files()
    apt("update")
    apt("install " + " ".join(f"/var/tmp/{path.name}" for path in found))
    done = bare.run("useradd -m alice && mkdir /home/alice/Pictures && cp /usr/share/cropkit/samples/*.jpg "
                    "/home/alice/Pictures && chown -R alice: /home/alice && ! command -v swift")
    soak.check(done.returncode == 0, f"a user: {done.stderr}")
    done = bare.run(WORK, "alice")
    soak.check(done.returncode == 0 and "\n7\n" in done.stdout, f"the work: {done.stdout} {done.stderr}")

    def served(script, status, sizes):
        done = bare.run(script, "alice")
        body = re.search(r"^\{.*\}", done.stdout, re.MULTILINE)
        photos = {one["name"]: (one["id"], one["width"]) for one in json.loads(body[0])["photos"]} if body else {}
        soak.check(
            done.returncode == 0 and re.findall(r"^HTTP/1.1 (\d+)", done.stdout, re.MULTILINE)[:2] == status
            and {name: width for name, (_, width) in photos.items()} == sizes,
            f"served: {photos} {done.stdout[:200]} {done.stderr[-500:]}")
        return photos

    sizes = {"lake-at-dusk.jpg": 3000, "still-life.jpg": 640, "upright-street.jpg": 1920}
    first = served(FIRST, ["200", "204"], sizes)
    kept = {path for path in pathlib.Path(bare.root, "home/alice/.local").rglob("*") if path.is_file()}
    soak.check(any("Trash" in str(path) for path in kept), f"no trash: {kept}")
    apt("install " + " ".join(f"/var/tmp/{pathlib.Path(path).name}" for path in later))
    second = served(SECOND, ["200", "200"], {**sizes, "still-life.jpg": 2640})
    soak.check(
        {name: one for name, (one, _) in first.items()} == {name: one for name, (one, _) in second.items()},
        f"after the upgrade ids differ: {first} {second}")
    # The administrator's settings survive an upgrade and are removed by a purge.
    done = bare.run("ls /etc/cropkit/server.toml && dpkg --verify cropkit cropkit-server")
    soak.check(done.returncode == 0 and done.stdout.strip() == "/etc/cropkit/server.toml", f"verify: {done}")
    apt("purge cropkit cropkit-server")
    left = bare.files() - before
    soak.check(left <= {f"./var/tmp/{pathlib.Path(path).name}" for path in [*found, *later]}, f"left behind: {left}")
    done = bare.run("grep -rl cropkit /etc /var/lib --include=* 2>/dev/null | grep -v '^/var/lib/dpkg\\|^/var/lib/apt'")
    soak.check(not done.stdout, f"still named in {done.stdout}")
    homes = pathlib.Path(bare.root, "home/alice")
    soak.check(
        all(list(homes.glob(one)) for one in (".local/share/cropkit/libraries/*", ".local/share/Trash/files/*")),
        "what is the user's own is gone")


with Soak("packages") as soak:
    if not is_built():
        print("SKIPPED: the packages; make build makes the programs, and dpkg-dev is needed")
        soak.check(True, "")
    else:
        found, later = packages(soak)
        contents(soak, found)
        if can_be_bare():
            life(soak, found, later)
        else:
            print("SKIPPED: the packages in a bare system; CROPKIT_SOAK=1, root and debootstrap are needed")
