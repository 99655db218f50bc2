#!/usr/bin/env bash
# Complains where two headers have a type of one name, of which a linker takes either for both; where
# an include goes another way than docs/architecture.md says; and where a library is included
# outside the files that know it.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t verbs < <(find src/cli -mindepth 1 -type d -printf 'cli/%f\n' | grep -vxE 'cli/(options|mpi)' | sort)
mechanics="datasheet sizing observation identification simulation motion symbolic dynamics program model math"
files="io/file io/table io/robot io/plot"  # for runners alone

declare -A below=(
  [math]="math"
  [model]="model math"
  [program]="program math"
  [dynamics]="dynamics program model math"
  [symbolic]="symbolic dynamics model math"
  [motion]="motion dynamics program model math"
  [simulation]="simulation dynamics model math"
  [identification]="identification motion dynamics model math"
  [observation]="observation identification motion dynamics model math"
  [sizing]="sizing dynamics model math"
  [datasheet]="datasheet sizing dynamics model math"
  [text]="text model math"
  [figure]="figure text model math"
  [io/file]="io/file text model"
  [io/table]="io/table io/file text model math"
  [io/robot]="io/robot io/file text model math"
  [io/plot]="io/plot io/file figure text model math"
  [fmu]="fmu io/robot io/file simulation text dynamics model math"
  [report]="report figure text model math"
  [log]="log io/table io/file text motion model math"
  [cli/options]="cli/options report log $files figure text $mechanics"
  [cli]="cli cli/options ${verbs[*]} report text math"
)
below[cli/mpi]="cli/mpi ${below[cli]}"
below[python]="python cli cli/options ${verbs[*]} report log $files figure text $mechanics"
for verb in "${verbs[@]}"; do below[$verb]="$verb cli/options report log fmu figure text $mechanics"; done

broken=0
complain() {
  echo "$1"
  broken=1
}

while IFS= read -r folder; do
  compgen -G "$folder/*.[ch]pp" >/dev/null || continue  # src/io has folders, src/packaging no C++
  room=${folder#src/}
  [ -n "${below[$room]:-}" ] || complain "$folder: a folder without a rule; add it to $0"
  while IFS=: read -r file line include; do
    target=${include#*\"}
    target=$(dirname "${target%\"*}")
    [[ " ${below[$room]:-} " == *" $target "* ]] ||
      complain "$file:$line: $folder must not include src/$target"
  done < <(grep -nHE '^#include "' "$folder"/*.[ch]pp || true)
done < <(find src -type d | sort)

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
only_in CLI/ "src/cli/command_line.cpp src/cli/options/option_list.cpp"
only_in yaml-cpp/ "src/io/robot/yaml_tree.cpp"
only_in expat "src/io/robot/xml_tree.cpp"
only_in sqlite3 "src/io/table/db3_file.cpp"
only_in '(zstd|lz4)' "src/io/table/mcap_file.cpp"
only_in zlib "src/fmu/zip_file.cpp src/io/table/mcap_file.cpp"

while read -r name; do
  complain "$name: more than one header has a type of that name"
done < <(grep -rhoP --include='*.hpp' --exclude-dir=python \
  '^(struct|class|enum class) \K\w+(?= (final )?[:{])' src include | sort | uniq -d)

[ $broken -eq 0 ] && echo "Include direction: every arrow points down."
exit $broken
