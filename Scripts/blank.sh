#!/usr/bin/env bash
# Removes what the Swift compiler stores in a program about its invocation: blank.sh PROGRAM...
#
# .swift_modhash contains a digest of each module's inputs, including the folder's path. Only the compiler reads
# it, in object files, to check whether they are up to date.
set -euo pipefail
for program in "$@"; do
  read -r offset size < <(readelf -SW "$program" \
    | sed -n 's/.* \.swift_modhash *PROGBITS *[0-9a-f]* *\([0-9a-f]*\) *\([0-9a-f]*\) .*/\1 \2/p') || {
    echo "blank: $program has no .swift_modhash" >&2
    exit 1
  }
  dd if=/dev/zero of="$program" bs=1 seek=$((16#$offset)) count=$((16#$size)) conv=notrunc status=none
done
