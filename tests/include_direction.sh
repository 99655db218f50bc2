#!/usr/bin/env bash
# Arrows point down only: cli -> io, simulation, motion, dynamics -> program, model -> math; io -> model.
# Each heavy library has one room. Prints each include that breaks a rule.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A below=(
  [math]="math"
  [model]="model math"
  [program]="program math"
  [dynamics]="dynamics program model math"
  [motion]="motion dynamics model math"
  [simulation]="simulation dynamics model math"
  [io]="io model math"
  [cli]="cli io simulation motion dynamics program model math"
)

broken=0
complain() {
  echo "$1"
  broken=1
}

for room in src/*/; do
  compgen -G "$room*.[ch]pp" >/dev/null || continue  # src/packaging holds no C++
  room=$(basename "$room")
  [ -n "${below[$room]:-}" ] || complain "src/$room: a folder without a rule; add it to $0"
  while IFS=: read -r file line include; do
    target=${include#*\"}
    target=${target%%/*}
    [[ " ${below[$room]:-} " == *" $target "* ]] ||
      complain "$file:$line: src/$room must not include src/$target"
  done < <(grep -rnE '^#include "' "src/$room" || true)
done

while IFS=: read -r file line include; do
  complain "$file:$line: a public header includes only the standard library and <armdyn/...>"
done < <(grep -rnE '^#include ("|<[^>]*/)' include | grep -v '<armdyn/' |
  grep -v '^include/armdyn/eigen.hpp:[0-9]*:#include <Eigen/' || true)
while IFS=: read -r file line include; do
  complain "$file:$line: <armdyn/eigen.hpp> is for programs that use Eigen, no other public header"
done < <(grep -rn '^#include <armdyn/eigen.hpp>' include || true)

only_in() {  # library pattern, files that may include it
  while IFS=: read -r file line include; do
    [[ " $2 " == *" $file "* ]] || complain "$file:$line: $1 belongs to $2 alone"
  done < <(grep -rnE "^#include <$1" src || true)
}
only_in CLI/ "src/cli/command_line.cpp"
only_in yaml-cpp/ "src/io/yaml_tree.cpp"

[ $broken -eq 0 ] && echo "Include direction: every arrow points down."
exit $broken
