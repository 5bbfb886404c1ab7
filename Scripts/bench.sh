#!/usr/bin/env bash
# Measures speed. The benchmarks are a package of their own, so that nothing else depends on them.
# bench.sh [--rounds N] [--large] [--program]
set -euo pipefail
cd "$(dirname "$0")/.."
# Linked statically: what is compared is work, not the loading of libraries.
swift build --package-path Benchmarks -c release -Xswiftc -static-executable
exec Benchmarks/.build/release/bench "$@"
