#!/usr/bin/env bash
# Packs for npm: the element as dist/crop-view-VERSION.tgz, and crops for programs as dist/cropkit-VERSION.tgz.
#
# package.sh [element | program]: only one of them.
set -euo pipefail
cd "$(dirname "$0")/.."
only=${1:-}

version=$(Scripts/version.sh)
Scripts/tables.sh
Scripts/build-wasm.sh ${only:+"$only"}

# A stage inside this folder, so that source maps only contain relative paths.
mkdir -p .build dist
stage=$(mktemp -d .build/package-XXXXXX)
trap 'rm -rf "$stage"' EXIT
bundle=(esbuild --bundle --format=esm --charset=utf8 --legal-comments=none --log-level=warning)

# Packs the folder `package` of the stage, and empties the stage: pack NAME
pack() {
  chmod -R u=rwX,go=rX "$stage/package"
  tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a=rX,u+w \
    -C "$stage" -cf - package | gzip -9 -n >"dist/$1-$version.tgz"
  rm -r "$stage/package"
}
gzipped() { cat "$@" | gzip -9 -c | wc -c; }

element() {
  local out=$stage/package first jpeg
  local browser=("${bundle[@]}" --minify --target=esnext --sourcemap --sources-content=true)
  mkdir -p "$out"
  # Modules that are imported on demand, such as the tables of other languages, stay separate files.
  "${browser[@]}" Web/Element/index.js --splitting --entry-names=crop-view --chunk-names='[name]' --outdir="$out"
  "${browser[@]}" Web/Element/jpeg-worker.js --outdir="$out"
  "${browser[@]}" Web/Package/inlined.js --loader:.wasm=binary --outfile="$out/crop-view-inlined.js"
  cp Web/Element/*.wasm LICENSE Web/Package/custom-elements.json "$out"
  chmod 644 "$out"/*.wasm
  tsc -p Web/Package --outDir "$out/types"
  node Scripts/package-types.mjs "$out/types"
  node Scripts/package-texts.mjs "$version" "$out" Package

  # The files that a page loads before its first image, and with the first JPEG.
  first=$(($(gzipped "$out/crop-view.js") + $(gzipped "$out/cropcore.wasm")))
  jpeg=$(gzipped "$out/cropjpeg.wasm")
  pack crop-view
  echo "package: dist/crop-view-$version.tgz, $first bytes gzipped before the first picture, $jpeg more with the first JPEG"
  if [ "$first" -gt 123500 ]; then
    echo "package: that is more than 123,500" >&2
    exit 1
  fi
}

program() {
  local out=$stage/package
  mkdir -p "$out"
  # Programs read unminified scripts; Node has no use for source maps of them.
  "${bundle[@]}" --platform=node --target=node18 --splitting --chunk-names='[name]' \
    Web/Program/index.js Web/Program/command.js --outdir="$out"
  cp Web/Program/{cropfile,cropextra}.wasm LICENSE "$out"
  chmod 644 "$out"/*.wasm
  chmod 755 "$out/command.js"
  tsc -p Web/Program --outDir "$out/types"
  node Scripts/package-texts.mjs "$version" "$out" Program
  pack cropkit
  echo "package: dist/cropkit-$version.tgz, $(($(stat -c %s "dist/cropkit-$version.tgz") / 1024)) KiB"
}

[ "$only" = program ] || element
[ "$only" = element ] || program
