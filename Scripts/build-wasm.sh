#!/usr/bin/env bash
# Builds the session, the JPEG cutter, the cutter of gain maps and the sampler of four corners as WebAssembly, and
# puts them next to the element, as cropcore.wasm, cropjpeg.wasm, cropgain.wasm and cropquad.wasm. Each is
# optimised as a whole: the linker sees which functions the page calls, and with which arguments.
set -euo pipefail
cd "$(dirname "$0")/.."
# SwiftPM does not notice added or removed files of the package that it depends on.
touch Web/Package.swift
build() {
  # Without the warnings about Debian's libraries, which the modules don't use.
  swift build --package-path Web -c release --triple wasm32-unknown-none-wasm --experimental-lto-mode full "$@" 2>&1 \
    | sed '/prohibited flag(s): -pthread/d'
}
for product in CropWasm CropJPEGWasm CropGainWasm; do
  build --scratch-path .build/wasm --toolset Web/toolset.json --product "$product"
done
# The sampler is optimised for speed instead of size, since its loop processes 12 million pixels. With
# CROPKIT_QUICK it is not, which saves compiling the core once more.
quad=(.build/wasm-fast Web/toolset-fast.json)
[ -z "${CROPKIT_QUICK:-}" ] || quad=(.build/wasm Web/toolset.json)
build --scratch-path "${quad[0]}" --toolset "${quad[1]}" --product CropQuadWasm
install -C -m 644 .build/wasm/release/CropWasm.wasm Web/Element/cropcore.wasm
install -C -m 644 .build/wasm/release/CropJPEGWasm.wasm Web/Element/cropjpeg.wasm
install -C -m 644 .build/wasm/release/CropGainWasm.wasm Web/Element/cropgain.wasm
install -C -m 644 "${quad[0]}"/release/CropQuadWasm.wasm Web/Element/cropquad.wasm
for module in cropcore cropjpeg cropgain cropquad; do
  gzip -9 -c "Web/Element/$module.wasm" | wc -c | xargs printf "$module.wasm: %s bytes gzipped\n"
done
