#!/usr/bin/env bash
# Builds the WebAssembly modules and puts them next to the element: the session as cropcore.wasm, lossless
# crops of JPEGs as cropjpeg.wasm, and gain maps, four corners and borders as cropextra.wasm. Each is optimized as a whole: the linker sees which functions the page calls, and
# with which arguments.
set -euo pipefail
cd "$(dirname "$0")/.."
# SwiftPM does not notice added or removed files of the package that it depends on.
touch Web/Package.swift
build() {
  # Without the warnings about Debian's libraries, which the modules don't use.
  swift build --package-path Web -c release --triple wasm32-unknown-none-wasm --experimental-lto-mode full \
    --scratch-path .build/wasm --toolset Web/toolset.json --product "$1" 2>&1 | sed '/prohibited flag(s): -pthread/d'
  install -C -m 644 ".build/wasm/release/$1.wasm" "Web/Element/$2.wasm"
  gzip -9 -c "Web/Element/$2.wasm" | wc -c | xargs printf "$2.wasm: %s bytes gzipped\n"
}
build CropWasm cropcore
build CropJPEGWasm cropjpeg
build CropExtraWasm cropextra
