#!/usr/bin/env bash
# Compares results with those of other programs: peers.sh [pytest arguments]
# CROPKIT_BIN holds the programs (default: bin).
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.build/peers
wanted=Tests/Peers/requirements.txt
if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$wanted"
  # These are compiled or large, which needs more than the others do.
  for peer in thumbor wagtail; do
    "$venv/bin/pip" install -q --disable-pip-version-check "$peer" >/dev/null 2>&1 \
      || echo "peers: $peer can't be installed; its tests are skipped"
  done
  cp "$wanted" "$venv/requirements.txt"
fi
export CROPKIT_BIN=${CROPKIT_BIN:-$PWD/bin} PYTHONDONTWRITEBYTECODE=1
"$venv/bin/pytest" -q -p no:cacheprovider Tests/Peers "$@"
