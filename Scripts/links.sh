#!/usr/bin/env bash
# Restores symbolic links. In a checkout, archive or shared folder without support for them, each is a file that
# contains the link's target, and the checks of the iOS views do not build. Does nothing if all links are valid.
set -euo pipefail
cd "$(dirname "$0")/.."

git ls-files -s Checks Examples | while IFS=$'\t' read -r _ name; do
  [[ -f $name && ! -L $name && $(stat -c %s "$name") -lt 200 ]] || continue
  target=$(tr -d '\0' <"$name")
  [[ $target == ../* && -e $(dirname "$name")/$target ]] || continue
  echo "$name: a link again"
  ln -sfn "$target" "$name"
done
