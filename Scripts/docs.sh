#!/usr/bin/env bash
# Builds the documentation in dist/site/docs and that of the libraries in .build/docs. Warnings of DocC
# are errors.
set -euo pipefail
cd "$(dirname "$0")/.."
export CROPKIT_DEVELOPMENT=1
Scripts/site.sh
Scripts/swift.sh build --target CropImaging
built=Tools/.build/debug
triple=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')
rm -rf .build/docs
convert() {
  docc convert "Sources/$1/$1.docc" --additional-symbol-graph-dir ".build/docs/symbols/$1" \
    --fallback-display-name "$1" --fallback-bundle-identifier "org.cropkit.$1" \
    --output-dir ".build/docs/$1.doccarchive" --warnings-as-errors
}
for module in CropCore CropKernels CropMetadata CropJPEG CropSystem CropFormats CropImaging; do
  symbols=.build/docs/symbols/$module
  mkdir -p "$symbols"
  swift symbolgraph-extract -module-name "$module" -target "$triple" -I "$built/Modules" \
    -I Sources/CJPEG/include -I Sources/CCompression -Xcc "-fmodule-map-file=$built/CSystemCalls.build/module.modulemap" \
    -minimum-access-level public -output-dir "$symbols"
  convert "$module"
done

# The views are only compiled in the package with stand-ins for UIKit, under another name.
checks=Checks/UIKitStub
Scripts/links.sh
swift build --package-path "$checks" --target CheckedCropSamples
for module in CropUIKit CropSamples; do
  symbols=.build/docs/symbols/$module
  mkdir -p "$symbols"
  swift symbolgraph-extract -module-name "Checked$module" -target "$triple" \
    -I "$(swift build --package-path "$checks" --show-bin-path)/Modules" \
    -minimum-access-level public -output-dir "$symbols"
  for file in "$symbols"/*.json; do
    sed 's/CheckedCrop\(UIKit\|Samples\)/Crop\1/g' "$file" >"${file//Checked/}"
    rm "$file"
  done
  convert "$module"
done
echo "docs: .build/docs/*.doccarchive"
