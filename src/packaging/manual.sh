#!/usr/bin/env bash
# Manual pages, compressed: that of the program, with verbs and their options in place of the line
# @VERBS@, and one of each verb, from its help. Usage: manual.sh PROGRAM DOCS/armdyn.1.scd FOLDER
set -euo pipefail
program=$1
page=$2
folder=$3

# The help of a verb, as a section of the page of all verbs, or as a page of its own.
section_of() {  # verb, 1 for a page of its own
  "$program" "$1" --help | awk -v own="$2" '
    function escaped(text) {
      gsub(/[][|_*\\]/, "\\\\&", text)
      sub(/^-/, "\\-", text)  # no list
      return text
    }
    function item(name, text) {
      print tab "*" name "*" (value == "" ? "" : " " escaped(value))
      if (text != "") print tab "\t" escaped(text) "\n"
    }
    BEGIN {
      tab = own ? "" : "\t"
      split("-h,--help -o,--output --gravity --payload --without --threads --json --quiet -V,--version",
            common, " ")
      for (i in common) is_common[common[i]] = !own
    }
    /^Examples:$/ { in_examples = 1; next }
    in_examples && /^  / { gsub(/\\/, "\\\\&"); examples = examples "\t" substr($0, 3) "\n"; next }
    /^Usage: armdyn / {
      sub(/^Usage: /, ""); sub(/ [^ ]*options[^ ]*$/, "")
      verb = $2; rest = $0; sub(/^armdyn [a-z]+ ?/, "", rest)
      call = "*armdyn " verb "*" (rest == "" ? "" : " " escaped(rest)) " [_options_]"
      if (own) {
        print "armdyn-" verb "(1)\n\n# NAME\n\narmdyn-" verb " - " escaped(what) "\n\n# SYNOPSIS\n\n" call "\n"
      } else {
        print call "\n\t" escaped(what) "\n"
      }
      next
    }
    /^[A-Z][A-Za-z ]*:$/ {
      in_examples = 0; in_options = 1; shown = 0
      sub(/^Positionals/, "Arguments")
      if (own) print "# " toupper(substr($0, 1, length($0) - 1)) "\n"
      next
    }
    !in_options && /^[^ ]/ { in_examples = 0; what = $0; next }
    in_options && /^  [^ ]/ {
      name = substr($0, 3); text = ""
      if (match(name, /  +/)) { text = substr(name, RSTART + RLENGTH); name = substr(name, 1, RSTART - 1) }
      split(name, words, " ")
      shown = !is_common[words[1]]
      value = substr(name, length(words[1]) + 2)
      gsub(/,/, "*, *", words[1])
      if (shown) item(words[1], text)
      next
    }
    in_options && shown && /[^ ]/ { sub(/^ +/, ""); print tab "\t" escaped($0) "\n" }
    END {
      if (!own) exit
      print "# EXAMPLES\n\n```\n" examples "```\n\n# SEE ALSO\n"
      print "*armdyn*(1), for exit codes and files; commands/" verb ".md beside the program\x27s copyright."
    }
  '
}

program_page() {
  local line verb
  while IFS= read -r line; do
    if [ "$line" = @VERBS@ ]; then
      for verb in $verbs; do section_of "$verb" 0; done
    else
      printf '%s\n' "$line"
    fi
  done <"$page"
}

compress() { scdoc | gzip -9nc >"$folder/$1.1.gz"; }

verbs=$("$program" --help | sed -n '/^Use:$/,$s/^  \([a-z][a-z]*\) .*/\1/p')
mkdir -p "$folder"
rm -f "$folder"/*.1.gz
for verb in $verbs; do section_of "$verb" 1 | compress "armdyn-$verb"; done
program_page | compress armdyn
