"""What hatchling can't know: the version, which is the programs', and the platform they run on."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SOURCE = "../Tools/Sources/CVersion/version.c"


class Version(MetadataHookInterface):
    """That of CROPKIT_VERSION, else of the sources beside this folder."""

    def update(self, metadata: dict[str, Any]) -> None:
        version = os.environ.get("CROPKIT_VERSION")
        if not version:
            text = Path(self.root, SOURCE).read_text()
            found = re.search(r'^#define VERSION "([0-9.]+)"$', text, re.MULTILINE)
            if not found:
                raise ValueError(f"{SOURCE} tells no version")
            version = found[1]
        metadata["version"] = version


class Programs(BuildHookInterface[Any]):
    """The wheel carries the programs of src/cropkit/bin, and its tag says where they run."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        programs = sorted(Path(self.root, "src/cropkit/bin").glob("cropkit*"))
        if not programs:
            # Those on the path are used.
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-manylinux_2_{max(map(glibc, programs))}_{platform.machine()}"


def glibc(program: Path) -> int:
    """The glibc that a program needs, 36 for 2.36; one that is linked statically needs none."""
    return max((int(minor) for minor in re.findall(rb"GLIBC_2\.([0-9]+)", program.read_bytes())), default=0)
