#!/usr/bin/env bash
# Builds the WebAssembly modules and puts them next to the element: the session as cropcore.wasm, and JPEGs, gain maps
# and four corners as cropextra.wasm. Each is optimized as a whole: the linker sees which functions the page calls, and
# with which arguments.
set -euo pipefail
cd "$(dirname "$0")/.."
# SwiftPM does not notice added or removed files of the package that it depends on.
touch Web/Package.swift
for module in core extra; do
  # Without the warnings about Debian's libraries, which the modules don't use.
  product=Crop${module/extra/Extra}Wasm
  product=${product/core/}
  swift build --package-path Web -c release --triple wasm32-unknown-none-wasm --experimental-lto-mode full \
    --scratch-path .build/wasm --toolset Web/toolset.json --product "$product" 2>&1 | sed '/prohibited flag(s): -pthread/d'
  install -C -m 644 ".build/wasm/release/$product.wasm" "Web/Element/crop$module.wasm"
  gzip -9 -c "Web/Element/crop$module.wasm" | wc -c | xargs printf "crop$module.wasm: %s bytes gzipped\n"
done
