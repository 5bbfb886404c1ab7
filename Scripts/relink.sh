#!/usr/bin/env bash
# Links what `make build` built once more, with libjpeg inside, whose name and interface differ from distribution to
# distribution: relink.sh FOLDER. The programs are in FOLDER/bin then, and what is linked into them is in FOLDER/linked.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1/bin"
Scripts/linked.py Tools/.build/release "$1/bin" >"$1/linked"
Scripts/blank.sh "$1"/bin/*
