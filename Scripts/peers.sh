#!/usr/bin/env bash
# Compares results with those of other programs: peers.sh [pytest arguments]
# CROPKIT_BIN is the folder of the programs (default: bin).
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.build/peers
wanted=Tests/Peers/requirements.txt
if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  python3 -m venv --clear "$venv"
  # pyvips compiles against the system's libvips if it finds one, or takes what it compiled earlier: both hide the newer
  # one of pyvips-binary.
  PKG_CONFIG_LIBDIR=/nonexistent "$venv/bin/pip" install -q --disable-pip-version-check -r "$wanted"
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps --force-reinstall pyvips-binary
  # These are compiled or large, and need more than the others.
  for peer in thumbor wagtail; do
    "$venv/bin/pip" install -q --disable-pip-version-check "$peer" >/dev/null 2>&1 \
      || echo "peers: $peer can't be installed; its tests are skipped"
  done
  cp "$wanted" "$venv/requirements.txt"
fi
export CROPKIT_BIN=${CROPKIT_BIN:-$PWD/bin} PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=Tests "$venv/bin/pytest" -q -rs -p short_run -p no:cacheprovider ${CROPKIT_RESULTS:+--junitxml "$CROPKIT_RESULTS/peers${CROPKIT_TEST_ALL:+-rest}.xml"} \
  -n "${CROPKIT_PEERS:-2}" --dist worksteal Tests/Peers "$@"
