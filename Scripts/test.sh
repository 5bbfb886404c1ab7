#!/usr/bin/env bash
# Runs the checks and tests: test.sh [all]
#
# First what a contributor needs before a commit; with "all" also all others: further parameters, slow tests,
# faults and kills, the optimized programs and their packages, the documentation. CROPKIT_MINUTES is the time that
# they may take together: steps that are not expected to finish in it are left out, and reported.
#
# Prints one line per step. A failed step shows its errors and the path of its log, and the others continue.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$PWD/.build/test-logs
rm -rf "$logs"
export CROPKIT_RESULTS=$logs/results PYTHONDONTWRITEBYTECODE=1 CROPKIT_DEVELOPMENT=1
mkdir -p "$CROPKIT_RESULTS"

# Runs one step silently: step NAME COMMAND...
step() {
  local name=$1 start=$SECONDS log
  log=$logs/$(tr -c 'a-zA-Z0-9\n' - <<<"$name").log
  shift
  if "$@" >"$log" 2>&1 </dev/null; then
    printf 'ok %5d s  %s\n' $((SECONDS - start)) "$name"
  else
    touch "$logs/failed"
    printf 'FAILED %d s  %s: %s\n' $((SECONDS - start)) "$name" "$log"
    grep -E '✘|error:|^FAILED|^ERROR|WRONG|^not ok' "$log" | head -40
    echo "--- its last lines"
    tail -25 "$log"
    echo "---"
    return 1
  fi
}

# Runs a step that all later steps need.
need() {
  step "$@" && return
  echo "0 passed, 1 failed"
  exit 1
}

# What the first part takes from a fresh clone on two idle cores, in minutes.
usual=15
# Runs a step if the time suffices for the minutes that it takes on two idle cores: later MINUTES NAME COMMAND...
# A machine on which the first part took longer than usual is as slow in the others.
later() {
  local minutes=$(($1 * (first > usual * 60 ? first : usual * 60) / (usual * 60)))
  if [ -n "${CROPKIT_MINUTES:-}" ] && [ $((SECONDS / 60 + minutes)) -gt "$CROPKIT_MINUTES" ]; then
    echo "left out     $2 ($minutes minutes; make test-all runs it)"
    return 1
  else
    step "${@:2}"
  fi
}

layers_format_and_types() {
  Scripts/layering.sh && Scripts/format.sh && Scripts/types.sh && node Scripts/words.mjs --check \
    && node Scripts/prose.mjs && node Scripts/doc-links.mjs && node Scripts/reference.mjs --check
}
swift_tests() {
  Scripts/swift.sh test --skip-build --xunit-output "$CROPKIT_RESULTS/swift${CROPKIT_TEST_ALL:+-all}.xml"
}
views() {
  swift test --package-path Checks/UIKitStub --skip-build --xunit-output "$CROPKIT_RESULTS/views.xml"
}
# Tests under node, with results of this name: node_tests NAME FILE...
node_tests() {
  node --test --test-reporter spec --test-reporter-destination stdout \
    --test-reporter junit --test-reporter-destination "$CROPKIT_RESULTS/$1.xml" "${@:2}"
}
wasm_under_node() {
  CROPKIT_REPLAY=$CROPKIT_BIN/CropReplay node_tests node Web/Tests/*.test.mjs
}
all_wasm_under_node() {
  CROPKIT_REPLAY=$CROPKIT_BIN/CropReplay node_tests node-all Web/Tests/{parity,program*}.test.mjs
}
tls() {
  swift build --package-path Tools --scratch-path .build/tls --traits TLS --product cropkit-server \
    && swift build --package-path Tools --scratch-path .build/tls --traits TLS --product cropkit \
    && python3 Tests/tls.py .build/tls/debug
}
optimized() {
  local folder
  folder=$(mktemp -d)
  make build && bin/cropkit crop Samples/lake-at-dusk.jpg --aspect 1:1 -o "$folder/square.jpg" && rm -r "$folder"
}
packages_of_optimized() {
  CROPKIT_BIN=$PWD/Tools/.build/release Scripts/packaging.sh licenses \
    && CROPKIT_BIN=$PWD/bin Scripts/packaging.sh release wheel service proxies life container
}

Scripts/deps.sh "${1:+test-}${1:-test}" || need "what is needed" false
export CROPKIT_IMAGES=${CROPKIT_IMAGES:-$PWD/../shared/images} CROPKIT_BIN=$PWD/Tools/.build/debug
[ -e "$CROPKIT_IMAGES/INDEX.tsv" ] || echo "SKIPPED: tests over pictures; none in $CROPKIT_IMAGES" | tee "$logs/pictures.log"
Scripts/links.sh
# All of the following need it.
need "generated code" Scripts/tables.sh
step "layers, format and types" layers_format_and_types &
# Beside each other, since the modules of each are compiled one after another.
step "build the views for iOS" swift build --package-path Checks/UIKitStub --build-tests &
views=$!
need "build the programs and their tests" Scripts/build.sh --build-tests
wait "$views" || need "the views for iOS" false
export CROPKIT_BUILT=1

# Two lanes, since most steps of the second keep only one core busy.
short=(-m "not thorough")
{
  step "the page and the element in a browser" Scripts/browser-tests.sh all "${short[@]}"
  step "the Python package" Scripts/python-tests.sh "${short[@]}"
  step "manual pages, completions, files for desktops" Scripts/packaging.sh words desktop
  step "the WebAssembly modules under node" wasm_under_node
} &
{
  step "the libraries and the programs" swift_tests
  step "the views for iOS, against stand-ins for Apple's SDK" views
  step "what Objective-C sees of the views" Scripts/objc-header.sh
  step "the views as Apple's compiler checks them" Scripts/availability.sh
  step "the public declarations of the views" Scripts/public-api.sh
  step "other programs' results" Scripts/peers.sh "${short[@]}"
} &
wait
first=$SECONDS

if [ "${1:-}" = all ]; then
  export CROPKIT_TEST_ALL=1
  rest=(-m thorough)
  # The short ones come first, so that a machine with little time does most of them.
  later 2 "the Python package: the rest" Scripts/python-tests.sh "${rest[@]}"
  later 2 "a package that uses only the core, the cutter and the views" Scripts/consumer.sh
  later 4 "the WebAssembly modules under Node, Bun and Deno: the rest" all_wasm_under_node
  later 3 "the documentation" Scripts/docs.sh
  later 4 "faults, kills, batches, names and numbers" env ${CROPKIT_SOAK:+CROPKIT_BIN="$PWD/bin"} Scripts/soak.sh
  # Of the long ones, the one that fails most often is first.
  later 18 "all of the page and the element in the whole browser" Scripts/browser-tests.sh all
  later 10 "other programs' results: the rest" Scripts/peers.sh "${rest[@]}"
  later 12 "the libraries and the programs: all cases" swift_tests
  if later 8 "the optimized programs" optimized; then
    later 5 "packages and services" packages_of_optimized
    later 4 "Debian 13" env CROPKIT_BIN="$PWD/bin" Scripts/systems.sh trixie
  fi
  later 8 "TLS" tls
fi

Scripts/results.py "$CROPKIT_RESULTS" && [ ! -e "$logs/failed" ]
