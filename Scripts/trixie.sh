#!/usr/bin/env bash
# Tests on Debian 13 what depends on the system's libvips: trixie.sh [folder for the system, which is kept]
#
# Installs Debian 13 into a folder (300 MB, about a minute), with the programs from CROPKIT_BIN (default: bin).
# Needs root and debootstrap.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${CROPKIT_BIN:-$PWD/bin}
if ! command -v debootstrap >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "SKIPPED: needs root and debootstrap (apt-get install debootstrap)"
  exit 0
fi
root=${1:-$(mktemp -d)}
[ -n "${1:-}" ] || trap 'rm -rf "$root"' EXIT
if [ ! -x "$root/usr/bin/python3" ]; then
  debootstrap --variant=minbase \
    --include=libvips42t64,libheif-plugin-aomenc,libheif-plugin-x265,python3-pil,python3-numpy,python3-pytest \
    trixie "$root" ${CROPKIT_MIRROR:+"$CROPKIT_MIRROR"} >"$root.log" 2>&1 || {
      echo "SKIPPED: Debian 13 can't be installed (see $root.log; CROPKIT_MIRROR is another mirror)"
      exit 0
    }
fi
mkdir -p "$root/cropkit"
rm -rf "$root/cropkit/tests"
cp "$bin"/cropkit "$bin"/cropkit-worker "$root/cropkit/"
cp -r Tests/Peers "$root/cropkit/tests"
chroot "$root" env CROPKIT_BIN=/cropkit python3 -m pytest -q -p no:cacheprovider /cropkit/tests/test_few_bits.py
