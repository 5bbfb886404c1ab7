#!/usr/bin/env bash
# Runs the tests in a real browser: browser-tests.sh [page|element|all] [pytest arguments]
# Default: both the page and the element. CROPKIT_BROWSERS is the number of browsers at a time (default: 2). With
# CROPKIT_BUILT, the element and the site in dist/ are up to date. CROPKIT_RESULTS is a folder for the
# results as JUnit XML: browser-PART.xml and, if tests failed, browser-PART-again.xml, in which those that were tried
# again are.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! compgen -G 'Tests/Browser/test_*.py' >/dev/null; then
  echo "browser: no tests in Tests/Browser; skipped"
  exit 0
fi
venv=.build/venv
wanted=Tests/Browser/requirements.txt
if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r "$wanted"
  # This package contains Vue's browser build; it is only downloaded, not installed.
  "$venv/bin/pip" download -q --disable-pip-version-check --no-deps -d "$venv/vue" nicegui \
    || echo "browser: no browser build of Vue can be fetched; its test is skipped"
  cp "$wanted" "$venv/requirements.txt"
fi
# Once and before the tests: each of them may use what this builds.
if [ -z "${CROPKIT_BUILT:-}" ]; then
  Scripts/site.sh
  Scripts/package.sh program
fi
export CROPKIT_BIN=${CROPKIT_BIN:-$PWD/bin}
# Chromium's shell without windows has the same engine and takes half the time. All tests run in the whole browser.
shell=$(command -v chromium-headless-shell) || shell=
[ -z "${CROPKIT_TEST_ALL:-}" ] || shell=
export CROPKIT_CHROMIUM=${CROPKIT_CHROMIUM:-${shell:-$(command -v chromium)}}
element=(Tests/Browser/test_{element,engines,frameworks,site}.py
  Tests/Browser/test_package{,_answers,_bundles,_events,_fields,_forms,_guides,_looks,_preview,_snippets,_sources,_types}.py)
part=${1:-}
case $part in
  page) set -- Tests/Browser "${element[@]/#/--ignore=}" "${@:2}" ;;
  element) set -- "${element[@]}" "${@:2}" ;;
  all) set -- Tests/Browser "${@:2}" ;;
  *) part=all && set -- Tests/Browser "$@" ;;
esac
export PYTHONPATH=$PWD/Tests
pytest=("$venv/bin/pytest" -q -p short_run -o "cache_dir=$PWD/.build/pytest-$part" -o "junit_suite_name=browser-$part")
# Runs the tests: run NAME [pytest arguments]
run() {
  "${pytest[@]}" ${CROPKIT_RESULTS:+--junitxml "$CROPKIT_RESULTS/browser-$1.xml"} "${@:2}"
}
# A worker that has no tests left takes some of the other's.
together=(-n "${CROPKIT_BROWSERS:-2}" --dist worksteal)
label=$part${CROPKIT_TEST_ALL:+-whole}
status=0
run "$label" -rs "${together[@]}" "$@" || status=$?
[ $status = 1 ] || exit $status
# Browser tests can be flaky. Failed tests are retried once, separately; those that pass then are listed, and
# more than one such test fails the run.
run "$label-again" -rp --last-failed --last-failed-no-failures none "$@" | sed 's/^PASSED /UNSTEADY: /' \
  | awk '{ print } /^UNSTEADY/ { count++ } END {
      if (count > 1) { print "error: " count " tests passed only when tried again; at most one may"; exit 1 }
    }'
