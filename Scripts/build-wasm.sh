#!/usr/bin/env bash
# Builds the session, the JPEG cutter, the cutter of gain maps and the sampler of four corners as WebAssembly, and
# puts them next to the element, as cropcore.wasm, cropjpeg.wasm, cropgain.wasm and cropquad.wasm. Each is
# optimised as a whole: the linker sees which functions the page calls, and with which arguments.
set -euo pipefail
cd "$(dirname "$0")/.."
# SwiftPM does not notice added or removed files of the package that it depends on.
touch Web/Package.swift
# Without its warnings about Debian's libraries, which the modules don't use.
exec 2> >(grep -v "prohibited flag(s): -pthread" >&2)
for product in CropWasm CropJPEGWasm CropGainWasm; do
  swift build --package-path Web --scratch-path .build/wasm -c release --product "$product" \
    --triple wasm32-unknown-none-wasm --toolset Web/toolset.json --experimental-lto-mode full
done
# The sampler is optimised for speed instead of size, since its loop processes 12 million pixels. With
# CROPKIT_QUICK it is not, which saves compiling the core once more.
quad=(.build/wasm-fast Web/toolset-fast.json)
[ -z "${CROPKIT_QUICK:-}" ] || quad=(.build/wasm Web/toolset.json)
swift build --package-path Web --scratch-path "${quad[0]}" -c release --product CropQuadWasm \
  --triple wasm32-unknown-none-wasm --toolset "${quad[1]}" --experimental-lto-mode full
install -C -m 644 .build/wasm/release/CropWasm.wasm Web/Element/cropcore.wasm
install -C -m 644 .build/wasm/release/CropJPEGWasm.wasm Web/Element/cropjpeg.wasm
install -C -m 644 .build/wasm/release/CropGainWasm.wasm Web/Element/cropgain.wasm
install -C -m 644 "${quad[0]}"/release/CropQuadWasm.wasm Web/Element/cropquad.wasm
for module in cropcore cropjpeg cropgain cropquad; do
  gzip -9 -c "Web/Element/$module.wasm" | wc -c | xargs printf "$module.wasm: %s bytes gzipped\n"
done
