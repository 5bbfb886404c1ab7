#!/usr/bin/env bash
# Generates the code that is not checked in: words, the messages of the modules, and tables of formats and options.
set -euo pipefail
cd "$(dirname "$0")/.."
for script in words interface schema; do node "Scripts/$script.mjs" --build; done
