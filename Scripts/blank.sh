#!/usr/bin/env bash
# Blanks what the Swift compiler notes down in a program of how it was called: blank.sh PROGRAM...
#
# .swift_modhash holds a digest of what each module was made of, the folder's path among it. Only the compiler
# reads it, in objects, to see whether they are up to date.
set -euo pipefail
for program in "$@"; do
  read -r offset size < <(readelf -SW "$program" \
    | sed -n 's/.* \.swift_modhash *PROGBITS *[0-9a-f]* *\([0-9a-f]*\) *\([0-9a-f]*\) .*/\1 \2/p') || {
    echo "blank: $program has no .swift_modhash" >&2
    exit 1
  }
  dd if=/dev/zero of="$program" bs=1 seek=$((16#$offset)) count=$((16#$size)) conv=notrunc status=none
done
