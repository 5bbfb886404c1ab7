#!/usr/bin/env bash
# Feeds damaged bytes to a parser under AddressSanitizer, our C included: fuzz.sh TARGET [SECONDS]
# Targets: FuzzJPEG, FuzzMetadata, FuzzHeaders, FuzzPixels, FuzzRecipe, FuzzSidecars.
# Findings are written to .build/fuzz. Minimize them and add them to the corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-FuzzJPEG} seconds=${2:-60}
case $target in
  FuzzMetadata) corpus=Fuzz/Corpora/Metadata ;;
  FuzzHeaders | FuzzPixels) corpus=Fuzz/Corpora/Headers ;;
  FuzzRecipe) corpus=Fuzz/Corpora/Recipes ;;
  FuzzSidecars) corpus=Fuzz/Corpora/Sidecars ;;
  *) corpus=Fuzz/Corpora/JPEG ;;
esac
swift build --package-path Fuzz --scratch-path .build/fuzz -c release --product "$target" \
  -Xswiftc -sanitize=fuzzer,address -Xswiftc -DFUZZER -Xswiftc -use-ld=lld \
  -Xcc -fsanitize=address -Xcc -fno-omit-frame-pointer
mkdir -p ".build/fuzz/$target"
exec .build/fuzz/release/"$target" ".build/fuzz/$target" "$corpus" \
  -max_total_time="$seconds" -max_len=8192 -timeout=5 -rss_limit_mb=1024 \
  -artifact_prefix=".build/fuzz/found-$target-"
