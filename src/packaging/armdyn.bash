# bash completion of armdyn. What verbs, options and arguments there are is asked of the program
# itself; shipped robots and motions are looked up beside it. Run as a script, it answers zsh, fish.

# The arguments of the usage line: "ROBOT MOTION".
_armdyn_arguments() {
  sed -n 's/^Usage: armdyn [a-z]* //p' <<<"$1" | tr -d '[]' | sed 's/ *options$//'
}

# The word that follows an option, by its long or short name, in the help, if it takes a value:
# "FILE".
_armdyn_value_of() {
  sed -n -e "s/^  \(-.,\)\{0,1\}$2 \([^ ][^ ]*\) .*/\2/p" \
    -e "s/^  $2,--[^ ]* \([^ ][^ ]*\) .*/\1/p" <<<"$1"
}

# The words that an option offers: "profile: cubic (default) | quintic", "any of friction,motor".
_armdyn_choices_of() {
  local text
  text=$(sed -n "s/^  $2 [^ ]*  *//p" <<<"$1" | sed 's/ *([^)]*)//g')
  case $text in
    *' | '*) grep -oE '[A-Za-z0-9-]+( \| [A-Za-z0-9-]+)+' <<<"$text" | sed 's/ | /\n/g' ;;
    *'any of '*,*) sed 's/^.*any of //' <<<"$text" | tr ',' '\n' | grep -xE '[a-z0-9-]+' ;;
  esac
}

_armdyn_names() {  # folder below share/armdyn, ending
  local program path
  program=$(readlink -f "$(type -P "${COMP_WORDS[0]}")")
  for path in "$(dirname "$program")"/../share/armdyn/"$1"/*"$2"; do
    [ -e "$path" ] && basename "$path" "$2"
  done
}

_armdyn_files() {  # pattern of endings
  compopt -o filenames 2>/dev/null
  compgen -f -X "!*.@($1)" -- "$word"
  compgen -d -- "$word"
}

_armdyn_poses() {  # robot
  "$program" inspect "$1" --q no_pose 2>&1 | sed -n "s/.* has no pose 'no_pose', it has //p" |
    sed 's/; .*//; s/, /\n/g'
}

_armdyn_complete_argument() {
  case $1 in
    ROBOT | INPUT) _armdyn_names robots .yaml; _armdyn_files 'yaml|yml|urdf|xml' ;;
    MOTION) _armdyn_names robots/motions .csv; _armdyn_files 'csv|CSV|npy|db3|mcap' ;;
    TORQUES) _armdyn_files 'csv|CSV|npy|db3|mcap' ;;
    ACTION) printf '%s\n' list show copy ;;
    NAME) [ "$verb" = robots ] && { _armdyn_names robots .yaml; _armdyn_names robots/motions .csv; } ;;
    *) _armdyn_files '*' ;;
  esac
}

_armdyn() {
  local program=$1 word=$2 previous=$3 verb=${COMP_WORDS[1]} help i
  COMPREPLY=()
  shopt -q extglob || { shopt -s extglob; trap 'shopt -u extglob; trap - RETURN' RETURN; }

  if [ "$COMP_CWORD" -eq 1 ] || [ "$verb" = help ]; then
    local verbs
    verbs=$("$program" --help 2>/dev/null | sed -n '/^Use:$/,$s/^  \([a-z][a-z]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$verbs help version --help --version" -- "$word")
    return
  fi

  help=$("$program" "$verb" --help 2>/dev/null) || return
  local -a given=()  # arguments before the word
  for ((i = 2; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -* ]] && continue
    [[ ${COMP_WORDS[i - 1]} == -* && -n $(_armdyn_value_of "$help" "${COMP_WORDS[i - 1]}") ]] && continue
    given+=("${COMP_WORDS[i]}")
  done

  if [[ $previous == -* && -n $(_armdyn_value_of "$help" "$previous") ]]; then
    local choices
    choices=$(_armdyn_choices_of "$help" "$previous")
    local value
    value=$(_armdyn_value_of "$help" "$previous")
    case $value in
      ROBOT | MOTION) choices=$(_armdyn_complete_argument "$value") ;;
      *FILE* | LOG | GAIN) choices=$(_armdyn_complete_argument FILE) ;;
    esac
    case $previous in
      --q | --q0 | --from | --to) choices=$(_armdyn_poses "${given[0]}") ;;
    esac
    local IFS=$'\n'
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    return
  fi
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(grep -oE -- '^  (-.,)?--[a-z0-9-]+' <<<"$help" |
      grep -oE -- '--[a-z0-9-]+')" -- "$word")
    return
  fi

  local position=${#given[@]} arguments candidates
  read -ra arguments <<<"$(_armdyn_arguments "$help")"
  [ "$position" -lt "${#arguments[@]}" ] || return
  candidates=$(_armdyn_complete_argument "${arguments[position]}")
  [ "${arguments[position]}" = ACTION ] || compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$word" | sort -u)
}

# Completions of the words of a line, each with a tab and its help; folders end with a slash.
_armdyn_described() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _armdyn "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
  local verb=("$2") reply
  [ $# -gt 2 ] && [ "$2" != help ] || verb=()
  for reply in "${COMPREPLY[@]}"; do
    [ -d "$reply" ] && reply+=/
    printf '%s\n' "$reply"
  done | awk '
    NR == FNR {
      if (match($0, /^  (-.,)?[a-z-][a-z0-9-]*/)) {
        word = substr($0, 3, RLENGTH - 2)
        sub(/^-.,/, "", word)
        if (match($0, /[^ ]   */) && !(word in help)) help[word] = substr($0, RSTART + RLENGTH)
      }
      next
    }
    { print $0 "\t" help[$0] }' <("$1" "${verb[@]}" --help; "$1" robots 2>/dev/null | sed 's/^/  /') -
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  _armdyn_described "$@"
else
  complete -F _armdyn armdyn
fi
