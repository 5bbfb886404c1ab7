#!/usr/bin/env bash
# Compares the JPEG cutter as WebAssembly in node with jpegtran: wasm.sh PICTURE.jpg X Y WIDTH HEIGHT
set -euo pipefail
cd "$(dirname "$0")/.."
swift build --package-path Benchmarks/Wasm --scratch-path .build/bench-wasm -c release --product JPEGWasm \
  --triple wasm32-unknown-none-wasm --toolset Web/toolset.json --experimental-lto-mode full >&2
exec node Benchmarks/wasm.mjs .build/bench-wasm/release/JPEGWasm.wasm "$@"
