#compdef armdyn
# zsh completion of armdyn: that of bash beside the program, with its help.

local script=${${commands[$words[1]]:-$words[1]}:A:h}/../share/bash-completion/completions/armdyn
local line word
local -a found folders
for line in "${(@f)$(bash $script "${(@Q)words[1,CURRENT]}" 2>/dev/null)}"; do
  word=${line%%$'\t'*}
  [[ -n $word ]] || continue
  if [[ $word == */ ]]; then
    folders+=($word)
    continue
  fi
  word=${word//:/\\:}
  [[ $line == *$'\t' ]] || word+=:${line#*$'\t'}
  found+=($word)
done
compadd -S '' -a folders
_describe armdyn found
