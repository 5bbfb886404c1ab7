#!/usr/bin/env bash
# Builds the WebAssembly modules. Next to the element: the session as cropcore.wasm, lossless crops of JPEGs as
# cropjpeg.wasm, and gain maps, four corners and borders as cropextra.wasm. For programs without a page: crops of files as
# cropfile.wasm. Each is optimized as a whole: the linker sees which functions are called, and with which arguments.
#
# build-wasm.sh [element | program]: only the modules of the element, or of programs.
set -euo pipefail
cd "$(dirname "$0")/.."
only=${1:-}
Scripts/tables.sh
build() {
  # Without its plan of the last build, SwiftPM also notices added and removed files of the package that this one
  # depends on. Without the warnings about Debian's libraries, which the modules don't use.
  swift build --disable-build-manifest-caching --package-path Web -c release --triple wasm32-unknown-none-wasm --experimental-lto-mode full \
    --scratch-path .build/wasm --toolset Web/toolset.json --product "$1" 2>&1 | sed '/prohibited flag(s): -pthread/d'
  install -C -m 644 ".build/wasm/release/$1.wasm" "$2.wasm"
  gzip -9 -c "$2.wasm" | wc -c | xargs printf "${2##*/}.wasm: %s bytes gzipped\n"
}
if [ "$only" != program ]; then
  build CropWasm Web/Element/cropcore
  build CropJPEGWasm Web/Element/cropjpeg
fi
build CropExtraWasm Web/Element/cropextra
if [ "$only" != element ]; then
  build CropFileWasm Web/Program/cropfile
  # For programs that pass pixels.
  install -C -m 644 Web/Element/cropextra.wasm Web/Program/cropextra.wasm
  install -C -m 644 Web/Program/cropfile.wasm Python/src/cropkit/_engine/cropfile.wasm
fi
