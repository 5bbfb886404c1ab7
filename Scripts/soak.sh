#!/usr/bin/env bash
# Breaks things on purpose and looks at what is left: a sample in seconds, all of it with
# CROPKIT_SOAK=1. CROPKIT_BIN holds the programs (default: bin), CROPKIT_SEED makes a whole run the same.
set -euo pipefail
cd "$(dirname "$0")/.."
export CROPKIT_BIN=${CROPKIT_BIN:-$PWD/bin} PYTHONDONTWRITEBYTECODE=1
for test in faults batches stream hammer words library trash clients spark stores; do
  python3 "Tests/Soak/$test.py"
done
