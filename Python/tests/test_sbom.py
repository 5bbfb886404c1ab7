"""The bill of materials of a release, validated with SPDX's own tools."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BIN

pytest.importorskip("spdx_tools")

from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

ROOT = Path(__file__).resolve().parents[2]
ARTEFACTS = ("cropkit_1.2.3_amd64.deb", "cropkit-server_1.2.3_amd64.deb", "crop-view-1.2.3.tgz")


@pytest.fixture(scope="module")
def linked():
    """The modules of the tested programs; archives are only known when a release is made."""
    sys.path.insert(0, str(ROOT / "Scripts"))
    import linked

    swift = Path(subprocess.check_output(["which", "swiftc"], text=True).strip()).resolve().parents[1]
    archives = [f"{swift}/lib/swift_static/linux/{name}" for name in ("libswiftCore.a", "lib_FoundationICU.a")]
    names = {program: [*linked.modules(Path(BIN).resolve(), program), *archives] for program in linked.PROGRAMS}
    return "".join(f"{program}\t{name}\n" for program in linked.PROGRAMS for name in names[program])


def made(folder: Path, linked: str) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "linked").write_text(linked)
    for name in ARTEFACTS:
        (folder / name).write_bytes(name.encode())
    reported = {"CROPKIT_VERSION": "1.2.3", "CROPKIT_HOMEPAGE": "https://example.org/c", "SOURCE_DATE_EPOCH": "86400"}
    done = subprocess.run(
        [sys.executable, ROOT / "Scripts/sbom.py", "linked", *ARTEFACTS],
        cwd=folder,
        env={**os.environ, **reported},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_valid_and_names_what_each_file_contains(tmp_path, linked):
    text = made(tmp_path, linked)
    (tmp_path / "cropkit.spdx.json").write_text(text)
    reported = json.loads(text)
    problems = validate_full_spdx_document(parse_file(str(tmp_path / "cropkit.spdx.json")))
    assert [problem.validation_message for problem in problems] == []
    packages = {package["SPDXID"]: package for package in reported["packages"]}
    contents: dict[str, set[str]] = {name: set() for name in ARTEFACTS}
    for relation in reported["relationships"]:
        if relation["relationshipType"] == "CONTAINS":
            contents[packages[relation["spdxElementId"]]["name"]].add(packages[relation["relatedSpdxElement"]]["name"])
    assert {"swift-argument-parser", "Swift"} <= contents[ARTEFACTS[0]]
    assert {"swift-nio", "hummingbird", "Swift"} <= contents[ARTEFACTS[1]]
    assert "swift-nio" not in contents[ARTEFACTS[0]]
    named = {package["name"]: package for package in reported["packages"]}
    for name in ARTEFACTS:
        (checksum,) = named[name]["checksums"]
        assert checksum["checksumValue"] == hashlib.sha256(name.encode()).hexdigest()
    pins = json.loads((ROOT / "Tools/Package.resolved").read_text())["pins"]
    nio = next(one for one in pins if one["identity"] == "swift-nio")
    assert named["swift-nio"]["versionInfo"] == nio["state"]["version"]
    assert named["swift-nio"]["licenseDeclared"] == "Apache-2.0"
    assert named["hummingbird"]["licenseDeclared"] == "Apache-2.0"
    assert named["Swift"]["licenseDeclared"] == "Apache-2.0 WITH Swift-exception"


def test_the_same_release_has_the_same_document(tmp_path, linked):
    assert made(tmp_path / "a", linked) == made(tmp_path / "b", linked)
