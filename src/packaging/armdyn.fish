# fish completion of armdyn: that of bash beside the program, with its help.

function __armdyn_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l program (realpath (type -p $words[1]))
    bash (dirname $program)/../share/bash-completion/completions/armdyn $words "$word" 2>/dev/null
end

complete -c armdyn -f -a '(__armdyn_complete)'
