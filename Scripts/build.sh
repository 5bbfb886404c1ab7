#!/usr/bin/env bash
# Builds the development build: build.sh [arguments of SwiftPM]. The page is built beside it, since its modules
# keep only one core busy, and is then embedded into the server; with --build-tests, the package for Node too.
set -euo pipefail
cd "$(dirname "$0")/.."
log=.build/page.log
mkdir -p .build
# Before both use it.
Scripts/tables.sh
page() {
  CROPKIT_QUICK=1 Scripts/page.sh
  [[ " $* " != *" --build-tests "* ]] || Scripts/package.sh program
}
page "$@" >"$log" 2>&1 &
page=$!
echo "build: the programs, the page and its WebAssembly modules; three to six minutes the first time on two cores"
status=0
Scripts/swift.sh build "$@" || status=$?
# Also after an error: the next build must not meet this one's page.
wait "$page" || {
  cat "$log" >&2
  exit 1
}
[ "$status" = 0 ] || exit "$status"
grep "^page:" "$log"
Scripts/swift.sh build "$@"
