#!/usr/bin/env bash
# Makes the files of a release from this commit in dist, with a bill of materials (SPDX) and SHA256SUMS.
#
# The same commit gives the same bytes with the same compiler and Debian packages. It is built in a clone whose
# path always has the same length, since the compiler stores the length of a source's path in its actor
# isolation checks. TMPDIR must have about 4 GB of space.
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
# Pins the versions of third-party packages.
cp Packaging/Package.resolved Tools/Package.resolved
make build PINNED=--only-use-versions-from-resolved-file

version=$(Scripts/version.sh)
architecture=$(dpkg --print-architecture)
Scripts/package.sh program
Scripts/deb.sh
Scripts/tarball.sh
Scripts/wheel.sh
Scripts/wheel-any.sh
changes=cropkit-$version-changes.md
Scripts/changes.sh >"dist/$changes"

# The components of the programs, determined once for all artifacts.
mkdir .build/release-programs
Scripts/linked.py Tools/.build/release .build/release-programs >.build/linked
Scripts/carry.py .build/release-programs/cropkit-worker >>.build/linked
source Packaging/project.sh

cd dist
artifacts=("cropkit_${version}_$architecture.deb" "cropkit-server_${version}_$architecture.deb"
  "cropkit-$version-linux-$architecture.tar.gz" "crop-view-$version.tgz" "cropkit-$version.tgz" cropkit-"$version"-*.whl "$changes")
../Scripts/traces.py ../Tools/Page/page.tar "${artifacts[@]}"
bill=cropkit-$version.spdx.json
CROPKIT_VERSION=$version CROPKIT_HOMEPAGE=$homepage SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) \
  ../Scripts/sbom.py ../.build/linked "${artifacts[@]}" >"$bill"
artifacts+=("$bill")
sha256sum "${artifacts[@]}" | tee SHA256SUMS
mkdir -p "$dist"
cp "${artifacts[@]}" SHA256SUMS "$dist"
placeholders=$(cd .. && grep -lE '^(homepage=|\[site\]: )https://example\.org/' Packaging/project.sh README.md) || true
[ -z "$placeholders" ] || echo "release: placeholder addresses are still in" $placeholders "- set them before you publish" >&2
