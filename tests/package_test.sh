#!/usr/bin/env bash
# Installs the build into a folder of its own and uses it from there as users do: the program with
# its robots, manual page and completion, and the library from a project of its own.
# Usage: package_test.sh BUILD_FOLDER [compiler flags that the library was built with]
set -euo pipefail
build=$1
flags=${2:-}
sources=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
  echo "package_test: $*" >&2
  exit 1
}

cmake --install "$build" --prefix "$prefix" >/dev/null
armdyn=$prefix/bin/armdyn

echo "The program finds its robots beside itself"
"$armdyn" robots --json | grep -q "\"file\": \"$prefix/share/armdyn/robots/puma560.yaml\"" ||
  fail "armdyn robots does not list the installed files"
ln -s "$armdyn" "$scratch/link"
"$scratch/link" check ur5e --quiet | grep -q 'sound' || fail "a link to the program finds no robots"
"$armdyn" new | head -n 1 | grep -q "$prefix/share/armdyn/robot-file.schema.json" ||
  fail "armdyn new does not name the installed schema"
[ -f "$prefix/share/armdyn/robot-file.schema.json" ] || fail "the schema is not installed"

echo "The manual page names all verbs"
page=$prefix/share/man/man1/armdyn.1.gz
if [ -f "$page" ]; then
  verbs=$("$armdyn" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p')
  for verb in $verbs; do
    gzip -dc "$page" | grep -q "armdyn $verb" || fail "the manual page lacks armdyn $verb"
  done
else
  echo "  (not there: scdoc was missing)"
fi

echo "The completion knows verbs, options, values, robots and motions"
complete_line() {  # words; the last one is to be completed
  bash --norc -c '
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _armdyn "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
    echo " ${COMPREPLY[*]} "' bash "$prefix/share/bash-completion/completions/armdyn" "$armdyn" "$@"
}
expect_completion() {  # expected word, words of the line
  local expected=$1
  shift
  complete_line "$@" | grep -q -- " $expected " || fail "armdyn $*: no $expected among$(complete_line "$@")"
}
expect_completion torque to
expect_completion robots rob
expect_completion --version --v
expect_completion puma560-akb torque puma
expect_completion puma560-pick-and-place torque puma560 pu
expect_completion puma560-pick-and-place torque --terms puma560 --method lagrange pu
expect_completion --terms torque puma560 --te
expect_completion --output torque puma560 --o
expect_completion modified-newton-euler torque puma560 --method mod
expect_completion modified new --convention m
expect_completion copy robots c
expect_completion stanford robots copy st
[ "$(complete_line torque puma560 --gravity p)" = "  " ] || fail "--gravity takes no names"

echo "A project of its own finds the library and gets the torques of the command line"
cmake -S "$sources/tests/consumer" -B "$scratch/consumer" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$flags" >/dev/null
cmake --build "$scratch/consumer" >/dev/null
"$scratch/consumer/torques" >"$scratch/of_the_library"
printf '%s\n' "q1,q2,q3,q4,q5,q6,$(echo qd{1..6}, qdd{1..6} | tr ' ' ',' | sed 's/,,/,/g')" \
  "0,0.7,-1,0.2,0.4,0,0.5,0.5,0.5,0.5,0.5,0.5,1,1,1,1,1,1" >"$scratch/state.csv"
"$armdyn" torque puma560 "$scratch/state.csv" --quiet 2>/dev/null | tail -n 1 | tr ',' '\n' |
  awk '{printf "%.17g\n", $1}' >"$scratch/of_the_program"
diff "$scratch/of_the_library" "$scratch/of_the_program" || fail "the torques differ"

echo "Package: all is as users need it."
