#!/usr/bin/env bash
# Runs the checks and tests: test.sh [all]. Without "all", only the fast ones. Prints one line per step; a
# failed step shows its errors and the path of its log, and the others continue. Skipped steps are reported.
set -uo pipefail
cd "$(dirname "$0")/.."
soon=(-m "not thorough")
if [ "${1:-}" = all ]; then
  export CROPKIT_TEST_ALL=1
  soon=()
fi
logs=.build/test-logs
rm -rf "$logs"
mkdir -p "$logs"

# Runs one step silently: step NAME COMMAND...
step() {
  local name=$1 start=$SECONDS log
  log=$logs/$(tr -c 'a-zA-Z0-9\n' - <<<"$name").log
  shift
  if "$@" >"$log" 2>&1 </dev/null; then
    printf 'ok %5d s  %s\n' $((SECONDS - start)) "$name"
    {
      grep -hE '^(SKIPPED|UNSTEADY)' "$log"
      # Of a test with many parameters only the first two run, and thorough ones are left out; this reports
      # that.
      sed -nE 's/^(=+ )?[0-9]+ (passed|failed).* ([0-9]+) deselected.*/SKIPPED: \3 further parameters and thorough tests; make test-all runs them/p' \
        "$log" | head -1
    } | sed 's/^/            /'
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
  step "$@" || {
    echo "0 passed, 1 failed"
    exit 1
  }
}

layers_format_and_types() {
  Scripts/layering.sh && Scripts/format.sh && Scripts/types.sh && node Scripts/words.mjs --check \
    && node Scripts/prose.mjs
}
wasm_under_node() {
  swift build --package-path Web --scratch-path .build/web -c release --product CropReplay \
    && CROPKIT_REPLAY=$PWD/.build/web/release/CropReplay node --test Web/Tests/*.test.mjs
}
tls() {
  swift build --package-path Tools --scratch-path .build/tls --traits TLS --product cropkit-server \
    && swift build --package-path Tools --scratch-path .build/tls --traits TLS --product cropkit \
    && python3 Tests/tls.py .build/tls/debug
}
# The tests run unoptimized programs; this shows that the others compile and start.
optimized() {
  local folder
  folder=$(mktemp -d)
  make build && bin/cropkit crop Samples/lake-at-dusk.jpg --aspect 1:1 -o "$folder/square.jpg" && rm -r "$folder"
}

need "what is needed" Scripts/deps.sh test
export CROPKIT_IMAGES=${CROPKIT_IMAGES:-$PWD/../shared/images} CROPKIT_BIN=$PWD/Tools/.build/debug
[ -e "$CROPKIT_IMAGES/INDEX.tsv" ] || echo "SKIPPED: tests over pictures; none in $CROPKIT_IMAGES"
Scripts/links.sh
need "layers, format and types" layers_format_and_types
need "build the page and its WebAssembly modules" Scripts/page.sh
need "build the libraries" swift build --build-tests
need "build the programs" swift build --package-path Tools --build-tests
need "build the views for iOS" swift build --package-path Checks/UIKitStub --build-tests

# Two lanes for at least two cores: most steps keep only one busy.
{
  if [ -n "${CROPKIT_TEST_ALL:-}" ]; then
    step "page and element in a browser" Scripts/browser-tests.sh
  else
    step "the page in a browser" Scripts/browser-tests.sh page "${soon[@]}"
  fi
  step "the WebAssembly modules under node" wasm_under_node
  if [ -n "${CROPKIT_TEST_ALL:-}" ]; then
    step "TLS" tls
    step "the optimized programs" optimized
  fi
} &
{
  step "the libraries" swift test --skip-build
  step "the views for iOS, against stand-ins for Apple's SDK" \
    swift test --package-path Checks/UIKitStub --skip-build
  step "what Objective-C sees of the views" Scripts/objc-header.sh
  step "the public declarations of the views" Scripts/public-api.sh
  step "the programs" swift test --package-path Tools --skip-build
  step "manual pages, completions, packages" Scripts/packaging.sh
  step "the Python package" Scripts/python-tests.sh
  step "other programs' results" Scripts/peers.sh "${soon[@]}"
  [ -n "${CROPKIT_TEST_ALL:-}" ] || step "the element in a browser" Scripts/browser-tests.sh element "${soon[@]}"
  if [ -n "${CROPKIT_TEST_ALL:-}" ]; then
    # Millions of lines: minutes with release builds of the programs, otherwise half an hour.
    programs=$CROPKIT_BIN
    [ -z "${CROPKIT_SOAK:-}" ] || [ ! -x bin/cropkit-server ] || programs=$PWD/bin
    step "faults, kills, batches, names and numbers" env CROPKIT_BIN="$programs" Scripts/soak.sh
    step "the documentation" Scripts/docs.sh
    step "a package that uses only the core, the cutter and the views" Scripts/consumer.sh
  fi
} &
wait

# The sum of the counts of Swift Testing, pytest and node.
read -r passed failed < <(
  cat "$logs"/*.log | sed -nE \
    -e 's/.*Test run with ([0-9]+) tests? .* passed after.*/\1 0/p' \
    -e 's/.*Test run with ([0-9]+) tests? .* failed after.* with ([0-9]+) issues?.*/\1 \2/p' \
    -e 's/^# pass ([0-9]+)$/\1 0/p' -e 's/^# fail ([0-9]+)$/0 \1/p' \
    -e 's/^(=+ )?([0-9]+) failed, ([0-9]+) passed.*/\3 \2/p' -e 's/^(=+ )?([0-9]+) passed.*/\2 0/p' \
    -e 's/^[a-z]+: ([0-9]+) checked, ([0-9]+) wrong.*/\1 \2/p' \
    | awk '{ passed += $1; failed += $2 } END { print passed + 0, failed + 0 }')
# Tests that passed only on a retry are reported; two of them, in any steps, fail the run.
unsteady=$(cat "$logs"/*.log | grep -c '^UNSTEADY')
if [ "$unsteady" -gt 0 ]; then
  echo "passed only when tried again ($unsteady; at most 1 may):"
  cat "$logs"/*.log | sed -n 's/^UNSTEADY: /  /p'
  if [ "$unsteady" -gt 1 ]; then touch "$logs/failed"; fi
fi
if [ -e "$logs/failed" ]; then
  [ "$failed" -gt 0 ] || failed=1
  echo "$passed passed, $failed failed"
  exit 1
fi
echo "$passed passed, 0 failed"
