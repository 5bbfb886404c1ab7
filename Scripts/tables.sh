#!/usr/bin/env bash
# Generates the code that is not checked in: words, and tables from the descriptions.
set -euo pipefail
cd "$(dirname "$0")/.."
for script in words interface schema; do node "Scripts/$script.mjs" --build; done
