#!/usr/bin/env bash
# Checks the iOS views as Apple's compiler does for iOS 16, Mac Catalyst and visionOS 1: availability, conditions on
# the platform, isolation, names that collide with those of Apple's modules, and expressions that take the compiler
# too long. Each file of Checks/UIKitStub/Mistakes must fail, with the error that its first line names.
#
# Swift on Linux has no modules for Apple's platforms and ignores `@available(iOS …)`. So the modules of the
# toolchain are copied with another triple, of the same length; the declarations, with their availability on
# Apple's platforms, are the same. Only types are checked, nothing is generated.
set -euo pipefail
cd "$(dirname "$0")/.."
checks=Checks/UIKitStub
scratch=.build/availability
Scripts/links.sh
info() { swiftc -print-target-info | sed -n "s/.*\"$1\": \"\(.*\)\".*/\1/p" | head -1; }
resources=$(info runtimeResourcePath)
triple=$(info unversionedTriple)
arch=${triple%%-*}
rm -rf "$scratch"

# The triple of a platform in as many characters as the toolchain's: arm64-apple-ios16.000000.
triple_of() {
  local name=arm64-apple-$1.
  printf '%s%0*d' "$name" $((${#triple} - ${#name})) 0
}

# The frontend for a platform: frontend PLATFORM OPTIONS...
frontend() {
  local platform=$1 target name
  shift
  case $platform in
    ios) target=arm64-apple-ios16.0 ;;
    maccatalyst) target=arm64-apple-ios16.0-macabi ;;
    visionos) target=arm64-apple-xros1.0 ;;
  esac
  swiftc -frontend -target "$target" -clang-target "$triple" -disable-objc-interop -sdk "$scratch/sdk" \
    -package-name cropkit -swift-version 6 -parse-as-library -resource-dir "$PWD/$scratch/resources" -I "$scratch/$platform" -Xcc -ivfsoverlay -Xcc "$scratch/glibc.yaml" \
    -Xcc -fmodule-map-file=/usr/include/module.modulemap -Xcc -idirafter -Xcc "/usr/include/$arch-linux-gnu" \
    -Xcc -idirafter -Xcc /usr/include -module-cache-path "$scratch/cache" "$@"
}

