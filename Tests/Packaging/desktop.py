"""CropKit's desktop integration: the entry, the metainfo, the actions of file managers, the icons."""

import configparser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Soak"))
from soak import BIN, Soak  # noqa: E402


def entry(path):
    """The sections of a file in the format of desktop entries."""
    parser = configparser.ConfigParser(interpolation=None, strict=True, delimiters=("=",))
    parser.optionxform = str
    parser.read(path)
    return parser


def validated(soak, words, outdated=()):
    """Whether a checker, if it is installed, reports nothing but what older versions of it don't know."""
    if not shutil.which(words[0]):
        print(f"SKIPPED: {words[0]}, which is not installed")
        return
    done = subprocess.run(words, capture_output=True, text=True)
    soak.check(done.returncode == 0, f"{words}: {done.stdout} {done.stderr}")
    # Advice counts too.
    said = [line for line in done.stdout.splitlines() if re.match(r"\s*[EWI]:|.*: (error|warning|hint)", line)
            and not any(line.endswith(one) for one in outdated)]
    soak.check(not said, f"{words[0]}: {said}")


def size(path):
    """Width and height of a JPEG or PNG, as reported by the program."""
    done = subprocess.run(
        [os.path.abspath(BIN) + "/cropkit", "info", "--json", path], capture_output=True, text=True, check=True)
    shown = json.loads(done.stdout)["shown"]
    return shown["width"], shown["height"]


with Soak("desktop") as soak:
    usr = pathlib.Path(soak.path("usr"))
    subprocess.run([ROOT / "Scripts/stage.sh", usr, os.path.abspath(BIN)], check=True)
    share = usr / "share"
    validated(soak, ["desktop-file-validate", str(share / "applications/cropkit.desktop")])
    validated(soak, ["appstreamcli", "validate", "--no-net", str(share / "metainfo/cropkit.metainfo.xml")],
              outdated=["unknown-tag developer"])

    # All lists of formats are the same: the program's, the page's, and those for the desktop.
    manifest = json.loads((ROOT / "Web/App/manifest.webmanifest").read_text())
    types = list(manifest["file_handlers"][0]["accept"])
    program = entry(share / "applications/cropkit.desktop")["Desktop Entry"]
    menu = entry(share / "kio/servicemenus/cropkit.desktop")
    nemo = entry(share / "nemo/actions/cropkit.nemo_action")["Nemo Action"]
    info = xml.etree.ElementTree.parse(share / "metainfo/cropkit.metainfo.xml").getroot()
    lists = {
        "the entry": program["MimeType"].strip(";").split(";"),
        "Dolphin": menu["Desktop Entry"]["MimeType"].strip(";").split(";"),
        "Nemo": nemo["Mimetypes"].strip(";").split(";"),
        "the metainfo": [one.text for one in info.iter("mediatype")],
    }
    for name, found in lists.items():
        soak.check(found == types, f"{name} has {found}, the page {types}")
    called = {program["Exec"], menu["Desktop Action crop"]["Exec"], nemo["Exec"]}
    soak.check(called == {"cropkit open %F"}, f"called are {called}")
    script = share / "cropkit/nautilus/nautilus-crop"
    soak.check(
        os.access(script, os.X_OK) and "cropkit open" in script.read_text(), "the script calls another program")

    # The icons that they name exist.
    for icon in {program["Icon"], menu["Desktop Action crop"]["Icon"], nemo["Icon-Name"]}:
        soak.check((share / f"icons/hicolor/scalable/apps/{icon}.svg").exists(), f"no icon {icon}")
    for path in share.glob("icons/hicolor/*/apps/*.png"):
        wanted = tuple(int(side) for side in path.parts[-3].split("x"))
        soak.check(size(path) == wanted, f"{path.name} of {wanted} has {size(path)}")
    for image in info.iter("image"):
        path = ROOT / "docs" / image.text.split("/")[-1]
        reported = int(image.get("width")), int(image.get("height"))
        soak.check(path.exists() and size(path) == reported, f"{path.name} is not of {reported}")
    version = subprocess.run([ROOT / "Scripts/version.sh"], capture_output=True, text=True, check=True).stdout.strip()
    releases = [one.get("version") for one in info.iter("release")]
    soak.check(releases == [version], f"the metainfo tells of {releases}, not {version}")
