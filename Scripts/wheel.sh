#!/usr/bin/env bash
# Packs what `make build` built for Python: dist/cropkit-VERSION-py3-none-manylinux_2_N_x86_64.whl, N of the
# glibc that the programs need.
#
# The programs are linked anew for it, with libjpeg inside. With CROPKIT_LINKED, as deb.sh has it, those in
# CROPKIT_BIN are packed as they are; CROPKIT_DIST is another folder than dist.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${CROPKIT_BIN:-bin}
dist=${CROPKIT_DIST:-dist}
CROPKIT_VERSION=$(Scripts/version.sh)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export CROPKIT_VERSION SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
umask 022

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
linked=${CROPKIT_LINKED:-$stage/linked}
if [ -z "${CROPKIT_LINKED:-}" ]; then
  Scripts/relink.sh "$stage"
  bin=$stage/bin
fi

cp -R Python "$stage/package"
package=$stage/package/src/cropkit
find "$stage/package" -name '__pycache__' -prune -exec rm -rf {} +
rm -rf "$package/bin"
install -D -m 755 -t "$package/bin" "$bin"/cropkit "$bin"/cropkit-worker
cp LICENSE "$stage/package"
Scripts/licences.py "$linked" cropkit cropkit-worker >"$stage/package/LICENSES.txt"

# The one package that packs it, in an environment of its own.
venv=.build/wheel
backend=$(sed -nE 's/^requires = \["(.*)"\]$/\1/p' Python/pyproject.toml)
if [ "$(cat $venv/backend 2>/dev/null)" != "$backend" ]; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check "$backend"
  echo "$backend" >"$venv/backend"
fi
mkdir -p "$dist"
rm -f "$dist"/cropkit-*.whl
"$venv/bin/pip" wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$dist" "$stage/package"
ls -l "$dist"/cropkit-*.whl
