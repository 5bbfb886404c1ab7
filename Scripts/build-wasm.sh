#!/usr/bin/env bash
# Builds CropCore as WebAssembly and puts it beside the page: Web/Page/cropcore.wasm. The modules are
# optimised as one: the linker sees which of their functions the page calls, and with what.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build --package-path Web --scratch-path .build/wasm -c release --product CropWasm \
  --triple wasm32-unknown-none-wasm --toolset Web/toolset.json --experimental-lto-mode full
cp .build/wasm/release/CropWasm.wasm Web/Page/cropcore.wasm
gzip -9 -c Web/Page/cropcore.wasm | wc -c | xargs printf 'cropcore.wasm: %s bytes gzipped\n'
