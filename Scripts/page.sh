#!/usr/bin/env bash
# Packs the web page into Tools/Page/page.tar, which cropkit-server embeds.
set -euo pipefail
cd "$(dirname "$0")/.."

node Scripts/words.mjs
Scripts/build-wasm.sh

# Below this folder: source maps then tell no more than where a source lies in it.
mkdir -p .build
stage=$(mktemp -d .build/page-XXXXXX)
trap 'rm -rf "$stage" "$stage.json"' EXIT
cp -r Web/App/. "$stage"
rm "$stage"/*.js "$stage"/*.css "$stage/sign-in.html"
# Scripts and styles are bundled; what is imported when it is wanted, such as the words of other
# languages, stays apart. The sources lie beside, in maps that only a browser's developer tools fetch.
bundle=(esbuild --bundle --minify --format=esm --target=esnext --charset=utf8 --sourcemap
  --legal-comments=none --log-level=warning --entry-names='[name]' --outdir="$stage")
"${bundle[@]}" Web/App/app.js --splitting --chunk-names='[name]-[hash]' --metafile="$stage.json"
"${bundle[@]}" Web/Element/jpeg-worker.js Web/App/app.css
cp Web/App/{tokens.css,sign-in.css,sw.js} Web/Element/*.wasm "$stage"
# The files that the page keeps for when there is no connection, and a name for this version of them.
node Scripts/page-files.mjs "$stage" "$stage.json"
node Scripts/sign-in.mjs "$stage"

# The documentation of the element; the page does not keep it.
Scripts/site.sh
cp -r dist/site "$stage/docs"

# Beside each file its compressed form, where that is smaller by a tenth. zopfli, where it
# is there, takes a few seconds more than gzip and makes the module 4.5 % smaller, the whole 3 %.
compress() {
  # Maps are for developers alone.
  if [[ $1 != *.map ]] && command -v zopfli >/dev/null; then zopfli -c "$1"; else gzip -9 -n -c "$1"; fi >"$1.gz"
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
  # The build does not watch what is embedded.
  touch Tools/Sources/CPage/page.c
fi
echo "page: $(tar -tf Tools/Page/page.tar | grep -vc '/$') files, $(stat -c %s Tools/Page/page.tar) bytes"
