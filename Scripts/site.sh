#!/usr/bin/env bash
# Builds the element's documentation in dist/site: static files that any server can serve, or that work without
# one.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/package.sh
new=dist/site.new
rm -rf "$new"
mkdir -p "$new/package"
# The package without its files for tools.
tar -xzf dist/crop-view-*.tgz -C "$new/package" --strip-components=1 --wildcards 'package/*.js' 'package/*.wasm' \
  package/LICENSE
rm "$new/package/crop-view-inlined.js"
node Scripts/site.mjs "$new"
rm -rf dist/site
mv "$new" dist/site
echo "site: dist/site, $(du -sk dist/site | cut -f1) KB"
