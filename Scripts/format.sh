#!/usr/bin/env bash
# Checks the format of all Swift files, and that none was missed.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -d '' files < <(git ls-files -z --cached --others --exclude-standard '*.swift' |
  while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done)
[ ${#files[@]} -gt 50 ] || {
  echo "format: only ${#files[@]} Swift files found; is this the whole repository?" >&2
  exit 1
}
swift format lint --strict --parallel "${files[@]}"
echo "format: ${#files[@]} files checked"
