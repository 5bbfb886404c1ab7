#!/usr/bin/env bash
# Checks that a package that only uses CropCore, CropJPEG and the views builds, and gets no other packages when
# it is resolved, and no settings that contradict its build.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
# As for an app.
unset CROPKIT_DEVELOPMENT
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/Sources"
cat >"$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "CropKit", path: "$root")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "CropCore", package: "CropKit"),
        .product(name: "CropJPEG", package: "CropKit"),
        .product(name: "CropSamples", package: "CropKit"),
        .product(name: "CropUIKit", package: "CropKit"),
      ],
      path: "Sources")
  ])
SWIFT
cat >"$folder/Sources/main.swift" <<'SWIFT'
import CropCore
import CropJPEG
import CropUIKit
let crop = try CropRecipe(quarterTurns: 1).resolved(for: ImageSize(width: 4, height: 3))
print(crop.output.width, crop.output.height)
SWIFT
# Xcode suppresses the warnings of packages, so strict ones are an error there: "conflicting options".
refused() { swift package --package-path "$root" dump-package | grep -E 'treatAllWarnings|treatWarning|unsafeFlags'; }
CROPKIT_DEVELOPMENT=1 refused >/dev/null || {
  echo "consumer: the settings that apps refuse are not found where they are" >&2
  exit 1
}
if refused; then
  echo "consumer: without CROPKIT_DEVELOPMENT, Package.swift has settings that apps refuse" >&2
  exit 1
fi
cd "$folder"
swift package resolve
if [ -n "$(find .build/checkouts .build/repositories -mindepth 1 -print -quit 2>/dev/null)" ]; then
  echo "consumer: a package that uses only the core, the cutter and the views fetched others:" >&2
  ls .build/checkouts .build/repositories >&2
  exit 1
fi
answer=$(swift run -q)
[ "$answer" = "3 4" ] || {
  echo "consumer: printed '$answer' instead of '3 4'" >&2
  exit 1
}
echo "consumer: resolved with nothing checked out, and works"
