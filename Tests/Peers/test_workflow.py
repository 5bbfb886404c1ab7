"""The workflow that runs the checks in CI: valid, and everything that it uses exists."""

import pathlib
import re
import subprocess
import sys

from ruamel.yaml import YAML

ROOT = pathlib.Path(__file__).parents[2]
WORKFLOW = ROOT / ".github/workflows/ci.yml"


def test_the_workflow_follows_its_schema():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    found = subprocess.run([*command, WORKFLOW], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_workflow_asks_for_targets_schemes_and_folders_that_exist():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    manifests = {path.parent: path.read_text() for path in
                 [ROOT / "Package.swift", ROOT / "Checks/Simulator/Package.swift",
                  ROOT / "Examples/CropDemo.swiftpm/Package.swift"]}
    asked = {"make": 0, "scheme": 0}
    for job in YAML(typ="safe").load(WORKFLOW)["jobs"].values():
        for step in job["steps"]:
            run = step.get("run", "")
            folder = ROOT / step.get("working-directory", ".")
            assert folder.is_dir(), folder
            for target in re.findall(r"^make ([\w-]+)$", run, re.M):
                asked["make"] += 1
                assert target in targets, target
            # One app is built in a folder outside the repository, since it adds the package by its URL.
            copied = re.search(r"cp -R (Checks/\w+) ", run)
            manifest = (ROOT / copied[1] / "Package.swift").read_text() if copied else manifests.get(folder, "")
            for scheme in re.findall(r"-scheme (\w+)", run):
                asked["scheme"] += 1
                assert f'"{scheme}"' in manifest, scheme
    assert asked["make"] >= 2 and asked["scheme"] >= 4
