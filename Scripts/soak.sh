#!/usr/bin/env bash
# Provokes failures and checks the results: a sample in seconds, everything with CROPKIT_SOAK=1. CROPKIT_BIN is
# the folder of the programs (default: bin); CROPKIT_SEED makes a run reproducible.
set -euo pipefail
cd "$(dirname "$0")/.."
export CROPKIT_BIN=${CROPKIT_BIN:-$PWD/bin} PYTHONDONTWRITEBYTECODE=1
for test in faults batches stream hammer words library trash clients leaks spark stores; do
  python3 "Tests/Soak/$test.py"
done
