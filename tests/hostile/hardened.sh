#!/usr/bin/env bash
# A program is built as distributions build what reads files of others: wherever it is loaded, its
# tables are read-only before it begins, and functions look at their stack and their buffers.
# Usage: hardened.sh PROGRAM
set -euo pipefail
headers=$(readelf -lW "$1")
flags=$(readelf -dW "$1")
symbols=$(nm -D --undefined-only "$1")
has() { grep -q -- "$2" <<<"$1" || { echo "$3"; exit 1; }; }
has "$headers" GNU_RELRO "tables stay writable: no -z relro"
has "$flags" BIND_NOW "functions are bound late: no -z now"
has "$flags" PIE "the program has one place: no PIE"
has "$symbols" __stack_chk_fail "no function looks at its stack: no -fstack-protector-strong"
has "$symbols" _chk "no call looks at its buffer: no _FORTIFY_SOURCE"
if grep -qE 'GNU_STACK .* RWE' <<<"$headers"; then
  echo "the stack can be executed"
  exit 1
fi
