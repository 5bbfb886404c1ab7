#!/usr/bin/env bash
# Checks the imports of Swift files and of the page's scripts. Dependencies only go one way.
set -euo pipefail
cd "$(dirname "$0")/.."
node Scripts/swift-layering.mjs
Scripts/tables.sh
Scripts/page-layering.mjs
