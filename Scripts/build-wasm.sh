#!/usr/bin/env bash
# Builds the session and the JPEG cutter as WebAssembly and puts them beside the element: cropcore.wasm and
# cropjpeg.wasm. Each is optimised as one: the linker sees which functions the page calls, and with what.
set -euo pipefail
cd "$(dirname "$0")/.."
for product in CropWasm CropJPEGWasm; do
  swift build --package-path Web --scratch-path .build/wasm -c release --product "$product" \
    --triple wasm32-unknown-none-wasm --toolset Web/toolset.json --experimental-lto-mode full
done
cp .build/wasm/release/CropWasm.wasm Web/Element/cropcore.wasm
cp .build/wasm/release/CropJPEGWasm.wasm Web/Element/cropjpeg.wasm
for module in cropcore cropjpeg; do
  gzip -9 -c "Web/Element/$module.wasm" | wc -c | xargs printf "$module.wasm: %s bytes gzipped\n"
done
