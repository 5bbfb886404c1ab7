#!/usr/bin/env bash
# Installs what `make build` built: install.sh PREFIX
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?"install: say where to: install.sh PREFIX"}

for program in cropkit cropkit-server cropkit-worker; do
  [ -x "bin/$program" ] || {
    echo "install: bin/$program is missing; run: make build" >&2
    exit 1
  }
done

install -d "$prefix/bin" "$prefix/libexec/cropkit" "$prefix/share/cropkit/samples"
install -m 755 bin/cropkit "$prefix/bin/"
install -m 755 bin/cropkit-server bin/cropkit-worker "$prefix/libexec/cropkit/"
find Samples -maxdepth 1 -type f ! -name '*.md' \
  -exec install -m 644 -t "$prefix/share/cropkit/samples" {} +
echo "install: cropkit is in $prefix/bin"
