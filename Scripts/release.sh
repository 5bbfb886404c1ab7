#!/usr/bin/env bash
# Makes what a release of this commit consists of, in dist, with its bill of materials (SPDX); SHA256SUMS lists it.
#
# The same commit gives the same bytes with the same compiler and Debian packages. It is built in a clone whose path
# is always as long: the compiler notes the length of a source's path where it checks what runs on which actor.
# TMPDIR says where there is room for that, some 4 GB.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain)" ] || {
  echo "release: something is changed; commit it first" >&2
  exit 1
}
Scripts/deps.sh package
unset CROPKIT_BIN CROPKIT_DIST CROPKIT_LINKED

dist=$PWD/dist
length=100
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
missing=$((length - ${#room} - 1))
[ "$missing" -gt 0 ] || {
  echo "release: the path in TMPDIR is too long; at most $((length - 16)) characters are" >&2
  exit 1
}
clone=$room/$(printf "%${missing}s" | tr ' ' _)
git clone -q . "$clone"
cd "$clone"
# Packages of others in the versions that are meant, not the newest ones.
cp Packaging/Package.resolved Tools/Package.resolved
make build PINNED=--only-use-versions-from-resolved-file

version=$(Scripts/version.sh)
Scripts/deb.sh
Scripts/tarball.sh
Scripts/wheel.sh
changes=cropkit-$version-changes.md
Scripts/changes.sh >"dist/$changes"

# What the programs are made of, once for all artefacts.
mkdir .build/release-programs
Scripts/linked.py Tools/.build/release .build/release-programs >.build/linked
source Packaging/project.sh

cd dist
artefacts=("cropkit_${version}_amd64.deb" "cropkit-server_${version}_amd64.deb"
  "cropkit-$version-linux-amd64.tar.gz" "crop-view-$version.tgz" cropkit-"$version"-*.whl "$changes")
../Scripts/traces.py ../Tools/Page/page.tar "${artefacts[@]}"
bill=cropkit-$version.spdx.json
CROPKIT_VERSION=$version CROPKIT_HOMEPAGE=$homepage SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) \
  ../Scripts/sbom.py ../.build/linked "${artefacts[@]}" >"$bill"
artefacts+=("$bill")
sha256sum "${artefacts[@]}" | tee SHA256SUMS
mkdir -p "$dist"
cp "${artefacts[@]}" SHA256SUMS "$dist"
case $homepage in
  https://example.org/*) echo "release: Packaging/project.sh still has the placeholder address; set it before you publish" >&2 ;;
esac