# Copies the toolchain's modules for a platform.
prepare() {
  local platform=$1 apple module
  case $platform in
    ios | maccatalyst) apple=$(triple_of ios16) ;;
    visionos) apple=$(triple_of xros1) ;;
  esac
  mkdir -p "$scratch/$platform"
  for module in "$resources"/linux/*.swiftmodule; do
    [ -e "$module/$triple.swiftmodule" ] || continue
    LC_ALL=C sed "s/$triple/$apple/g" "$module/$triple.swiftmodule" \
      >"$scratch/$platform/$(basename "$module")"
  done
}

# Compiles a module: module PLATFORM NAME FOLDERS... -- OPTIONS...
module() {
  local platform=$1 name=$2 folders=()
  shift 2
  while [ "$1" != -- ]; do
    folders+=("$1")
    shift
  done
  shift
  mapfile -t files < <(find -L "${folders[@]}" -name '*.swift' | sort)
  frontend "$platform" -emit-module -module-name "$name" "$@" "${files[@]}" \
    -o "$scratch/$platform/$name.swiftmodule"
}
# Of what others import, only the declarations are checked.
declarations=(-experimental-skip-all-function-bodies -suppress-warnings)

# Where the compiler sees the map of the C library's headers on Linux.
mkdir -p "$scratch/sdk" "$scratch/resources"
# The versions of visionOS that have what is new in a version of iOS, as in Apple's SDK.
cat >"$scratch/sdk/SDKSettings.json" <<JSON
{"Version": "26.0", "MaximumDeploymentTarget": "26.99", "VersionMap": {"iOS_visionOS": {
  $(printf '"%s.0": "1.0", ' {2..17}) "17.4": "1.1", "17.5": "1.2", "18.0": "2.0", "26.0": "26.0"}}}
JSON
ln -s "$resources"/* "$scratch/resources/"
cat >"$scratch/glibc.yaml" <<YAML
{"version": 0, "roots": [{"type": "directory", "name": "/usr/include", "contents": [
  {"type": "file", "name": "module.modulemap", "external-contents": "$resources/linux/$arch/glibc.modulemap"},
  {"type": "file", "name": "SwiftGlibc.h", "external-contents": "$resources/linux/$arch/SwiftGlibc.h"}]}]}
YAML

# Sums of lists, such as of constraints: beside a literal, they can take the compiler very long with Apple's
# frameworks, and quickly with the stand-ins.
sums_of_lists() { grep -rnE '\+ \[$|\] \+ |\) \+ \[' "$@"; }
if sums_of_lists Sources/CropUIKit Sources/CropSamples; then
  echo "availability: add lists one statement at a time" >&2
  exit 1
fi
sums_of_lists "$checks/Mistakes/long-sum.swift.txt" >"$scratch/sums.txt" || {
  echo "availability: $checks/Mistakes/long-sum.swift.txt is accepted" >&2
  exit 1
}

mistakes=1
for platform in ios maccatalyst visionos; do
  prepare "$platform"
  for name in MacTypes Combine CoreGraphics QuartzCore ImageIO UniformTypeIdentifiers UIKit Photos PhotosUI \
    AVFoundation SwiftUI; do
    module "$platform" "$name" "$checks/Sources/$name" -- "${declarations[@]}"
  done
  for name in CropCore CropKernels CropMetadata CropJPEG; do
    module "$platform" "$name" "Sources/$name" -- "${declarations[@]}"
  done
  module "$platform" CropUIKit Sources/CropUIKit/{Drawing,Pixels,Screen,SwiftUI,View,Words,Exports.swift} \
    "$checks/Sources/CropUIKit/StandIns" -- -warnings-as-errors
  module "$platform" CropSamples Sources/CropSamples/{Camera,Library,Samples,Views} \
    "$checks/Sources/CropSamples/StandIns" -- -warnings-as-errors

  # Every public type by its name, beside all modules of Apple's.
  {
    printf 'import %s\n' AVFoundation Combine CropUIKit Photos PhotosUI SwiftUI UIKit
    grep -rhoE '^public (final )?(struct|enum|class|protocol|typealias|actor) [A-Za-z]+' Sources/CropCore |
      awk '{ print "typealias Use" NR " = " $NF }'
  } >"$scratch/names.swift"
  [ "$(wc -l <"$scratch/names.swift")" -gt 60 ] || {
    echo "availability: only $(wc -l <"$scratch/names.swift") names found" >&2
    exit 1
  }
  frontend "$platform" -typecheck -module-name Names "$scratch/names.swift"

  printf 'public struct %s {}\n' Angle Point >"$scratch/Colliding.swift"
  frontend "$platform" -emit-module -module-name Colliding "$scratch/Colliding.swift" \
    -o "$scratch/$platform/Colliding.swiftmodule"
  for mistake in "$checks"/Mistakes/*.swift.txt; do
    expected=$(sed -n "1s,^// $platform: ,,p" "$mistake")
    [ -n "$expected" ] || continue
    mistakes=$((mistakes + 1))
    cp "$mistake" "$scratch/mistake.swift"
    if found=$(frontend "$platform" -typecheck -module-name Mistake "$scratch/mistake.swift" 2>&1); then
      echo "availability: $mistake is accepted; expected: $expected" >&2
      exit 1
    fi
    grep -qF -- "$expected" <<<"$found" || {
      printf 'availability: %s: expected: %s, but found:\n%s\n' "$mistake" "$expected" "$found" >&2
      exit 1
    }
  done
done
[ "$mistakes" -eq "$(find "$checks/Mistakes" -name '*.swift.txt' | wc -l)" ] || {
  echo "availability: a file of $checks/Mistakes names no platform" >&2
  exit 1
}
echo "availability: the views for iOS 16, Mac Catalyst and visionOS 1; $mistakes mistakes are found"
