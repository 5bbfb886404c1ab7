#!/usr/bin/env bash
# Installs the output of `make build`: install.sh PREFIX [FOLDER]; FOLDER contains the programs (default: bin).
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${1:?"install: usage: install.sh PREFIX"}

Scripts/stage.sh "$prefix" "${2:-bin}"
# The folder in which zsh searches in /usr/local; Debian's packages use the other one.
install -D -m 644 -t "$prefix/share/zsh/site-functions" "$prefix/share/zsh/vendor-completions/_cropkit"
echo "install: cropkit is in $prefix/bin"
