#!/usr/bin/env bash
# Builds the fuzz targets in the tree of the sanitizers and runs each for SECONDS (default 10).
# What is found lies in build/sanitize/fuzz/found; each line says executions and edges.
set -euo pipefail
seconds=${1:-10}
cd "$(dirname "$0")/../.."

cmake --preset sanitize >/dev/null
cmake --build --preset sanitize --target fuzz
work=build/sanitize/fuzz
mkdir -p "$work/found"
status=0
for target in arms numbers robot table verbs; do
  corpus=$work/corpus/$target
  mkdir -p "$corpus"
  log=$work/$target.log
  quiet=0
  [ $target = verbs ] && quiet=3  # they say much
  build/sanitize/bin/fuzz_$target -max_total_time="$seconds" -timeout=30 -rss_limit_mb=1024 \
    -artifact_prefix="$work/found/$target-" -print_final_stats=1 -max_len=4096 -close_fd_mask=$quiet \
    "$corpus" "tests/fuzz/seeds/$target" >"$log" 2>&1 || {
    status=1
    tail -n 30 "$log"
  }
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -1)
  echo "$target: ${executions:-?} executions, ${edges:-?} edges, \
$(find "$work/found" -name "$target-*" | wc -l) findings"
done
exit $status
