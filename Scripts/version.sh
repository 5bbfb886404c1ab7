#!/usr/bin/env bash
# Prints the version; version.sh commit sets the commit for the next build.
set -euo pipefail
cd "$(dirname "$0")/.."
source=Tools/Sources/CVersion/version.c

version=$(sed -n 's/^#define VERSION "\([0-9][0-9.]*\)"$/\1/p' $source)
[ -n "$version" ] || {
  echo "version: $source has no version" >&2
  exit 1
}
if [ "${1:-}" != commit ]; then
  echo "$version"
  exit
fi

# An archive of the sources has no history, so the commit that was written before is kept.
commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || exit 0
git diff --quiet HEAD -- . || commit+=+
line="#define COMMIT \"$commit\""
mkdir -p Tools/Page
if [ "$(cat Tools/Page/commit.h 2>/dev/null)" != "$line" ]; then
  echo "$line" >Tools/Page/commit.h
  # The build does not notice new files.
  touch $source
fi
