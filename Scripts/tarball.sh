#!/usr/bin/env bash
# Packs what `make build` built for distributions that are not Debian's kin: dist/cropkit-VERSION-linux-amd64.tar.gz.
#
# The programs are linked anew for it. With CROPKIT_LINKED, as deb.sh has it, those in CROPKIT_BIN are packed as they
# are; CROPKIT_DIST is another folder than dist.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=${CROPKIT_BIN:-bin}
dist=${CROPKIT_DIST:-dist}
version=$(Scripts/version.sh)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
umask 022

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
linked=${CROPKIT_LINKED:-$stage/linked}
if [ -z "${CROPKIT_LINKED:-}" ]; then
  Scripts/relink.sh "$stage"
  bin=$stage/bin
fi

name=cropkit-$version-linux-amd64
out=$stage/$name
Scripts/install.sh "$out" "$bin" >/dev/null
install -D -m 644 -t "$out/lib/systemd/system" Packaging/systemd/cropkit@.{service,socket}
install -D -m 644 -t "$out/lib/systemd/user" Packaging/systemd/cropkit.{service,socket}
sed -i 's,/usr/libexec,/usr/local/libexec,' "$out"/lib/systemd/*/*
sed "s/@VERSION@/$version/" Packaging/tarball.md >"$out/README.md"
cp LICENSE CHANGELOG.md "$out"
Scripts/licences.py "$linked" cropkit cropkit-server cropkit-worker >"$out/LICENSES.txt"

mkdir -p "$dist"
tar --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
  --mode=u=rwX,go=rX -C "$stage" -cf - "$name" | gzip -9 -n >"$dist/$name.tar.gz"
ls -l "$dist/$name.tar.gz"
