#!/usr/bin/env bash
# Packs the web page into Tools/Page/page.tar, which cropkit-server embeds. With CROPKIT_QUICK it takes less time, and
# files are a few percent larger.
set -euo pipefail
cd "$(dirname "$0")/.."

# The page as static files, with the element's documentation.
Scripts/site.sh

# A stage inside this folder.
mkdir -p .build
stage=$(mktemp -d .build/page-XXXXXX)
trap 'rm -rf "$stage"' EXIT
cp -r dist/site/. "$stage"
# The server has its own sample photos, and a page for signing in.
rm -r "$stage"/{samples,samples.json}
cp Web/App/index.html Web/App/ui/tokens.css Web/App/shell/sign-in.{css,js} "$stage"
node Scripts/page-files.mjs "$stage" .build/page.json
node Scripts/sign-in.mjs "$stage"

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
