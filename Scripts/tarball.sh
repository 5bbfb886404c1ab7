#!/usr/bin/env bash
# Packs the output of `make build` for distributions that are not based on Debian:
# dist/cropkit-VERSION-linux-ARCHITECTURE.tar.gz. See packing.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/packing.sh

name=cropkit-$version-linux-$architecture
out=$stage/$name
Scripts/install.sh "$out" "$bin" >/dev/null
install -D -m 644 -t "$out/lib/systemd/system" Packaging/systemd/cropkit@.{service,socket}
install -D -m 644 -t "$out/lib/systemd/user" Packaging/systemd/cropkit.{service,socket}
sed -i 's,/usr/libexec,/usr/local/libexec,' "$out"/lib/systemd/*/*
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/" Packaging/tarball.md >"$out/README.md"
cp LICENSE CHANGELOG.md "$out"
Scripts/licenses.py "$linked" cropkit cropkit-server cropkit-worker >"$out/LICENSES.txt"

tar --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
  --mode=u=rwX,go=rX -C "$stage" -cf - "$name" | gzip -9 -n >"$dist/$name.tar.gz"
ls -l "$dist/$name.tar.gz"
