#!/usr/bin/env bash
# Builds or tests the development build of all programs and libraries: swift.sh build|test|run [arguments of SwiftPM]
# `make run`, `make cli` and `make test` share it: checks are on, warnings are errors, and the modules that loop
# over pixels are optimized. The programs are in Tools/.build/debug.
set -euo pipefail
cd "$(dirname "$0")/.."
export CROPKIT_DEVELOPMENT=1
command=$1
shift
Scripts/tables.sh
# What SwiftPM and the driver print about third-party packages, and about modules that are optimized as a whole.
noise="prohibited flag\(s\): -pthread|found 1 file\(s\) which are unhandled|/CMakeLists.txt$"
noise="$noise|'-whole-module-optimization' was also specified|not compatible with whole module optimization"
exec swift "$command" --package-path Tools "$@" 2> >(grep -vE "$noise" >&2) 1> >(grep --line-buffered -vE "$noise")
