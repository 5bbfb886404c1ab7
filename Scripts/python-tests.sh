#!/usr/bin/env bash
# Checks and tests the Python package, including a small Spark job: python-tests.sh [pytest arguments]
# CROPKIT_BIN is the folder of the programs (default: Tools/.build/debug).
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/tables.sh
venv=$PWD/.build/python
# Spark is large, its tests are all thorough; so is the second type checker.
lists=(Python/tests/requirements.txt)
[ -z "${CROPKIT_TEST_ALL:-}" ] || lists+=(Python/tests/requirements-all.txt)
for list in "${lists[@]}"; do
  if [ ! -x "$venv/bin/pip" ]; then python3 -m venv "$venv"; fi
  if ! cmp -s "$list" "$venv/$(basename "$list")"; then
    "$venv/bin/pip" install -q --disable-pip-version-check -r "$list" >"$venv/pip.log" 2>&1 \
      && cp "$list" "$venv" || { cat "$venv/pip.log"; echo "python: $list can't be installed"; }
  fi
done
export CROPKIT_BIN PYTHONDONTWRITEBYTECODE=1
CROPKIT_BIN=$(realpath "${CROPKIT_BIN:-Tools/.build/debug}")
cd Python

"$venv/bin/ruff" check --no-cache .
"$venv/bin/ruff" format --check --no-cache .
sources=(src hatch_build.py tests/usage.py ../Examples/spark)
pyright=(src hatch_build.py tests/usage.py)
skipped=()
if ! "$venv/bin/python" -c 'import pyspark, pyarrow' 2>/dev/null || ! command -v java >/dev/null; then
  [ -z "${CROPKIT_TEST_ALL:-}" ] || echo "SKIPPED: jobs on Spark; pyspark or java is missing"
  skipped=(--ignore tests/test_spark.py --ignore tests/test_spark_stores.py)
  sources=(--exclude src/cropkit/spark src tests/usage.py)
  pyright=(src/cropkit/*.py src/cropkit/_engine hatch_build.py tests/usage.py)
fi
"$venv/bin/mypy" --cache-dir ../.build/mypy "${sources[@]}"
[ -z "${CROPKIT_TEST_ALL:-}" ] || "$venv/bin/basedpyright" --pythonpath "$venv/bin/python" "${pyright[@]}"
status=0
PYTHONPATH=src:../Tests "$venv/bin/pytest" -q -rs -p short_run ${CROPKIT_RESULTS:+--junitxml "$CROPKIT_RESULTS/python${CROPKIT_TEST_ALL:+-rest}.xml"} \
  "${skipped[@]}" "$@" || status=$?
# No test may be left for a part of a run.
[ $status = 5 ] || exit $status
