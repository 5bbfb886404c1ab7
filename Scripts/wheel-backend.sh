# Sourced by wheel.sh and wheel-any.sh: pack_wheel PACKAGE FOLDER

# The package that builds wheels, in a separate environment.
pack_wheel() {
  local venv=.build/wheel backend
  backend=$(sed -nE 's/^requires = \["(.*)"\]$/\1/p' Python/pyproject.toml)
  if [ "$(cat $venv/backend 2>/dev/null)" != "$backend" ]; then
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check "$backend"
    echo "$backend" >"$venv/backend"
  fi
  "$venv/bin/pip" wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$2" "$1"
}
