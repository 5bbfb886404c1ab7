#!/usr/bin/env bash
# Packs the web page into Tools/Page/page.tar, which cropkit-server embeds. With CROPKIT_QUICK it takes less time, and
# files are a few percent larger.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/tables.sh
# The element's documentation, which the page does not cache, and with it the WebAssembly modules.
Scripts/site.sh

# A stage inside this folder, so that source maps only contain relative paths.
mkdir -p .build
stage=$(mktemp -d .build/page-XXXXXX)
trap 'rm -rf "$stage" "$stage.json"' EXIT
# The files directly in the folder are served unchanged.
cp Web/App/*.* "$stage"
# Scripts and styles are bundled, except for those that are imported on demand, such as the words of other
# languages. The sources are in separate maps, which only a browser's developer tools fetch.
bundle=(esbuild --bundle --minify --format=esm --target=esnext --charset=utf8 --sourcemap
  --legal-comments=none --log-level=warning --entry-names='[name]' --outdir="$stage")
"${bundle[@]}" Web/App/shell/app.js --splitting --chunk-names='[name]-[hash]' --metafile="$stage.json"
"${bundle[@]}" Web/Element/jpeg-worker.js Web/App/shell/app.css
cp Web/App/ui/tokens.css Web/App/shell/{sign-in.css,sw.js} Web/Element/*.wasm "$stage"
# The files that the page caches for offline use, and a name for this version of them.
node Scripts/page-files.mjs "$stage" "$stage.json"
node Scripts/sign-in.mjs "$stage"

cp -r dist/site "$stage/docs"

# Adds a compressed version of each file, if it is at least a tenth smaller. zopfli, if available, takes a few
# seconds more than gzip and makes the module 4.5 % smaller, everything 3 %.
compress() {
  # Only developers use maps.
  if [[ $1 != *.map && -z ${CROPKIT_QUICK:-} ]] && command -v zopfli >/dev/null; then
    zopfli -c "$1"
  else
    gzip -9 -n -c "$1"
  fi >"$1.gz"
  [ $(($(stat -c %s "$1.gz") * 10)) -le $(($(stat -c %s "$1") * 9)) ] || rm "$1.gz"
}
export -f compress
find "$stage" -type f -print0 | xargs -0 -n 1 -P "$(nproc)" bash -euo pipefail -c 'compress "$1"' _

mkdir -p Tools/Page
tar --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a=rX,u+w \
  -C "$stage" -cf Tools/Page/page.tar.new .
if cmp -s Tools/Page/page.tar.new Tools/Page/page.tar; then
  rm Tools/Page/page.tar.new
else
  mv Tools/Page/page.tar.new Tools/Page/page.tar
  # The build does not watch embedded files.
  touch Tools/Sources/CPage/page.c
fi
echo "page: $(tar -tf Tools/Page/page.tar | grep -vc '/$') files, $(stat -c %s Tools/Page/page.tar) bytes"
