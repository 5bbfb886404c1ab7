#!/usr/bin/env bash
# Measures speed and memory compared with peers, and prints each ratio with its goal. The benchmarks are a
# separate package, so that nothing else depends on them.
# bench.sh [--rounds N] [--large] [--cutter] [--batch]: --large adds 49 and 195 megapixels, --cutter only
# measures the cutter, --batch a batch of 200 crops (its peers: Benchmarks/requirements.txt). CROPKIT is the
# measured program (default: bin/cropkit).
set -euo pipefail
cd "$(dirname "$0")/.."
# Linked statically, to compare the work and not the loading of libraries.
swift build --package-path Benchmarks -c release -Xswiftc -static-executable --product bench
swift build --package-path Benchmarks -c release -Xswiftc -static-executable --product jpegcut
date -u +"%F %R UTC, load $(cut -d' ' -f1 /proc/loadavg) on $(nproc) cores"
Benchmarks/.build/release/bench "${@/--batch/}" 2>/dev/null
case " $* " in *" --batch "*)
  python=Benchmarks/.venv/bin/python
  [ -x $python ] || { python3 -m venv Benchmarks/.venv && Benchmarks/.venv/bin/pip install -qr Benchmarks/requirements.txt; }
  $python Benchmarks/batch.py 3 ;;
esac
