#!/usr/bin/env bash
# Checks the types of the page's JavaScript, which are written in comments, and that generated files match their
# descriptions.
set -euo pipefail
cd "$(dirname "$0")/../Web"
# The tables of words, codes and presets are not checked in.
../Scripts/tables.sh
node ../Scripts/interface.mjs --check
node ../Scripts/schema.mjs --check
if ! command -v tsc >/dev/null; then
  echo "types: tsc is missing; Debian has it in node-typescript" >&2
  exit 1
fi
# What the type check itself would accept: files that opt out, `any` types, and fewer checked files than exist.
if grep -rnE --include='*.js' --include='*.ts' '@ts-(nocheck|ignore|expect-error)|[{<|:(,] ?any ?[]}>|;),=[]' Element App Package Program ./*.d.ts; then
  echo "types: the lines above leave a type out" >&2
  exit 1
fi
checked=$(tsc -p . --listFiles) || {
  grep -v '\.d\.ts$\|\.js$' <<<"$checked" >&2
  exit 1
}
files=$(git ls-files --cached --others --exclude-standard 'Element/*.js' 'App/*.js' 'Package/*.js' 'Program/*.js')
while IFS= read -r file; do
  if ! grep -q "/Web/$file\$" <<<"$checked"; then
    echo "types: $file is not checked" >&2
    exit 1
  fi
done <<<"$files"
echo "types: $(wc -l <<<"$files") files of JavaScript checked"
