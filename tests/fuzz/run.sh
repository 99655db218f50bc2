#!/usr/bin/env bash
# Builds the fuzz targets and runs each for SECONDS (default 10), as many at a time as there are
# processors: in the tree of the sanitizers, but for a minute or more in one of its own, build/fuzz,
# where libFuzzer sees what is compared. What is found lies in fuzz/found there; each line says
# executions and edges. With KEEP, the word "keep", what the corpus needs for its edges is packed into
# tests/fuzz/corpus, from where every run of a minute or more begins. Usage: run.sh [SECONDS [KEEP]]
set -euo pipefail
seconds=${1:-10}
keep=${2:-}
cd "$(dirname "$0")/../.."

preset=sanitize
[ "$seconds" -lt 60 ] || preset=fuzz
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" --target fuzz armdyn
work=build/$preset/fuzz
mkdir -p "$work/found"

# Words of command lines and of robot files.
armdyn=build/$preset/bin/armdyn
{
  for verb in $("$armdyn" --help | sed -n '/^Use:$/,$s/^  \([a-z][a-z]*\) .*/\1/p'); do
    echo "$verb"
    "$armdyn" "$verb" --help | grep -oE -- '--[a-z0-9-]+'
  done
  grep -oE '"[a-z_]+": *\{' docs/robot-file.schema.json | grep -oE '[a-z_]+'
} | sort -u | sed 's/.*/"&"/' >"$work/words.dict"

# Fuzzes one target; fails where something is found.
fuzz() {
  local target=$1 corpus=$work/corpus/$1 log=$work/$1.log status=0
  mkdir -p "$corpus"
  if [ "$seconds" -ge 60 ] && [ -f "tests/fuzz/corpus/$target.tar.xz" ]; then
    tar -xJf "tests/fuzz/corpus/$target.tar.xz" --skip-old-files -C "$corpus"
  fi
  local options=(-max_total_time="$seconds" -timeout=30 -rss_limit_mb=1024 -max_len=8192
    -artifact_prefix="$work/found/$target-" -print_final_stats=1)
  [ "$target" != verbs ] || options+=(-close_fd_mask=3)  # they say much
  case $target in robot | verbs) options+=(-dict="$work/words.dict") ;; esac
  "build/$preset/bin/fuzz_$target" "${options[@]}" "$corpus" "tests/fuzz/seeds/$target" \
    >"$log" 2>&1 || {
    status=1
    tail -n 30 "$log"
  }
  local executions edges
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -1)
  echo "$target: ${executions:-?} executions, ${edges:-?} edges, \
$(find "$work/found" -name "$target-*" | wc -l) findings"
  if [ "$keep" = keep ]; then
    local least=$work/least/$target
    rm -rf "$least" && mkdir -p "$least" tests/fuzz/corpus
    "build/$preset/bin/fuzz_$target" -merge=1 -close_fd_mask=3 "$least" "$corpus" >>"$log" 2>&1
    tar -cJf "tests/fuzz/corpus/$target.tar.xz" --sort=name --owner=0 --group=0 --mtime=@0 \
      -C "$least" .
  fi
  return $status
}
export -f fuzz
export seconds keep work preset
printf '%s\n' arms bag numbers robot table verbs |
  xargs -P "$(nproc)" -I{} bash -euo pipefail -c 'fuzz {}'
