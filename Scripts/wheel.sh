#!/usr/bin/env bash
# Packs the output of `make build` for Python, with the libraries that it needs: dist/cropkit-VERSION-py3-none-
# manylinux_2_N_MACHINE.whl, where N is the glibc version that they require. Where the programs don't run, it crops
# JPEGs by WebAssembly; that module must be built (Scripts/build-wasm.sh program). See packing.sh and carry.py.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/packing.sh
export CROPKIT_VERSION=$version CROPKIT_HOMEPAGE=$homepage

Scripts/tables.sh
cp -R Python "$stage/package"
package=$stage/package/src/cropkit
find "$stage/package" -name '__pycache__' -prune -exec rm -rf {} +
rm -rf "$package/bin" "$package/lib"
install -D -m 755 -t "$package/bin" "$bin"/cropkit "$bin"/cropkit-worker
install -m 644 Web/Program/cropfile.wasm "$package/_engine"
Scripts/carry.py "$package/bin/cropkit-worker" "$package/lib" >"$stage/carried"
cp LICENSE "$stage/package"
cat "$linked" "$stage/carried" >"$stage/contents"
Scripts/licenses.py "$stage/contents" cropkit cropkit-worker wheel >"$stage/package/LICENSES.txt"

source Scripts/wheel-backend.sh
rm -f "$dist"/cropkit-*linux*.whl
pack_wheel "$stage/package" "$dist"
ls -l "$dist"/cropkit-*linux*.whl
