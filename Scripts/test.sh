#!/usr/bin/env bash
# Every check and test. What is skipped is said aloud.
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
  printf '\n== %s (%d s)\n' "$1" "$SECONDS"
}

step "what is needed"
Scripts/deps.sh test
export CROPKIT_IMAGES=${CROPKIT_IMAGES:-$PWD/../shared/images}
[ -e "$CROPKIT_IMAGES/INDEX.tsv" ] || echo "SKIPPED: tests over pictures; none in $CROPKIT_IMAGES"

step "layering and format"
Scripts/layering.sh
Scripts/format.sh

step "the page and its WebAssembly module"
Scripts/page.sh

step "the libraries"
swift test

step "the views for iOS, against stand-ins for Apple's SDK"
Scripts/links.sh
swift test --package-path Checks/UIKitStub

step "the documentation"
Scripts/docs.sh

step "the programs"
swift build --package-path Tools --build-tests
export CROPKIT_BIN=$PWD/Tools/.build/debug
swift test --package-path Tools --skip-build

step "other programs' results"
Scripts/peers.sh

step "faults, kills, batches, names and numbers"
Scripts/soak.sh

step "the WebAssembly module under node"
swift build --package-path Web --scratch-path .build/web -c release --product CropReplay
CROPKIT_REPLAY=$PWD/.build/web/release/CropReplay node --test Web/Tests/*.test.mjs

step "a package that uses only the core, the cutter and the views"
Scripts/consumer.sh

step "the page in a browser"
Scripts/browser-tests.sh

step "all passed"
