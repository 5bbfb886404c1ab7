#!/usr/bin/env bash
# Packs the Python package without programs: dist/cropkit-VERSION-py3-none-any.whl, which crops JPEGs by WebAssembly.
# The module must be built (Scripts/build-wasm.sh program). CROPKIT_DIST is the output folder (default: dist).
set -euo pipefail
cd "$(dirname "$0")/.."
source Packaging/project.sh
version=$(Scripts/version.sh)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 CROPKIT_VERSION=$version CROPKIT_HOMEPAGE=$homepage
umask 022
dist=${CROPKIT_DIST:-dist}
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
Scripts/tables.sh
cp -R Python "$stage/package"
find "$stage/package" -name '__pycache__' -prune -exec rm -rf {} +
rm -rf "$stage/package/src/cropkit/"{bin,lib}
install -m 644 Web/Program/cropfile.wasm "$stage/package/src/cropkit/_engine"
cp LICENSE "$stage/package"
mkdir -p "$dist"
rm -f "$dist"/cropkit-*-any.whl
source Scripts/wheel-backend.sh
pack_wheel "$stage/package" "$dist"
ls -l "$dist"/cropkit-*-any.whl
