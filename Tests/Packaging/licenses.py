"""All code that is linked into the programs has its license in the packages."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Soak"), str(ROOT / "Scripts")]
import licenses  # noqa: E402
import linked  # noqa: E402
from soak import BIN, Soak, write  # noqa: E402

#: Further archives that a release build links; a debug build loads them as libraries.
ARCHIVES = ["libswiftCore.a", "libFoundationEssentials.a", "lib_FoundationICU.a", "libdispatch.a"]


def toolchain():
    """The archives of the Swift toolchain."""
    compiler = subprocess.run(["which", "swiftc"], capture_output=True, text=True, check=True)
    usr = pathlib.Path(os.path.realpath(compiler.stdout.strip())).parents[1]
    return [str(usr / "lib/swift_static/linux" / name) for name in ARCHIVES]


def reported(soak, path, *programs):
    """The parts that the file of licenses names, and its complete text."""
    done = subprocess.run(
        [ROOT / "Scripts/licenses.py", path, *programs], capture_output=True, text=True)
    soak.check(done.returncode == 0, f"{programs}: {done.stderr}")
    names = re.findall(r"^-{79}\n(.+)\n\n", done.stdout, re.MULTILINE)
    return set(names), done.stdout


def main(soak):
    built = pathlib.Path(os.path.realpath(BIN))
    path = soak.path("linked")
    lines = {program: linked.modules(built, program) for program in linked.PROGRAMS}
    for program in linked.PROGRAMS:
        soak.check("CropCore" in lines[program], f"{program} is made of {lines[program]}")
        lines[program] += toolchain()
    write(path, "".join(
        f"{program}\t{name}\n" for program, names in lines.items() for name in names).encode())
    for program, names in lines.items():
        packages, text = reported(soak, path, program)
        soak.check("Swift" in packages and "Runtime Library Exception" in text, f"{program}: no Swift")
        soak.check(any(name.startswith("ICU") for name in packages), f"{program}: no ICU")
        soak.check(text.startswith("CropKit\n\nMIT License\n"), f"{program}: not its own")
        # Every package that the objects came from is named, and no others are.
        checkouts = {one for name in names if not name.startswith("/") for one in licenses.packages_of(name)}
        others = {one for one in packages if one != "Swift" and not one.startswith("ICU")}
        soak.check(checkouts == others, f"{program}: {checkouts ^ others}")
        for package in checkouts:
            for license in (licenses.CHECKOUTS / package).glob("LICENSE*"):
                last = license.read_text().strip().splitlines()[-1].rstrip()
                soak.check(last in text, f"{program}: {license} is not told")
    wanted = {"cropkit": "swift-argument-parser", "cropkit-server": "swift-nio"}
    for program, package in wanted.items():
        soak.check(package in reported(soak, path, program)[0], f"{program}: no {package}")
    # Code without a license fails the packaging.
    for name in ("NobodysModule", "/usr/lib/nobodys.a"):
        write(path, f"cropkit\t{name}\n".encode())
        done = subprocess.run(
            [ROOT / "Scripts/licenses.py", path, "cropkit"], capture_output=True, text=True)
        soak.check(done.returncode != 0 and "licenses: no package has" in done.stderr, f"{name}: {done}")


with Soak("licenses") as soak:
    main(soak)
