"""Wheel metadata that hatchling can't determine: version, URL, platform, dependencies, and the README for package
indexes."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: The programs that belong to the package.
PROGRAMS = ("cropkit", "cropkit-worker")
#: Where they are: in the package, or where `make build` puts them in a clone.
PACKED, BUILT = "src/cropkit/bin", "../bin"
#: The libraries of the packed programs; others use those of the system.
LIBRARIES = "src/cropkit/lib"
#: Where the programs don't run, a WebAssembly module crops JPEGs.
WASMTIME = "wasmtime>=25; sys_platform != 'linux' or platform_machine != 'x86_64'"
VERSION = "../Tools/Sources/CVersion/version.c"
PROJECT = "../Packaging/project.sh"


class Version(MetadataHookInterface):
    """Sets version, links and README, from CROPKIT_VERSION and CROPKIT_HOMEPAGE or from the sources next to this
    folder."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["version"] = self._told("CROPKIT_VERSION", VERSION, r'^#define VERSION "([0-9.]+)"$')
        homepage = self._told("CROPKIT_HOMEPAGE", PROJECT, r"^homepage=(\S+)$")
        metadata["urls"] = {
            "Homepage": homepage,
            "Documentation": f"{homepage}/docs/python/quick-start.md",
            "Changelog": f"{homepage}/CHANGELOG.md",
            "Issues": f"{homepage}/issues",
        }
        text = Path(self.root, "README.md").read_text().replace("](../", f"]({homepage}/")
        programs = carried(self.root)
        metadata["dependencies"] = [] if programs else [WASMTIME]
        if programs:
            text = re.sub(r"glibc 2\.[0-9]+", f"glibc 2.{required(self.root, programs)}", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}

    def _told(self, variable: str, source: str, pattern: str) -> str:
        value = os.environ.get(variable)
        if value:
            return value
        found = re.search(pattern, Path(self.root, source).read_text(), re.MULTILINE)
        if not found:
            raise ValueError(f"{source} does not say what {variable} is")
        return found[1]


class Programs(BuildHookInterface[Any]):
    """Adds the programs to the wheel, and sets its tag to the platforms they run on."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        programs = carried(self.root)
        if not programs:
            # Without programs, the wheel uses those on the path.
            return
        if programs[0].parent == Path(self.root, BUILT).resolve():
            for one in programs:
                build_data["force_include"][str(one)] = f"cropkit/bin/{one.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_{required(self.root, programs)}_{platform.machine()}"


def carried(root: str) -> list[Path]:
    """The programs to put into the wheel."""
    is_clone = Path(root, PROJECT).exists()
    for folder in (PACKED, BUILT) if is_clone else (PACKED,):
        found = [Path(root, folder, name).resolve() for name in PROGRAMS]
        if all(one.exists() for one in found):
            return found
    return []


def required(root: str, programs: list[Path]) -> int:
    """The minor version of glibc that programs and their libraries require."""
    return max(map(glibc, [*programs, *Path(root, LIBRARIES).rglob("*.so*")]))


def glibc(program: Path) -> int:
    """The minor version of glibc that a program requires, 36 for 2.36; 0 for one that is linked statically."""
    return max((int(minor) for minor in re.findall(rb"GLIBC_2\.([0-9]+)", program.read_bytes())), default=0)
