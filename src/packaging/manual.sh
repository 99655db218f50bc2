#!/usr/bin/env bash
# The manual page in scdoc's language: docs/armdyn.1.scd with what the program says of its verbs and
# their options in place of the line @VERBS@. Usage: manual.sh PROGRAM DOCS/armdyn.1.scd
set -euo pipefail
program=$1
page=$2

escaped() { sed 's/[][|_*\\]/\\&/g'; }

verb_section() {
  "$program" "$1" --help | escaped | awk '
    BEGIN {
      split("-h,--help -o,--output --gravity --payload --without --threads --json --quiet -V,--version",
            common, " ")
      for (i in common) is_common[common[i]] = 1
    }
    /^Usage: armdyn / {
      sub(/^Usage: /, ""); sub(/ [^ ]*options[^ ]*$/, "")
      verb = $2; rest = $0; sub(/^armdyn [a-z]+ ?/, "", rest)
      print "*armdyn " verb "*" (rest == "" ? "" : " " rest) " [_options_]"
      print "\t" what "\n"
      next
    }
    /^Examples:$/ { next }
    /^[A-Z][a-z ]*:$/ { in_options = 1; shown = 0; next }
    !in_options && /^[^ ]/ { what = $0; next }
    in_options && /^  [^ ]/ {
      name = $0; sub(/^  /, "", name)
      text = ""
      if (match(name, /  +/)) { text = substr(name, RSTART + RLENGTH); name = substr(name, 1, RSTART - 1) }
      split(name, words, " ")
      shown = !(words[1] in is_common)
      if (shown) {
        value = substr(name, length(words[1]) + 2)
        gsub(/,/, "*, *", words[1])
        print "\t*" words[1] "*" (value == "" ? "" : " " value)
        if (text != "") print "\t\t" text "\n"
      }
      next
    }
    in_options && shown && /[^ ]/ { sub(/^ +/, ""); print "\t\t" $0 "\n" }
  '
}

verbs=$("$program" --help | sed -n '/^Use:$/,$s/^  \([a-z][a-z]*\) .*/\1/p')
while IFS= read -r line; do
  if [ "$line" = @VERBS@ ]; then
    for verb in $verbs; do verb_section "$verb"; done
  else
    printf '%s\n' "$line"
  fi
done <"$page"
