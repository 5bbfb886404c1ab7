"""What hatchling can't know: version, address and platform, and the README as a package index shows it."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

VERSION = "../Tools/Sources/CVersion/version.c"
PROJECT = "../Packaging/project.sh"


class Version(MetadataHookInterface):
    """Version, links and README, from CROPKIT_VERSION and CROPKIT_HOMEPAGE or from the sources beside this folder."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["version"] = self._told("CROPKIT_VERSION", VERSION, r'^#define VERSION "([0-9.]+)"$')
        homepage = self._told("CROPKIT_HOMEPAGE", PROJECT, r"^homepage=(\S+)$")
        metadata["urls"] = {
            "Homepage": homepage,
            "Documentation": f"{homepage}/docs/python.md",
            "Changelog": f"{homepage}/CHANGELOG.md",
            "Issues": f"{homepage}/issues",
        }
        text = Path(self.root, "README.md").read_text().replace("](../", f"]({homepage}/")
        programs = carried(self.root)
        if programs:
            text = re.sub(r"glibc 2\.[0-9]+", f"glibc 2.{max(map(glibc, programs))}", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}

    def _told(self, variable: str, source: str, pattern: str) -> str:
        told = os.environ.get(variable)
        if told:
            return told
        found = re.search(pattern, Path(self.root, source).read_text(), re.MULTILINE)
        if not found:
            raise ValueError(f"{source} does not say what {variable} is")
        return found[1]


class Programs(BuildHookInterface[Any]):
    """The wheel carries the programs of src/cropkit/bin, and its tag says where they run."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        programs = carried(self.root)
        if not programs:
            # Those on the path are used.
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_{max(map(glibc, programs))}_{platform.machine()}"


def carried(root: str) -> list[Path]:
    """The programs that the wheel carries."""
    return sorted(Path(root, "src/cropkit/bin").glob("cropkit*"))


def glibc(program: Path) -> int:
    """The glibc that a program needs, 36 for 2.36; one that is linked statically needs none."""
    return max((int(minor) for minor in re.findall(rb"GLIBC_2\.([0-9]+)", program.read_bytes())), default=0)
