#!/usr/bin/env bash
# Measures speed. The benchmarks are a package of their own, so that nothing else depends on them.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ ! -e Benchmarks/Package.swift ]; then
  echo "bench: there are no benchmarks yet"
  exit 0
fi
swift run --package-path Benchmarks -c release "$@"
