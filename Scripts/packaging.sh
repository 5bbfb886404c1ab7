#!/usr/bin/env bash
# Checks all package files other than the programs. CROPKIT_BIN is the folder of the programs (default: bin).
set -euo pipefail
cd "$(dirname "$0")/.."
export CROPKIT_BIN=${CROPKIT_BIN:-$PWD/bin} PYTHONDONTWRITEBYTECODE=1
for test in words desktop licences release service proxies life container; do
  python3 "Tests/Packaging/$test.py"
done
