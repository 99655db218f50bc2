#!/usr/bin/env bash
# Builds the fuzz targets with clang and its sanitizers and runs each for SECONDS (default 10).
# What is found lies in build/fuzz/found; each line says executions and edges.
set -euo pipefail
seconds=${1:-10}
cd "$(dirname "$0")/../.."

cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS=-g1 -DARMDYN_FUZZ=ON -DARMDYN_SANITIZE=address,undefined >/dev/null
cmake --build build/fuzz --target fuzz
mkdir -p build/fuzz/found
status=0
for target in arms numbers robot table verbs; do
  corpus=build/fuzz/corpus/$target
  mkdir -p "$corpus"
  log=build/fuzz/$target.log
  quiet=0
  [ $target = verbs ] && quiet=3  # they say much
  build/fuzz/bin/fuzz_$target -max_total_time="$seconds" -timeout=30 -rss_limit_mb=1024 \
    -artifact_prefix=build/fuzz/found/$target- -print_final_stats=1 -max_len=4096 -close_fd_mask=$quiet \
    "$corpus" "tests/fuzz/seeds/$target" >"$log" 2>&1 || status=1
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -1)
  echo "$target: ${executions:-?} executions, ${edges:-?} edges, \
$(find build/fuzz/found -name "$target-*" | wc -l) findings"
done
exit $status
