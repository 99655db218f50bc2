#!/usr/bin/env bash
# A weak function compiled for AVX-512 could be the one that the linker keeps for everybody: the
# files that are compiled for one instruction set must define nothing that the linker may choose, but
# functions of types that are theirs alone (Packed, Quad) and of integers (the size of a span).
# Usage: instruction_sets_stay_apart.sh LIBRARY
set -euo pipefail

symbols=$(nm -C "$1" 2>/dev/null | awk '/^(run_[a-z0-9]*|packed_arm)\.cpp\.o:$/ {inside = 1; print; next}
                                        /^[^ ]*:$/ {inside = 0}
                                        inside && NF {print "  " $0}')
files=$(grep -cE '^(run_|packed_)' <<<"$symbols" || true)
if [ "$files" -ne 4 ]; then
  echo "found $files of the 4 files run_baseline, run_avx2, run_avx512, packed_arm in $1"
  exit 1
fi
# Names of types are data, the same for every machine; clang's sanitizers write them.
if grep -E ' [WVu] ' <<<"$symbols" | grep -vE ' V typeinfo |Packed|armdyn::Quad|std::span<|__extent_storage|__cust::'; then
  echo "the above may be taken for another machine; put it into an unnamed namespace"
  exit 1
fi
# A vector in a register is returned there by files compiled for AVX2, and in memory by others.
returning() {
  nm -C "$1" 2>/dev/null | awk -v of_texts="$2" '/^[^ ]*:$/ {inside = ($0 == "packed_arm.cpp.o:") == of_texts}
      inside' | grep -oE ' W armdyn::Vec<armdyn::(Packed|Quad)> .*' | sort -u
}
if comm -12 <(returning "$1" 1) <(returning "$1" 0) | grep .; then
  echo "the above return a vector in a register, and are shared by files of several instruction sets"
  exit 1
fi
echo "Instruction sets: no shared code."
