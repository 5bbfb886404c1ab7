#!/usr/bin/env bash
# Checks the types of all JavaScript of the page, which are written in its comments, and that what is made of a
# description says what the description says.
set -euo pipefail
cd "$(dirname "$0")/../Web"
# The tables of words, which are not checked in.
node ../Scripts/words.mjs
node ../Scripts/interface.mjs --check
node ../Scripts/schema.mjs --check
node ../Scripts/presets.mjs --check
if ! command -v tsc >/dev/null; then
  echo "types: tsc is missing; Debian has it in node-typescript" >&2
  exit 1
fi
# What the check would let through: a file that opts out, a type that is none, and in what was checked
# fewer files than there are.
if grep -rnE --include='*.js' --include='*.ts' '@ts-(nocheck|ignore|expect-error)|[{<|:(,] ?any ?[]}>|;),=[]' Element App Package ./*.d.ts; then
  echo "types: the lines above leave a type out" >&2
  exit 1
fi
checked=$(tsc -p . --listFiles) || {
  grep -v '\.d\.ts$\|\.js$' <<<"$checked" >&2
  exit 1
}
files=$(git ls-files --cached --others --exclude-standard 'Element/*.js' 'App/*.js' 'Package/*.js')
while IFS= read -r file; do
  if ! grep -q "/Web/$file\$" <<<"$checked"; then
    echo "types: $file is not checked" >&2
    exit 1
  fi
done <<<"$files"
echo "types: $(wc -l <<<"$files") files of JavaScript checked"
