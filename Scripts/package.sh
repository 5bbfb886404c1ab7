#!/usr/bin/env bash
# Packs for npm: the element as dist/crop-view-VERSION.tgz, and crops for programs as dist/cropkit-VERSION.tgz.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(Scripts/version.sh)
Scripts/tables.sh
Scripts/build-wasm.sh

# A stage inside this folder, so that source maps only contain relative paths.
mkdir -p .build
stage=$(mktemp -d .build/package-XXXXXX)
trap 'rm -rf "$stage"' EXIT
out=$stage/element/package
program=$stage/program/package
mkdir -p "$out" "$program"

bundle=(esbuild --bundle --format=esm --minify --target=esnext --charset=utf8 --sourcemap --sources-content=true
  --legal-comments=none --log-level=warning)
# Modules that are imported on demand, such as the tables of other languages, stay separate files.
"${bundle[@]}" Web/Element/index.js --splitting --entry-names=crop-view --chunk-names='[name]' --outdir="$out"
"${bundle[@]}" Web/Element/jpeg-worker.js --outdir="$out"
"${bundle[@]}" Web/Package/inlined.js --loader:.wasm=binary --outfile="$out/crop-view-inlined.js"
cp Web/Element/*.wasm LICENSE Web/Package/custom-elements.json "$out"
tsc -p Web/Package --outDir "$out/types"
node Scripts/package-types.mjs "$out/types"
node Scripts/package-texts.mjs "$version" "$out" Package

# Programs read unminified scripts; Node has no use for source maps of them.
esbuild --bundle --format=esm --platform=node --target=node18 --charset=utf8 --legal-comments=none --log-level=warning \
  --splitting --chunk-names='[name]' Web/Program/index.js Web/Program/command.js --outdir="$program"
cp Web/Program/{cropfile,cropextra}.wasm LICENSE "$program"
tsc -p Web/Program --outDir "$program/types"
node Scripts/package-texts.mjs "$version" "$program" Program
chmod -R u=rwX,go=rX "$out" "$program" && chmod 644 "$out"/*.wasm "$program"/*.wasm && chmod 755 "$program/command.js"

mkdir -p dist
pack() {
  tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a=rX,u+w \
    -C "$stage/$1" -cf - package | gzip -9 -n >"dist/$2-$version.tgz"
}
pack element crop-view
pack program cropkit

# The files that a page loads before its first image, and with the first JPEG.
gzipped() { cat "$@" | gzip -9 -c | wc -c; }
first=$(($(gzipped "$out/crop-view.js") + $(gzipped "$out/cropcore.wasm")))
echo "package: dist/crop-view-$version.tgz, $first bytes gzipped before the first picture," \
  "$(gzipped "$out/cropjpeg.wasm") more with the first JPEG"
if [ "$first" -gt 119500 ]; then
  echo "package: that is more than 119,500" >&2
  exit 1
fi
echo "package: dist/cropkit-$version.tgz, $(($(stat -c %s "dist/cropkit-$version.tgz") / 1024)) KiB"
