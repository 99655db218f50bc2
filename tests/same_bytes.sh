#!/usr/bin/env bash
# Holds what verbs write with one program against the bytes of another's, built for another machine.
# Usage: same_bytes.sh PROGRAM PROGRAM
set -euo pipefail

robots=$(cd "$(dirname "$0")/../robots" && basename -s .yaml ./*.yaml)
lines=(
  'armdyn torque puma560 puma560-pick-and-place --terms --reactions'
  'armdyn torque puma560 puma560-pick-and-place --bounds --keep-motion'
  'armdyn torque puma560 puma560-welding-weave --method lagrange -o tau.npy; cat tau.npy'
  'armdyn simulate puma560 --duration 0.5'
  'armdyn simulate stanford --duration 0.5 --integrator rkf78 --q0 0.1,0.2,0.7,0.3,0.4,0.5'
  'armdyn simulate craig-rr --q0 "-90,30 deg" --duration 2 --integrator dopri5'
  'armdyn torque craig-rr - --keep-motion <rr.csv | armdyn simulate craig-rr -'
  'armdyn simulate craig-rr --batch rr.csv --duration 0.5'
  'armdyn track puma560 puma560-pick-and-place --payload 2.5 --model-without payload --delay 1'
  'armdyn vary puma560 puma560-pick-and-place --uncertainty mass=5%,com=5mm,inertia=10% --samples 50 -o arms.csv
   cat arms.csv'
  'armdyn inspect puma560 puma560-pick-and-place --what T,M,condition'
  'armdyn inspect puma560 --q qr --linearize --sample-time 0.01 --json'
  'armdyn size puma560 puma560-pick-and-place --json'
  'armdyn identify puma560 log.csv -o mine.yaml; cat mine.yaml'
  'armdyn trajectory craig-rr --excite --optimize --limits 2,6 --rate 20'
  'armdyn trajectory ur5e --from "0,-90,90,-90,-90,0 deg" --to "120,-60,60,-90,-90,90 deg" --duration 2'
  'armdyn equations craig-3r --what M; armdyn equations six-link-jaeri --format listing --as paper-004 --q A'
  'armdyn convert puma560 --convention modified -o puma.yaml; cat puma.yaml'
)
for robot in $robots; do
  lines+=("armdyn trajectory $robot --excite --limits 1,3 --rate 20 --duration 2 -o $robot.csv; cat $robot.csv"
    "armdyn torque $robot $robot.csv --terms"
    "armdyn simulate $robot --duration 0.05 --at-limit ignore"
    "armdyn compare $robot $robot.csv --json | grep -vE 'seconds|ratio'"
    "armdyn inspect $robot --json"
    "armdyn check $robot --json")
done

scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
run() {  # each line's output, messages and exit code in files of its own
  mkdir "$scratch/$2"
  cd "$scratch/$2"
  armdyn() { "$program" "$@"; }
  program=$1
  armdyn trajectory craig-rr --from 0,0 --to 1,2 --duration 1 --rate 100 -o rr.csv --quiet
  armdyn trajectory puma560 --excite --rate 100 --duration 10 --quiet |
    armdyn torque puma560 - --keep-motion -o log.csv --quiet
  for i in "${!lines[@]}"; do
    (eval "${lines[i]}") >"$i.out" 2>"$i.err" || echo "exit $?" >>"$i.err"
  done
  LC_ALL=C sed -i "s|${program%/bin/*}/||g" ./*.out ./*.err  # where shipped robots are found
}
(run "$(realpath "$1")" one)
(run "$(realpath "$2")" other)

differ=0
for i in "${!lines[@]}"; do
  for of in out err; do
    cmp "$scratch"/{one,other}/"$i.$of" >"$scratch/said" && continue
    printf '%s\n  ' "${lines[i]}"
    cat "$scratch/said"
    diff "$scratch"/{one,other}/"$i.$of" | head -n 4 | cut -c 1-300 || true
    differ=$((differ + 1))
  done
done
echo "${#lines[@]} command lines, $(cat "$scratch"/one/*.out | wc -c) bytes of output: $differ differ"
[ "$differ" -eq 0 ]
