#!/usr/bin/env bash
# Packs the output of `make build` for Python: dist/cropkit-VERSION-py3-none-manylinux_2_N_MACHINE.whl, where N
# is the glibc version that the programs require. See packing.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/packing.sh
export CROPKIT_VERSION=$version CROPKIT_HOMEPAGE=$homepage

cp -R Python "$stage/package"
package=$stage/package/src/cropkit
find "$stage/package" -name '__pycache__' -prune -exec rm -rf {} +
rm -rf "$package/bin"
install -D -m 755 -t "$package/bin" "$bin"/cropkit "$bin"/cropkit-worker
cp LICENSE "$stage/package"
Scripts/licenses.py "$linked" cropkit cropkit-worker >"$stage/package/LICENSES.txt"

# The package that builds the wheel, in a separate environment.
venv=.build/wheel
backend=$(sed -nE 's/^requires = \["(.*)"\]$/\1/p' Python/pyproject.toml)
if [ "$(cat $venv/backend 2>/dev/null)" != "$backend" ]; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check "$backend"
  echo "$backend" >"$venv/backend"
fi
rm -f "$dist"/cropkit-*.whl
"$venv/bin/pip" wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$dist" "$stage/package"
ls -l "$dist"/cropkit-*.whl
