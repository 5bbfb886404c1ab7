#!/usr/bin/env bash
# Prints the section of CHANGELOG.md for this version, or the unreleased changes.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(Scripts/version.sh)
heading=$(grep -m 1 -E "^## ${version//./\\.}( |$)" CHANGELOG.md || grep -m 1 '^## Unreleased$' CHANGELOG.md) || {
  echo "changes: CHANGELOG.md has no section for $version" >&2
  exit 1
}
echo "# CropKit $version"
awk -v heading="$heading" '/^## / { isIt = $0 == heading; next } isIt' CHANGELOG.md
