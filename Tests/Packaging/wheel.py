"""The Python wheel in empty systems: it brings all that it needs, and crops every format in sandboxed workers.

Needs root, debootstrap, a Debian mirror and the output of `make build`.
"""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Soak"), str(ROOT / "Tests/Packaging"), str(ROOT / "Scripts")]
import carry  # noqa: E402
from bare import Bare, can_make_systems, is_built  # noqa: E402
from soak import Soak, run  # noqa: E402

SUITES = ["bookworm", "trixie"]
FORMATS = {"jpeg": "jpg", "png": "png", "webp": "webp", "gif": "gif", "tiff": "tif", "heic": "heic", "avif": "avif", "jxl": "jxl"}

#: Crops each photo to its own format and to a JPEG, by processes that must be confined.
SCRIPT = f"""
import cropkit, subprocess, sys
assert cropkit.programs().path.startswith("/venv/"), cropkit.programs()
for name, extension in {FORMATS}.items():
    photo = f"/photos/photo.{{extension}}"
    part = cropkit.crop(photo, f"/tmp/part.{{extension}}", rect=(5, 3, 90, 60))
    info = cropkit.info(part.output)
    assert (info.format, info.width, info.height) == (name, 90, 60), info
    assert cropkit.crop_bytes(photo, max_side=50, format="jpeg")[:2] == b"\\xff\\xd8", name
    command = [sys.executable, "-m", "cropkit", "crop", "--require-sandbox", "-q", photo, "--rect", "40x40"]
    subprocess.run([*command, "-o", f"/tmp/confined.{{extension}}"], check=True)
gif = cropkit.crop_bytes("/photos/photo.png", format="gif", quality=50)
print(len(gif) > 0)
"""


def packed(soak):
    """The wheel as a release has it."""
    folder = soak.path("dist")
    done = subprocess.run(
        [ROOT / "Scripts/wheel.sh"], capture_output=True, text=True, env={**os.environ, "CROPKIT_DIST": folder})
    soak.check(done.returncode == 0, f"wheel.sh: {done.stderr}")
    return next(pathlib.Path(folder).glob("*.whl"))


def contents(soak, wheel):
    """Nothing but the C library is taken from the system, and every library has its license."""
    folder = soak.path("wheel")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    package = pathlib.Path(folder, "cropkit")
    files = [path for path in package.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    names = {path.name for path in files}
    soak.check({"cropkit", "cropkit-worker", "vips-heif.so", "vips-jxl.so", carry.STUB} <= names, f"programs: {names}")
    minors = [0]
    for path in files:
        others = [name for name in carry.needed(path) if name not in names and not carry.SYSTEM.fullmatch(name)]
        soak.check(not others, f"{path.name} needs {others}")
        minors += [int(minor) for minor in re.findall(rb"GLIBC_2\.([0-9]+)", path.read_bytes())]
    soak.check(f"-manylinux_2_{max(minors)}_" in wheel.name, f"{wheel.name} needs glibc 2.{max(minors)}")
    [licenses] = pathlib.Path(folder).glob("*.dist-info/**/LICENSES.txt")
    text = licenses.read_text()
    for words in ("libvips42: vips ", "libx265-199: x265 ", "libheif1: libheif ", "GNU GENERAL PUBLIC LICENSE"):
        soak.check(words.lower() in text.lower(), f"LICENSES.txt does not say {words}")


def audited(soak, wheel):
    """The tool of the Python packaging authority agrees with the tag."""
    place = soak.path("audit")
    for words in ([sys.executable, "-m", "venv", place], [f"{place}/bin/pip", "install", "-q", "auditwheel==6.8.2"]):
        subprocess.run(words, check=True, capture_output=True)
    done = subprocess.run([f"{place}/bin/auditwheel", "show", wheel], capture_output=True, text=True)
    [tag] = re.findall(r"manylinux_2_\d+_\w+(?=\.whl)", wheel.name)
    soak.check(f'platform tag: "{tag}"' in " ".join(done.stdout.split()), f"auditwheel: {done.stdout} {done.stderr}")


def in_system(soak, wheel, suite):
    bare = Bare(soak, suite, ["python3-venv"])
    os.makedirs(f"{bare.root}/photos")
    subprocess.run(["cp", wheel, f"{bare.root}/photos"], check=True)
    for extension in FORMATS.values():
        photo = f"{bare.root}/photos/photo.{extension}"
        done = run(["crop", ROOT / "Samples/still-life.jpg", "--max-side", "240", "-o", photo])
        soak.check(done.returncode == 0, f"{photo}: {done.stderr}")
    pathlib.Path(bare.root, "photos/check.py").write_text(SCRIPT)
    done = bare.run(
        "ldconfig -p | grep -E 'libvips|libheif|libjxl|libglib'; python3 -m venv /venv "
        "&& /venv/bin/pip install -q --no-index /photos/*.whl && /venv/bin/python /photos/check.py")
    soak.check((done.returncode, done.stdout) == (0, "True\n"), f"{suite}: {done.stdout} {done.stderr}")


with Soak("wheel") as soak:
    if is_built() and can_make_systems():
        wheel = packed(soak)
        contents(soak, wheel)
        audited(soak, wheel)
        for suite in SUITES:
            in_system(soak, wheel, suite)
    else:
        soak.check(True, "")
        print("SKIPPED: the wheel in empty systems; make build, root and debootstrap are needed")
