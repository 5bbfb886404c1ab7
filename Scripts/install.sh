#!/usr/bin/env bash
# Installs what `make build` built: install.sh PREFIX [FOLDER]; FOLDER holds the programs (bin).
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?"install: say where to: install.sh PREFIX"}

Scripts/stage.sh "$prefix" "${2:-bin}"
# Where zsh looks in /usr/local; Debian's packages have the other folder.
install -D -m 644 -t "$prefix/share/zsh/site-functions" "$prefix/share/zsh/vendor-completions/_cropkit"
echo "install: cropkit is in $prefix/bin"
