#!/usr/bin/env bash
# Checks every import line of every Swift file against the table of modules. Arrows run one way.
set -euo pipefail
cd "$(dirname "$0")/.."

# What comes with the toolchain wherever Foundation may be used.
system="Foundation FoundationEssentials Glibc Dispatch Synchronization"
# Apple's frameworks for the views.
apple="UIKit SwiftUI AVFoundation Photos ImageIO CoreGraphics QuartzCore UniformTypeIdentifiers"
# What Hummingbird is made of and speaks in.
web="Hummingbird HummingbirdCore HummingbirdTLS HTTPTypes NIOCore NIOHTTP1 NIOHTTPTypes NIOSSL"
web="$web Logging ServiceLifecycle"

allowed() {
  case $1 in
    CropCore) echo "" ;;
    CropJPEG) echo "CropCore" ;;
    CropImaging) echo "CropCore CropJPEG CJPEG CSystemCalls $system" ;;
    CropPixels) echo "CropCore CropImaging CVips $system" ;;
    CropUIKit) echo "CropCore CropJPEG Foundation $apple" ;;
    # The check without Apple's SDK: stand-ins of its frameworks, and the same sources against them.
    CoreGraphics | UniformTypeIdentifiers) echo "Foundation" ;;
    QuartzCore | ImageIO) echo "CoreGraphics Foundation" ;;
    UIKit) echo "CoreGraphics QuartzCore Foundation" ;;
    Photos | AVFoundation | SwiftUI) echo "UIKit Foundation" ;;
    CropDemo) echo "CropCore CropUIKit Foundation $apple" ;;
    DemoTests) echo "Testing CropDemo CropCore CropUIKit UIKit" ;;
    CropUIKitTests | ReplayTests)
      echo "Testing TestMaterial CheckedCropUIKit CropCore CropJPEG Foundation $apple"
      ;;
    PhotoLibrary) echo "CropCore CropImaging GRDB Crypto $system" ;;
    CropServer) echo "CropCore CropImaging PhotoLibrary CPage $web $system" ;;
    CropArguments) echo "CropImaging ArgumentParser $system" ;;
    cropkit) echo "CropArguments CropCore CropImaging ArgumentParser $system" ;;
    cropkit-server)
      echo "CropArguments CropServer CropImaging CQREncode ArgumentParser Logging $system"
      ;;
    cropkit-worker) echo "CropImaging CropPixels $system" ;;
    CropABI) echo "CropCore CropJPEG" ;;
    CropWasm | CropReplay) echo "CropABI" ;;
    jpegcut) echo "CropCore CropJPEG $system" ;;
    FuzzDriver) echo "Glibc" ;;
    FuzzJPEG | FuzzMetadata) echo "FuzzDriver CropCore CropJPEG $system" ;;
    FuzzHeaders) echo "FuzzDriver CropCore CropImaging $system" ;;
    FuzzRecipe) echo "FuzzDriver CropCore $system" ;;
    bench) echo "$system" ;;
    interaction) echo "CropCore" ;;
    JPEGWasm) echo "CropCore CropJPEG" ;;
    # A test may see what its module sees, the module itself, and how to test.
    TestMaterial) echo "$system" ;;
    WorkerProbe) echo "CropImaging CropCore $system" ;;
    CropPixelsTests) echo "Testing TestMaterial CropPixels CropImaging CropCore CVips $system" ;;
    ToolsTests)
      echo "Testing cropkit CropArguments CropServer PhotoLibrary CropImaging CropCore $system"
      ;;
    *Tests) echo "Testing TestMaterial ${1%Tests} $(allowed "${1%Tests}") $system" ;;
    *) return 1 ;;
  esac
}

module_of() {
  case $1 in
    */Package.swift | Package.swift) echo manifest ;;
    Examples/*) sed -E 's,.*/([^/]*)\.swiftpm/.*,\1,' <<<"$1" ;;
    Sources/* | Tests/*) cut -d/ -f2 <<<"$1" ;;
    */Sources/* | */Tests/*) sed -E 's,.*/(Sources|Tests)/([^/]*)/.*,\2,' <<<"$1" ;;
    *) echo unknown ;;
  esac
}

files=0 imports=0 wrong=0
while IFS= read -r -d '' file; do
  [ -e "$file" ] || continue
  files=$((files + 1))
  module=$(module_of "$file")
  if [ "$module" = manifest ]; then
    may="PackageDescription"
    [[ "$file" == *.swiftpm/Package.swift ]] && may="PackageDescription AppleProductTypes"
  elif ! may=$(allowed "$module"); then
    echo "layering: $file: module $module is not in the table of Scripts/layering.sh" >&2
    wrong=$((wrong + 1))
    continue
  fi
  # One file of the core reaches the C library's mathematics.
  [ "$file" = Sources/CropCore/Geometry/LibM.swift ] && may="Glibc Darwin Musl"
  while IFS=: read -r line import; do
    [ -n "$line" ] || continue
    imports=$((imports + 1))
    if [[ " $may " != *" $import "* ]]; then
      echo "layering: $file:$line: $module may not import $import" >&2
      wrong=$((wrong + 1))
    fi
  done < <(awk '
    {
      text = $0
      sub(/\/\/.*/, "", text)
      count = split(text, statements, ";")
      for (i = 1; i <= count; i++) {
        statement = statements[i]
        if (statement !~ /^[ \t]*([@a-zA-Z_]+(\([a-zA-Z_]*\))?[ \t]+)*import[ \t]/) continue
        sub(/.*[ \t]import[ \t]+|^import[ \t]+/, "", statement)
        sub(/^(struct|class|enum|protocol|func|var|let|typealias)[ \t]+/, "", statement)
        gsub(/`/, "", statement)
        sub(/[. \t].*/, "", statement)
        print NR ":" statement
      }
    }' "$file")
done < <(git ls-files -z --cached --others --exclude-standard '*.swift')

[ "$imports" -gt 50 ] || {
  echo "layering: only $imports imports found; is this the whole repository?" >&2
  exit 1
}
if [ "$wrong" -gt 0 ]; then exit 1; fi
echo "layering: $imports imports in $files files checked"
