"""Compares the programs for arm64, in an emulator, with those for amd64: compare.py AMD64 ARM64 IMAGES

AMD64 and ARM64 are roots with the programs and their libraries. It runs in a namespace in which the kernel may be
told how to run programs for arm64.
"""

import concurrent.futures
import csv
import hashlib
import os
import pathlib
import re
import struct
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

import syscalls

AMD64, ARM64, IMAGES = (pathlib.Path(word) for word in sys.argv[1:])
ROOTS = {"amd64": AMD64, "arm64": ARM64}
#: What the header of an executable for arm64 starts with, and which bits of it count.
HEADER = (r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00",
          r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff")
PATIENCE = ["--limit-seconds", "3600"]
#: Formats to write, in turn.
FORMATS = ["jpg", "webp", "tif", "gif", "heic", "avif", "jxl"]
#: Images that the server is asked to straighten.
SERVED = ["progressive-100x75.jpg", "apng-blend.png", "webp-alpha.webp", "tiff-lzw-rgb.tif", "avif-alpha-irot.avif"]
#: Formats whose encoders choose by calculations that differ between processors (libimagequant, x265, aom): their bytes
#: may differ, and the pixels that they get are compared in a PNG.
CHOOSY = {"gif", "heic", "avif"}


def mount(*words):
    subprocess.run(["mount", *map(str, words)], check=True)


def prepare():
    """Mounts what a system has, and registers the emulator."""
    mount("-t", "binfmt_misc", "none", "/proc/sys/fs/binfmt_misc")
    emulator = AMD64 / "usr/bin/qemu-aarch64"
    # F: opens the emulator now, since the root of the programs has none.
    with open("/proc/sys/fs/binfmt_misc/register", "w", encoding="ascii") as file:
        file.write(f":cropkit-arm64:M::{HEADER[0]}:{HEADER[1]}:{emulator}:F")
    for root in ROOTS.values():
        for folder in ("build", "images", "out"):
            (root / folder).mkdir(exist_ok=True)
        mount("-t", "proc", "proc", root / "proc")
        mount("--rbind", "/dev", root / "dev")
        mount("--bind", IMAGES, root / "images")
        mount("-t", "tmpfs", "tmpfs", root / "out")
    mount("--bind", AMD64 / "build", ARM64 / "build")


def run(architecture, program, *words):
    """Runs a program of the build in the root of its architecture."""
    return subprocess.run(
        ["chroot", ROOTS[architecture], f"/build/{architecture}{program}", *words], capture_output=True, check=False,
        env={"PATH": "/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}, timeout=3600)


def cropkit(architecture, *words):
    """Runs `cropkit`."""
    return run(architecture, "/release/cropkit", *words)


def answer(architecture, words, target):
    """Status, output and the written file."""
    done = cropkit(architecture, *words)
    path = ROOTS[architecture] / target.lstrip("/")
    written = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None
    return done.returncode, done.stdout, done.stderr, written


def alignment(path):
    """The smallest alignment of what the kernel maps of a program (ELF, 64 bits)."""
    data = path.read_bytes()
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    segments = [struct.unpack_from("<IIQQQQQQ", data, start + index * size) for index in range(count)]
    return min(segment[7] for segment in segments if segment[0] == 1)


def cases():
    """The commands by kind: each image in its format, its turned pixels, in another format, and what is known about it."""
    with open(IMAGES / "INDEX.tsv", encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    for index, row in enumerate(rows):
        source = f"/images/{row['file']}"
        width, height = (min(48, int(n)) for n in (row["shown"] or "1x1").split("x"))
        suffix = pathlib.Path(source).suffix
        other = FORMATS[index % len(FORMATS)]
        for number, (kind, end, words) in enumerate([
                ("parts in the same format", suffix, ["--rect", f"0,0,{width},{height}"]),
                ("tilted PNGs", ".png", ["--aspect", "1:1", "--tilt", "3", "--max-side", "200"]),
                (f"thumbnails in {other}", f".{other}", ["--max-side", "64", "--quality", "80"]),
        ]):
            target = f"/out/{index}-{number}{end}"
            yield kind, ["crop", *PATIENCE, source, *words, "-o", target, "--json"], target
        if other in CHOOSY:
            target = f"/out/{index}-3.png"
            yield "thumbnails in png", ["crop", *PATIENCE, source, "--max-side", "64", "-o", target, "--json"], target
        yield "outputs of info", ["info", *PATIENCE, "--json", source], "/out/none"


def without_bytes(result):
    """What a choosy encoder may not change: all but the bytes and their number."""
    status, output, errors, written = result
    return status, re.sub(rb'"bytes":\d+', b"", output), errors, written is not None


def compared(case):
    """The kind, whether the results are equal, a line about a wrong difference, or nothing, and the status."""
    kind, words, target = case
    first, second = (answer(architecture, words, target) for architecture in ROOTS)
    may_differ = target.rpartition(".")[2] in CHOOSY and kind.startswith("thumbnails")
    is_right = first == second or may_differ and without_bytes(first) == without_bytes(second)
    line = None if is_right else f"cropkit {' '.join(words)}:\n  amd64: {first}\n  arm64: {second}"
    return kind, first == second, line, first[0]


def served(architecture):
    """What the server answers when it is ready, and its crops."""
    command = ["chroot", ROOTS[architecture], f"/build/{architecture}/release/cropkit-server", *PATIENCE,
               "--library", "none", "--port", "0", "--token-file", "/out/token"]
    environment = {"PATH": "/usr/sbin:/usr/bin", "LANG": "C.UTF-8", "HOME": "/out"}
    with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as server:
        place = re.search(r"http://[^/]*", server.stdout.readline())
        if not place:
            return {"start": (server.wait(), server.stderr.read())}
        token = (ROOTS[architecture] / "out/token").read_text().strip()
        query = urllib.parse.urlencode({"recipe": '{"tilt": 3}', "encoding": '{"format": "png", "maxSide": 50}'})

        def ask(path, body=None):
            request = urllib.request.Request(place[0] + path, body, {"Authorization": f"Bearer {token}"})
            try:
                with urllib.request.urlopen(request, timeout=3600) as response:
                    return response.status, response.read(), response.headers["CropKit-Size"]
            except urllib.error.HTTPError as error:
                return error.code, error.read(), None

        try:
            answers = {"ready": ask("/api/ready")}
            for name in SERVED:
                answers[name] = ask(f"/api/crop?{query}", (IMAGES / name).read_bytes())
        finally:
            # Also after an error: the server would run on, and be waited for.
            server.terminate()
        answers["end"] = (server.wait(), "")
    return answers


def compared_servers():
    """What is wrong with the servers' answers, and how many answers there are."""
    ours, theirs = (served(architecture) for architecture in ROOTS)
    # The emulator can't filter system calls.
    is_said = [
        b'"sandbox":"%s"' % word in answers.pop("ready", (0, b""))[1]
        for answers, word in ((ours, b"ok"), (theirs, b"limits"))]
    wrong = [name for name, answer in ours.items() if answer[0] not in (0, 200) or theirs.get(name) != answer]
    lines = [f"server, {name}:\n  amd64: {ours[name]}\n  arm64: {theirs.get(name)}" for name in wrong]
    return lines + ["the server does not say whether it filters system calls"] * (not all(is_said)), len(ours) + 1


def main():
    """Prints one line per part, and all differences."""
    prepare()
    failures = []
    for architecture in ROOTS:
        printed = run(architecture, "-rules").stdout.decode()
        found, count = syscalls.wrong(printed, (AMD64 / f"build/{architecture}-calls").read_text())
        failures += [f"{architecture}: {line}" for line in found]
        print(f"arm64: {count} outcomes of the table of system calls for {architecture}, {len(found)} wrong")
    for program in ("cropkit", "cropkit-server", "cropkit-worker"):
        if (found := alignment(AMD64 / "build/arm64/release" / program)) < 65_536:
            failures.append(f"{program}: aligned to {found}, but a kernel may have pages of 65536 bytes")
    # The emulator can't filter system calls, like a kernel without seccomp.
    refused = cropkit("arm64", "crop", "--require-sandbox", "/images/none.jpg", "-o", "/out/none.jpg")
    if refused.returncode != 64 or b"can't filter system calls" not in refused.stderr:
        failures.append(f"--require-sandbox: {refused}")
    found, count = compared_servers()
    failures += found
    print(f"arm64: {count} answers of the server, {len(found)} wrong")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compared, cases()))
    for kind in [*sorted({kind for kind, *_ in results}), ""]:
        those = [one for one in results if kind in ("", one[0])]
        equal, wrong = sum(one[1] for one in those), sum(bool(one[2]) for one in those)
        written = sum(one[3] == 0 for one in those)
        print(f"arm64: {equal:3} of {len(those):3} {kind or 'results'} are equal, {wrong} wrong, {written} successful")
    different = [line for _, _, line, _ in results if line]
    for line in failures + different:
        print(line)
    sys.exit(1 if failures or different else 0)


if __name__ == "__main__":
    main()
