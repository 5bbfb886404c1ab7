#!/usr/bin/env bash
# Builds the development build: build.sh [arguments of SwiftPM]. The page is built beside it, since its modules
# keep only one core busy, and is then embedded into the server.
set -euo pipefail
cd "$(dirname "$0")/.."
log=.build/page.log
mkdir -p .build
CROPKIT_QUICK=1 Scripts/page.sh >"$log" 2>&1 &
page=$!
echo "build: the programs, the page and its WebAssembly modules; several minutes the first time"
Scripts/swift.sh build "$@"
wait "$page" || {
  cat "$log" >&2
  exit 1
}
tail -1 "$log"
Scripts/swift.sh build "$@"
