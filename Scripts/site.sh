#!/usr/bin/env bash
# Builds dist/site: the web app without CropKit's server, as files that any web server can serve, from any folder. In docs/
# is the documentation, with running examples.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/package.sh element
new=dist/site.new
rm -rf "$new"
mkdir -p "$new/docs/package"

# Scripts and styles are bundled, except for those that are imported on demand, such as the words of other languages.
# The sources are in separate maps, which only a browser's developer tools fetch.
bundle=(esbuild --bundle --minify --format=esm --target=esnext --charset=utf8 --sourcemap
  --legal-comments=none --log-level=warning --entry-names='[name]' --outdir="$new")
"${bundle[@]}" Web/App/shell/app.js --splitting --chunk-names='[name]-[hash]' --metafile=.build/page.json
"${bundle[@]}" Web/Element/jpeg-worker.js Web/App/shell/app.css
# The files directly in the folder are served unchanged.
cp Web/App/*.* Web/App/shell/sw.js Web/Element/*.wasm "$new"
cp -r Samples "$new/samples"
rm "$new/samples/README.md"
node Scripts/static-page.mjs "$new"
# The files that the page caches for offline use, and a name for this version of them.
node Scripts/page-files.mjs "$new" .build/page.json

# The package without its files for tools.
tar -xzf dist/crop-view-*.tgz -C "$new/docs/package" --strip-components=1 --wildcards 'package/*.js' 'package/*.wasm' \
  package/LICENSE
rm "$new/docs/package/crop-view-inlined.js"
node Scripts/site.mjs "$new/docs"

rm -rf dist/site
mv "$new" dist/site
echo "site: dist/site, $(du -sk dist/site | cut -f1) KB"
