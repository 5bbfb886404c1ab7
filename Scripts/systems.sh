#!/usr/bin/env bash
# Tests the packages on other Debian systems: systems.sh [SUITE...]   (default: bookworm trixie sid)
#
# Makes the packages from the output of `make build`, installs each system into .build/systems (300 MB, about a
# minute), the packages into a copy of it, and runs the tests there that depend on its libraries: PNGs of few bits,
# all formats, and every shared image. Tests/Peers/systems.tsv lists results that differ, with the reasons.
# Needs root and debootstrap. CROPKIT_MIRROR is another mirror, CROPKIT_PACKAGES a folder with packages to test instead.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v debootstrap >/dev/null || ! command -v dpkg-shlibdeps >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "SKIPPED: needs root, debootstrap and dpkg-dev (apt-get install debootstrap dpkg-dev)"
  exit 0
fi
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie sid)
mirror=${CROPKIT_MIRROR:-http://deb.debian.org/debian}
images=${CROPKIT_IMAGES:-../shared/images}
stage=$(mktemp -d)
root= failed=()
trap '[ -z "$root" ] || umount -l "$root"; rm -rf "$stage"' EXIT
packages=${CROPKIT_PACKAGES:-$stage}
[ -n "${CROPKIT_PACKAGES:-}" ] || CROPKIT_DIST=$stage CROPKIT_DEB_LEVEL=0 Scripts/deb.sh >/dev/null

# What a failed command printed.
quietly() { "$@" >"$stage/log" 2>&1 || { tail -40 "$stage/log"; return 1; }; }

for suite in "${suites[@]}"; do
  base=.build/systems/$suite
  if [ ! -e "$base/complete" ]; then
    rm -rf "$base"
    mkdir -p "$base"
    quietly debootstrap --variant=minbase --include=python3-pil,python3-numpy,python3-pytest,python3-pytest-xdist "$suite" "$base" "$mirror" \
      || { echo "SKIPPED: $suite can't be installed from $mirror"; continue; }
    touch "$base/complete"
  fi
  # Changes go to a layer above the base.
  root=$stage/root
  mkdir -p "$root" "$stage/$suite"/{upper,work}
  mount -t overlay overlay -o "lowerdir=$base,upperdir=$stage/$suite/upper,workdir=$stage/$suite/work" "$root"
  mkdir "$root/packages" "$root/cropkit" "$root/cropkit/Tests"
  cp "$packages"/*.deb "$root/packages"
  cp -r Tests/Peers "$root/cropkit/Tests/"
  [ ! -d "$images" ] || cp -r "$images" "$root/cropkit/images"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # The mirror may be a snapshot.
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/snapshot"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
  inside() {
    unshare -m --propagation private bash -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "${@}"' \
      "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
  }
  quietly inside apt-get update
  # What the packages recommend, without the programs of desktops. Debian 12 has no plugins.
  plugins=$(inside apt-cache pkgnames libheif-plugin- | grep -xE 'libheif-plugin-(x265|aomenc)') || plugins=
  quietly inside sh -c 'apt-get install -y --no-install-recommends /packages/*.deb "$@"' - $plugins
  echo "$suite: $(inside dpkg-query -W -f '${Package} ${Version}\n' 'libvips42*' 'libheif1' | paste -sd, -)"
  inside env CROPKIT_BIN=/usr/bin CROPKIT_IMAGES=/cropkit/images PYTHONDONTWRITEBYTECODE=1 \
    python3 -m pytest -q -p no:cacheprovider -n "${CROPKIT_PEERS:-2}" /cropkit/Tests/Peers/test_{few_bits,formats,shared}.py \
    || failed+=("$suite")
  umount "$root"
  root=
done
[ ${#failed[@]} = 0 ] || { echo "FAILED: ${failed[*]}"; exit 1; }
