#!/usr/bin/env bash
# Feeds a parser with damaged bytes under AddressSanitizer: fuzz.sh TARGET [SECONDS]
# What is found is written beside this repository's Fuzz/Corpus and belongs there, made small.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:-FuzzJPEG} seconds=${2:-60}
swift build --package-path Fuzz --scratch-path .build/fuzz -c release --product "$target" \
  -Xswiftc -sanitize=fuzzer,address -Xswiftc -DFUZZER -Xswiftc -use-ld=lld
mkdir -p .build/fuzz/corpus
exec .build/fuzz/release/"$target" .build/fuzz/corpus Fuzz/Corpus \
  -max_total_time="$seconds" -max_len=8192 -timeout=5 -rss_limit_mb=1024 \
  -artifact_prefix=.build/fuzz/found-
