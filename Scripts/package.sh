#!/usr/bin/env bash
# Packs the element as npm has it: dist/crop-view-VERSION.tgz.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(Scripts/version.sh)
node Scripts/words.mjs
Scripts/build-wasm.sh >/dev/null

# Below this folder: source maps then tell no more than where a source lies in it.
mkdir -p .build
stage=$(mktemp -d .build/package-XXXXXX)
trap 'rm -rf "$stage"' EXIT
out=$stage/package
mkdir "$out"

bundle=(esbuild --bundle --format=esm --minify --target=esnext --charset=utf8 --sourcemap --sources-content=true
  --legal-comments=none --log-level=warning)
# What is imported when it is wanted, the tables of other languages, stays in files of its own.
"${bundle[@]}" Web/Element/index.js --splitting --entry-names=crop-view --chunk-names='[name]' --outdir="$out"
"${bundle[@]}" Web/Element/jpeg-worker.js --outdir="$out"
"${bundle[@]}" Web/Package/inlined.js --loader:.wasm=binary --outfile="$out/crop-view-inlined.js"
cp Web/Element/*.wasm LICENSE Web/Package/custom-elements.json "$out"
tsc -p Web/Package --outDir "$out/types"
node Scripts/package-types.mjs "$out/types"
node Scripts/package-texts.mjs "$version" "$out"
chmod -R u=rwX,go=rX "$out" && chmod 644 "$out"/*.wasm

mkdir -p dist
tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a=rX,u+w \
  -C "$stage" -cf - package | gzip -9 -n >"dist/crop-view-$version.tgz"

# What a page loads before its first picture, and with the first JPEG.
gzipped() { cat "$@" | gzip -9 -c | wc -c; }
first=$(($(gzipped "$out/crop-view.js") + $(gzipped "$out/cropcore.wasm")))
echo "package: dist/crop-view-$version.tgz, $first bytes gzipped before the first picture," \
  "$(gzipped "$out/cropjpeg.wasm") more with the first JPEG"
if [ "$first" -gt 82000 ]; then
  echo "package: that is more than 82,000" >&2
  exit 1
fi
