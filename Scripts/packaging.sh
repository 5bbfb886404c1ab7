#!/usr/bin/env bash
# Checks the files of packages: packaging.sh [TEST...], names of Tests/Packaging. CROPKIT_BIN is the folder of the
# programs (default: bin).
set -euo pipefail
cd "$(dirname "$0")/.."
export CROPKIT_BIN=${CROPKIT_BIN:-$PWD/bin} PYTHONDONTWRITEBYTECODE=1
[ $# -gt 0 ] || set -- words desktop licenses release wheel service proxies life container
for test in "$@"; do
  python3 "Tests/Packaging/$test.py"
done
