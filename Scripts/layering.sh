#!/usr/bin/env bash
# Checks all imports of Swift files against the table of modules, and those of the page's scripts. Dependencies only
# go one way.
set -euo pipefail
cd "$(dirname "$0")/.."

# Groups of modules in the tables of ARCHITECTURE.md. Foundation would add 34 MB of tables to cropkit and its
# worker, so that these may only import the light ones.
light="FoundationEssentials Glibc Dispatch Synchronization"
system="Foundation $light"
apple="UIKit SwiftUI AVFoundation Photos PhotosUI ImageIO CoreGraphics QuartzCore"
apple="$apple UniformTypeIdentifiers Combine MacTypes"
web="Hummingbird HummingbirdCore HummingbirdTLS HTTPTypes NIOCore NIOHTTP1 NIOHTTPTypes NIOSSL"
web="$web NIOHTTPTypesHTTP1 Logging CoreMetrics ServiceLifecycle NIOExtras NIOPosix"

# The allowed imports of each module.
declare -A table
while IFS='|' read -r _ names _ may _; do
  may=${may//\`/}
  may=${may//\*light\*/$light}
  may=${may//\*system\*/$system}
  may=${may//\*apple\*/$apple}
  may=${may//\*web\*/$web}
  for name in ${names//\`/}; do table[$name]=$may; done
done < <(sed -n '/^| Module |/,/^$/p' ARCHITECTURE.md | grep '^| `')
[ ${#table[@]} -gt 20 ] || {
  echo "layering: only ${#table[@]} modules found in the tables of ARCHITECTURE.md" >&2
  exit 1
}

# A test may import the same modules as its module, the module itself, and test libraries.
allowed() {
  case $1 in
    DemoTests) echo "Testing CropDemo CropCore CropSamples CropUIKit UIKit Foundation" ;;
    CropSimulatorTests) echo "Testing CropCore CropSamples CropUIKit Foundation $apple" ;;
    CropUIKitTests | ReplayTests)
      echo "Testing TestMaterial CheckedCropUIKit CheckedCropSamples CropCore CropJPEG Foundation $apple"
      ;;
    ToolsTests)
      echo "Testing TestMaterial cropkit cropkit_server CropArguments CropServer Logging PhotoLibrary CropImaging CropCore $system"
      ;;
    CropCoreTests) echo "Testing TestMaterial CropCore CropKernels $system" ;;
    CropImagingTests) echo "CropMetadata Testing TestMaterial CropImaging $(allowed CropImaging) $system" ;;
    *Tests)
      echo "Testing TestMaterial ${1%Tests} $(allowed "${1%Tests}") $system"
      ;;
    *)
      [ -n "${table[$1]+there}" ] || return 1
      echo "${table[$1]}"
      ;;
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
    echo "layering: $file: module $module is not in a table of ARCHITECTURE.md" >&2
    wrong=$((wrong + 1))
    continue
  fi
  # One file of the core uses the C library's mathematics.
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
Scripts/tables.sh
Scripts/page-layering.mjs
