#!/usr/bin/env bash
# Checks the Objective-C interface of the views: the compiler generates the header as in Xcode, from the
# sources and the stand-ins for Apple's SDK, and one Objective-C file per sample is compiled against it. Functions
# are checked only in the files that need Objective-C; the stand-ins' build checks all others.
set -euo pipefail
cd "$(dirname "$0")/.."
checks=Checks/UIKitStub
objc=$checks/ObjC
scratch=.build/objc
rm -rf "$scratch"
mkdir -p "$scratch/sources"

frontend() {
  swiftc -frontend -package-name cropkit -swift-version 6 -parse-as-library -enable-objc-interop \
    -I "$objc/include" -I "$scratch" "$@"
}
declarations=(-suppress-warnings -experimental-skip-all-function-bodies)

# The sources of a module, with Foundation replaced by the one that supports Objective-C.
sources() {
  local module=$1 file
  shift
  mkdir -p "$scratch/sources/$module"
  find -L "$@" -name '*.swift' | sort | while read -r file; do
    local copy="$scratch/sources/$module/${file//\//_}"
    sed -E 's/^( *)(@_exported )?import Foundation$/\1\2import ObjCFoundation/' "$file" >"$copy"
    # UIKit and the others re-export Foundation.
    case $module in
      CropCore | CropKernels | CropMetadata | CropJPEG) ;;
      *) sed -i '1i import ObjCFoundation' "$copy" ;;
    esac
    echo "$copy"
  done
  # What needs Objective-C in a stand-in.
  if [ -e "$objc/$module.swift.txt" ]; then
    { echo "import ObjCFoundation" && cat "$objc/$module.swift.txt"; } >"$scratch/sources/$module/ObjC.swift"
    echo "$scratch/sources/$module/ObjC.swift"
  fi
}

module() {
  local name=$1
  shift
  mapfile -t files < <(sources "$name" "$@")
  frontend "${declarations[@]}" -emit-module -module-name "$name" "${files[@]}" -o "$scratch/$name.swiftmodule"
}

# It is not a module of a package, so the other checks do not see it as a source.
cp "$objc/Foundation.swift.txt" "$scratch/Foundation.swift"
frontend "${declarations[@]}" -emit-module -module-name ObjCFoundation "$scratch/Foundation.swift" \
  -o "$scratch/ObjCFoundation.swiftmodule"
for name in MacTypes Combine CoreGraphics QuartzCore ImageIO UniformTypeIdentifiers UIKit Photos PhotosUI AVFoundation \
  SwiftUI; do
  module "$name" "$checks/Sources/$name"
done
module CropCore Sources/CropCore
module CropKernels Sources/CropKernels
module CropMetadata Sources/CropMetadata
module CropJPEG Sources/CropJPEG

# A module with its Objective-C header, and the functions of its files that need Objective-C.
checked=0
with_header() {
  local name=$1 file kinds=()
  shift
  mapfile -t files < <(sources "$name" "$@")
  frontend "${declarations[@]}" -emit-module -module-name "$name" "${files[@]}" -o "$scratch/$name.swiftmodule" \
    -emit-objc-header-path "$scratch/$name-Swift.h"
  for file in "${files[@]}"; do
    case $file in
      */Sources_"$name"_ObjC_*) kinds+=(-primary-file) && checked=$((checked + 1)) ;;
    esac
    kinds+=("$file")
  done
  frontend -warnings-as-errors -typecheck -module-name "$name" "${kinds[@]}"
}

views=Sources/CropUIKit
with_header CropUIKit "$views"/{Drawing,ObjC,Pixels,Screen,SwiftUI,View,Words,Exports.swift}
samples=Sources/CropSamples
with_header CropSamples "$samples"/{Camera,Library,ObjC,Samples,Views}
[ "$checked" -eq "$(ls Sources/*/ObjC/*.swift | wc -l)" ] || {
  echo "objc: only $checked files that need Objective-C were checked" >&2
  exit 1
}

for sample in "$objc"/samples/*.m; do
  clang -fsyntax-only -x objective-c -fobjc-arc -fblocks -target arm64-apple-ios16.0 -ffreestanding -nostdlibinc -Wall -Werror \
    -Wno-objc-root-class -Wno-pragma-once-outside-header -I "$objc/include" -I "$scratch" "$sample"
done
echo "objc: $(cat "$scratch"/*-Swift.h | grep -c '^@interface\|^@protocol .*[^;]$') classes and protocols in" \
  "the header; $(ls "$objc"/samples/*.m | wc -l) samples and $checked Swift files checked"
