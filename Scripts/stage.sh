#!/usr/bin/env bash
# Copies the output of `make build` into the layout of an installation: stage.sh PREFIX [FOLDER]
#
# PREFIX is the destination (…/usr), FOLDER contains the programs (default: bin).
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?"stage: usage: stage.sh PREFIX"}
bin=${2:-bin}

for program in cropkit cropkit-server cropkit-worker; do
  [ -x "$bin/$program" ] || {
    echo "stage: $bin/$program is missing; run: make build" >&2
    exit 1
  }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

install -d "$prefix/bin" "$prefix/libexec/cropkit"
install -m 755 "$bin/cropkit" "$prefix/bin/"
install -m 755 "$bin/cropkit-server" "$bin/cropkit-worker" "$prefix/libexec/cropkit/"
install -d "$prefix/share/cropkit/samples"
find Samples -maxdepth 1 -type f ! -name '*.md' -exec install -m 644 -t "$prefix/share/cropkit/samples" {} +

# The default folder of each shell.
Scripts/completions.sh "$bin" "$scratch"
install -D -m 644 -t "$prefix/share/bash-completion/completions" "$scratch"/bash-completion/completions/*
install -D -m 644 -t "$prefix/share/zsh/vendor-completions" "$scratch"/zsh/vendor-completions/*
install -D -m 644 -t "$prefix/share/fish/vendor_completions.d" "$scratch"/fish/vendor_completions.d/*
Scripts/manual.mjs "$bin" "$scratch/man"
for section in 1 5 8; do
  install -D -m 644 -t "$prefix/share/man/man$section" "$scratch/man/man$section"/*
done

# For the desktop: file associations, also in the menus of file managers, and icons.
version=$(Scripts/version.sh)
source Packaging/project.sh
date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}" +%F)
install -D -m 644 -t "$prefix/share/applications" Packaging/desktop/cropkit.desktop
sed "s/@VERSION@/$version/; s/@DATE@/$date/; s|@HOMEPAGE@|$homepage|" Packaging/desktop/cropkit.metainfo.xml >"$scratch/cropkit.metainfo.xml"
install -D -m 644 -t "$prefix/share/metainfo" "$scratch/cropkit.metainfo.xml"
install -D -m 644 Web/App/icon.svg "$prefix/share/icons/hicolor/scalable/apps/cropkit.svg"
for size in 192 512; do
  install -D -m 644 "Web/App/icon-$size.png" "$prefix/share/icons/hicolor/${size}x$size/apps/cropkit.png"
done
install -D -m 644 Packaging/desktop/cropkit-servicemenu.desktop "$prefix/share/kio/servicemenus/cropkit.desktop"
install -D -m 644 -t "$prefix/share/nemo/actions" Packaging/desktop/cropkit.nemo_action
install -D -m 755 -t "$prefix/share/cropkit/nautilus" Packaging/desktop/nautilus-crop
