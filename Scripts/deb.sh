#!/usr/bin/env bash
# Makes the Debian packages cropkit and cropkit-server in dist from the output of `make build`.
#
# CROPKIT_DEB_LEVEL is the compression level (default: 6); packing.sh describes the other variables.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/packing.sh

all=$stage/all one=$stage/cropkit two=$stage/cropkit-server
Scripts/stage.sh "$all/usr" "$bin"
mv "$all/usr/share/zsh" "$all/zsh" && mkdir -p "$all/usr/share/zsh" && mv "$all/zsh/vendor-completions" "$all/usr/share/zsh/"
rmdir "$all/zsh"
mkdir -p "$stage/debian"
sed "s|@HOMEPAGE@|$homepage|; s|@MAINTAINER@|$maintainer|" Packaging/debian/control >"$stage/debian/control"
cat >"$stage/debian/changelog" <<END
cropkit ($version) bookworm; urgency=medium

  * CHANGELOG.md.gz lists the changes.

 -- $maintainer  $(date -uR -d "@$SOURCE_DATE_EPOCH")
END

# Moves the files that only the server needs.
mv "$all" "$one"
for part in libexec/cropkit/cropkit-server share/cropkit share/man/man8 share/man/man1/cropkit-{serve,open}.1 \
  share/applications share/metainfo share/icons share/kio share/nemo; do
  mkdir -p "$(dirname "$two/usr/$part")"
  mv "$one/usr/$part" "$two/usr/$part"
done

install -D -m 644 -t "$two/lib/systemd/system" Packaging/systemd/cropkit@.{service,socket}
install -D -m 644 -t "$two/usr/lib/systemd/user" Packaging/systemd/cropkit.{service,socket}
install -D -m 644 -t "$two/etc/cropkit" Packaging/server.toml

# pack NAME FOLDER PROGRAM...: PROGRAM determines the licenses to include.
pack() {
  local name=$1 folder=$2 doc=$2/usr/share/doc/$1
  shift 2
  mkdir -p "$doc" "$folder/DEBIAN"
  gzip -9 -n -c "$stage/debian/changelog" >"$doc/changelog.gz"
  gzip -9 -n -c CHANGELOG.md >"$doc/CHANGELOG.md.gz"
  Scripts/licenses.py "$linked" "$@" >"$stage/licenses"
  gzip -9 -n -c "$stage/licenses" >"$doc/licenses.txt.gz"
  {
    cat <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: CropKit
Comment: The programs also contain code of others, linked into them. All their licenses
 are in licenses.txt.gz beside this file.

Files: *
END
    sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
    echo "License: Expat"
    sed '1,/^Copyright/d; /./!s/.*/./; s/^/ /' LICENSE | sed '1d'
  } >"$doc/copyright"
  if [ -e "Packaging/debian/$name.lintian-overrides" ]; then
    install -D -m 644 "Packaging/debian/$name.lintian-overrides" "$folder/usr/share/lintian/overrides/$name"
  fi
  find "$folder/usr/share/man" -type f -exec gzip -9 -n {} +
  if [ -e "Packaging/debian/$name.conffiles" ]; then cp "Packaging/debian/$name.conffiles" "$folder/DEBIAN/conffiles"; fi
  for script in postinst prerm postrm; do
    [ ! -e "Packaging/debian/$name.$script" ] || install -m 755 "Packaging/debian/$name.$script" "$folder/DEBIAN/$script"
  done
  (
    cd "$stage"
    mapfile -t programs < <(find "$folder/usr/bin" "$folder/usr/libexec" -type f -perm /111 2>/dev/null | sort)
    # Programs that are linked statically need no libraries.
    mapfile -t programs < <(for file in "${programs[@]}"; do ! readelf -d "$file" 2>/dev/null | grep -q NEEDED || echo "$file"; done)
    dpkg-shlibdeps -Tsubstvars "${programs[@]}"
    dpkg-gencontrol -p"$name" -P"$folder" -Tsubstvars -fdebian/files 2>&1 | { grep -v 'unused substitution' >&2 || :; }
  )
  (cd "$folder" && find . -path ./DEBIAN -prune -o -type f -printf '%P\n' | sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
  find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  chmod -R u=rwX,go=rX "$folder"
  # With several threads, the blocks of xz would depend on the machine.
  dpkg-deb --root-owner-group --threads-max=1 -Zxz -z"${CROPKIT_DEB_LEVEL:-6}" --build "$folder" "$dist" >/dev/null
}
# The Containerfile installs whatever version is in this folder.
rm -f "$dist"/cropkit{,-server}_*_"$architecture".deb
pack cropkit "$one" cropkit cropkit-worker
pack cropkit-server "$two" cropkit-server
ls -l "$dist"/cropkit{,-server}_"$version"_"$architecture".deb
