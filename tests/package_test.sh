#!/usr/bin/env bash
# Installs the build into a folder of its own and uses it from there as users do.
# Usage: package_test.sh program|python|wheel|manual|completion|library|debian|tarball BUILD_FOLDER
# Exit code 77: skipped, since a tool is missing; the message says which.
set -euo pipefail
part=$1
build=$2
sources=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
  echo "package_test: $*" >&2
  exit 1
}

need() {  # tools
  local tool
  for tool in "$@"; do
    type -P "$tool" >/dev/null && continue
    echo "skipped: there is no $tool; .ci/packages --test installs it"
    exit 77
  done
}

cmake --install "$build" --prefix "$prefix" >/dev/null
armdyn=$prefix/bin/armdyn

# --- the program finds its robots beside itself
test_program() {
  "$armdyn" robots --json | grep -q "\"file\": \"$prefix/share/armdyn/robots/puma560.yaml\"" ||
    fail "armdyn robots does not list the installed files"
  ln -s "$armdyn" "$scratch/link"
  "$scratch/link" check ur5e --quiet | grep -q 'no problems found' || fail "a link to the program finds no robots"
  "$armdyn" new | head -n 1 | grep -q "$prefix/share/armdyn/robot-file.schema.json" ||
    fail "armdyn new does not name the installed schema"
  [ -f "$prefix/share/armdyn/robot-file.schema.json" ] || fail "the schema is not installed"
  local link
  for link in $(grep -ohE '\]\([^)#:]*' "$prefix/share/doc/armdyn/README.md" | sed 's/^..//' | sort -u); do
    [ -e "$prefix/share/doc/armdyn/$link" ] || fail "the installed README has a link to nothing: $link"
  done
  # Moved as a whole, it finds them at the new place.
  mv "$prefix" "$scratch/elsewhere"
  "$scratch/elsewhere/bin/armdyn" check ur5e --quiet | grep -q 'no problems found' || fail "it cannot be moved"
}

# --- the Python module works from an empty folder
test_python() {
  local modules
  modules=$(dirname "$(find "$prefix/lib" -type d -name armdyn -path '*dist-packages*')")
  mkdir "$scratch/empty" && cd "$scratch/empty"
  PYTHONPATH=$modules /usr/bin/python3 -B -c '
import armdyn
assert len(armdyn.shipped_robots()) > 20
assert armdyn.Robot("ur5e").gravity_torque([0] * 6).shape == (6,)' ||
    fail "the Python module cannot be used"
}

# --- `pip install .` without network, into an environment of its own; then the module and the program
test_wheel() {
  /usr/bin/python3 -m venv "$scratch/venv" >/dev/null 2>&1 || {
    echo "skipped: python3 makes no environment; .ci/packages --test installs python3-venv"
    exit 77
  }
  ARMDYN_BUILD=$build "$scratch/venv/bin/pip" install --quiet --no-index --no-build-isolation \
    --disable-pip-version-check "$sources" || fail "pip does not install it"
  mkdir "$scratch/empty" && cd "$scratch/empty"
  "$scratch/venv/bin/python" -m armdyn torque puma560 puma560-pick-and-place -o module.csv --quiet
  "$scratch/venv/bin/armdyn" torque puma560 puma560-pick-and-place -o script.csv --quiet
  "$armdyn" torque puma560 puma560-pick-and-place -o program.csv --quiet
  cmp module.csv program.csv && cmp script.csv program.csv || fail "its torques are others"
  "$scratch/venv/bin/armdyn" convert puma560 -o puma.fmu --quiet || fail "it writes no FMU"
  "$scratch/venv/bin/python" -c '
import armdyn
assert armdyn.__version__ and len(armdyn.shipped_robots()) > 20
assert "6 joints" in repr(armdyn.Robot("ur5e"))' || fail "the installed module cannot be used"
}

# --- the manual pages have what each verb's --help has, and are without errors
test_manual() {
  need scdoc gzip man
  local folder=$prefix/share/man/man1 shown=$scratch/manual verb option
  [ -f "$folder/armdyn.1.gz" ] || fail "there is no manual page although scdoc is there: configure anew"
  show_page() {  # page
    LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$folder/$1.1.gz" 2>"$scratch/warnings" |
      sed 's/.\x08//g'
    [ ! -s "$scratch/warnings" ] || fail "$(cat "$scratch/warnings")"
  }
  show_page armdyn >"$shown"
  for verb in $("$armdyn" --help | sed -n '/^Use:$/,$s/^  \([a-z]*\) .*/\1/p'); do
    grep -q "^ *armdyn $verb .*\[options\]" "$shown" || fail "the manual page lacks armdyn $verb"
    show_page "armdyn-$verb" >"$shown-$verb"
    grep -q "^ *armdyn $verb .*\[options\]" "$shown-$verb" || fail "the page of $verb lacks its call"
    for option in $("$armdyn" "$verb" --help | sed -n 's/^  \(-.,\)\{0,1\}\(--[a-z0-9-]*\).*/\2/p'); do
      grep -q -- "$option\b" "$shown-$verb" || fail "the page of $verb lacks $option"
      grep -q -- "$option\b" "$shown" || [ "$option" = --help ] || [ "$option" = --version ] ||
        fail "the manual page lacks $option of $verb"
    done
  done
}

# --- the completion knows verbs, options, values, robots and motions
complete_line() {  # words; the last one is to be completed
  bash --norc -c '
    source "$1"; shift
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _armdyn "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
    echo " ${COMPREPLY[*]} "' bash "$prefix/share/bash-completion/completions/armdyn" "$armdyn" "$@"
}
expect_completion() {  # expected words, words of the line
  local expected=$1 found word
  shift
  found=$(complete_line "$@")
  for word in $expected; do
    grep -qF -- " $word " <<<"$found" || fail "armdyn $*: no $word among$found"
  done
}
expect_no_completion() {  # words of the line
  [ "$(complete_line "$@")" = "  " ] || fail "armdyn $*: offers$(complete_line "$@")"
}
test_completion() {
  cd "$scratch"
  touch mine.npy mine.csv 'my robot.yaml'
  expect_completion "torque trajectory track" t
  expect_completion simulate sim
  expect_completion robots rob
  expect_completion --version --v
  expect_completion help he
  expect_completion torque help to
  expect_completion puma560-akb torque puma
  expect_completion "my robot.yaml" torque my
  expect_completion puma560-pick-and-place torque puma560 pu
  expect_completion puma560-pick-and-place torque --terms puma560 --method lagrange pu
  expect_completion puma560-pick-and-place track puma560 pu
  expect_completion "mine.csv mine.npy" simulate puma560 mi
  expect_completion --terms torque puma560 --te
  expect_completion --output torque puma560 --o
  expect_completion "--q0 --qd0" simulate puma560 --q
  expect_completion "lagrange modified-newton-euler newton-euler" torque puma560 --method ""
  expect_completion "dopri5 euler rk4 rkf78" simulate puma560 --integrator ""
  expect_completion "hold linear" simulate puma560 --interpolation ""
  expect_completion "computed-torque feedforward pd pd-gravity" track puma560 --controller ""
  expect_completion "constant free interpolated" trajectory puma560 --orientation ""
  expect_completion "bridge refuse skip" torque puma560 --gaps ""
  expect_completion "torque M V G C craig link-jacobian" equations puma560 --what ""
  expect_completion "base link tool" equations puma560 --axes ""
  expect_completion "viscous coulomb sigmoid file" identify puma560 --friction ""
  expect_completion "uniform normal" vary puma560 --distribution ""
  expect_completion "friction gravity payload rotors" check puma560 --without ""
  expect_completion puma560-akb track puma560 --model puma
  expect_completion mine.csv trajectory puma560 --via mi
  expect_completion mine.csv track puma560 mine.csv --kp mi
  expect_completion mine.csv trajectory puma560 -o mi
  expect_completion puma560 track -o out.csv pu
  expect_completion "ignore stop" track puma560 --at-limit ""
  expect_completion modified new --convention m
  expect_completion copy robots c
  expect_completion stanford robots copy st
  expect_completion "qz qr qs qn" trajectory puma560 --from ""
  expect_completion "A B home" inspect six-link-jaeri --q ""
  expect_no_completion simulate two-link-rods --q0 ""
  expect_no_completion torque puma560 --gravity p
  expect_no_completion simulate puma560 --tolerance ""
  expect_no_completion torque puma560 --window ""
  expect_no_completion trajectory puma560 --limits ""

  # zsh and fish show what this prints.
  local share=$prefix/share described
  described=$(bash "$share/bash-completion/completions/armdyn" "$armdyn" torque puma560 --te)
  [[ $described == --terms$'\t'add* ]] || fail "the completion has no help: $described"
  [ ! -x "$(type -P zsh)" ] || zsh -n "$share/zsh/site-functions/_armdyn"
  [ ! -x "$(type -P fish)" ] ||
    PATH=$prefix/bin:$PATH fish -c "source $share/fish/vendor_completions.d/armdyn.fish
      complete -C 'armdyn tor'" | grep ^torque >/dev/null || fail "fish completes nothing"
}

# --- a project of its own finds the library and gets the torques of the command line
test_library() {
  local examples=$scratch/examples
  cmake -S "$sources/examples" -B "$examples" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
  cmake --build "$examples" >/dev/null
  printf '%s\n' "q1,q2,q3,q4,q5,q6,$(echo qd{1..6}, qdd{1..6} | tr ' ' ',' | sed 's/,,/,/g')" \
    "0.1,0,0,0.2,0.4,0,0.5,0.5,0.5,0.5,0.5,0.5,1,1,1,1,1,1" \
    "0,0.7,-1,0.2,0.4,0,0.5,0.5,0.5,0.5,0.5,0.5,1,1,1,1,1,1" >"$scratch/state.csv"
  "$examples/torques" "$scratch/state.csv" >"$scratch/of_the_library"
  "$armdyn" torque puma560 "$scratch/state.csv" --quiet 2>/dev/null | tail -n 2 |
    awk -F, '{ for (k = 1; k <= 6; ++k) printf "%.17g ", $k; print "" }' >"$scratch/of_the_program"
  [ "$(wc -w <"$scratch/of_the_library")" -eq 12 ] || fail "the library gives no two times six torques"
  diff "$scratch/of_the_library" "$scratch/of_the_program" || fail "the torques differ"
  diff <("$examples/generated_c") <(tail -n 1 "$scratch/of_the_program" |
    awk '{ for (k = 1; k <= 6; ++k) printf "%.12g\n", $k }') || fail "the torques of generated C differ"
  [ "$("$examples/control_loop" | awk '$1 == $3' | wc -l)" -eq 6 ] || fail "the loop misses its goal"
  # The motion begins at q = (0, 0.8), qd = (1.5, 0), qdd = (0, -7.2).
  printf '%s\n' "q1,q2,qd1,qd2,qdd1,qdd2" "0,0.8,1.5,0,0,-7.2" >"$scratch/begin.csv"
  "$armdyn" torque two-link-rods "$scratch/begin.csv" --quiet | tail -n 1 |
    awk -F, '{ printf "%.6g\n", $1 }' >"$scratch/of_the_program_alone"
  "$examples/verbs" | awk '/tau1/ { print $6 }' | diff - "$scratch/of_the_program_alone" ||
    fail "the verbs of the library give other torques than the program"
  [ "$("$examples/verbs" | grep -c ': peak ')" -eq 2 ] || fail "size as a function gives no peaks"
  "$examples/simulate" | awk '/imbalance/ { exit !($5 * $5 < 1e-12) }' ||
    fail "the simulation is not exact"
  # The arm of the log has more viscous friction than the file that identification begins with.
  cd "$scratch"
  sed 's/^    mass: .*/&\n    friction: {viscous: 0.7}/' "$prefix/share/armdyn/robots/two-link-rods.yaml" >real.yaml
  "$armdyn" trajectory real.yaml --excite --limits 2,6 --seed 3 --duration 10 --rate 200 -o moved.csv --quiet
  "$armdyn" torque real.yaml moved.csv --keep-motion -o log.csv --quiet
  "$examples/identify" log.csv >identified
  [ "$(awk '/: viscous friction/ && ($4 - 0.7) ^ 2 < 1e-6' identified | wc -l)" -eq 2 ] ||
    fail "the friction that is identified is another: $(cat identified)"
  "$armdyn" identify "$prefix/share/armdyn/robots/two-link-rods.yaml" log.csv --json --quiet |
    sed -n '/"base_parameters": /,$s/.*"value": \([-0-9.e]*\).*/\1/p' | awk '{ printf "%.6g\n", $1 }' >program
  diff <(sed -n 's/ ±.*//p' identified) <(head -n "$(grep -c ± identified)" program) ||
    fail "the library identifies other parameters than the program"

  local header
  [ "$(ls "$prefix/include/armdyn" | wc -l)" -le 16 ] || fail "there are more than 16 headers"
  for header in "$prefix"/include/armdyn/*.hpp; do  # each by itself, and of Eigen one alone
    g++ -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I "$prefix/include" \
      $([ "${header##*/}" != eigen.hpp ] || echo -isystem /usr/include/eigen3) \
      -include "$header" -x c++ /dev/null || fail "${header##*/} cannot be included by itself"
  done
  need pkg-config
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name armdyn.pc)")
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046,SC2086
  g++ -DROBOTS="\"$prefix/share/armdyn/robots\"" $(pkg-config --cflags armdyn) \
    "$sources/examples/torques.cpp" $(pkg-config --libs armdyn) -o "$scratch/torques"
  diff <("$scratch/torques" "$scratch/state.csv") "$scratch/of_the_library" || fail "the torques by pkg-config differ"

  # Eigen may be compiled otherwise in a program than in the library, as by -march=native.
  cat >"$scratch/eigen.cpp" <<'END'
#include <armdyn/eigen.hpp>
#include <armdyn/equations.hpp>
#include <armdyn/robot_file.hpp>
#include <Eigen/LU>
int main() {
  const armdyn::Arm arm = armdyn::normalize(armdyn::read_robot_file(ROBOTS "/puma560.yaml").robot);
  const std::vector<double> q(6, 0.3);
  const Eigen::MatrixXd J = armdyn::eigen(armdyn::jacobian(arm, q));
  return armdyn::cartesian(arm, q, q, armdyn::all_task_rows()).terms && J.inverse().norm() > 0.0 ? 0 : 1;
}
END
  # shellcheck disable=SC2046,SC2086
  g++ -DROBOTS="\"$prefix/share/armdyn/robots\"" -DEIGEN_MALLOC_ALREADY_ALIGNED=0 \
    -isystem /usr/include/eigen3 $(pkg-config --cflags armdyn) "$scratch/eigen.cpp" \
    $(pkg-config --libs armdyn) -o "$scratch/eigen"
  "$scratch/eigen" || fail "a program with Eigen of its own fails"
}

# --- the Debian packages are made, lintian has nothing to say, and the program runs from them
test_debian() {
  need scdoc gzip dpkg-shlibdeps lintian
  (cd "$build" && cpack -G DEB -B "$scratch/packages" >/dev/null)
  cd "$scratch/packages"
  ls armdyn_*.deb libarmdyn-dev_*.deb >/dev/null
  lintian --allow-root ./*.deb >"$scratch/lintian" 2>&1 ||
    fail "$(cat "$scratch/lintian")"
  ! grep '^[EW]:' "$scratch/lintian" || fail "lintian warns"
  for package in ./*.deb; do dpkg-deb -x "$package" "$scratch/root"; done
  for package in armdyn libarmdyn-dev; do
    dpkg-deb -f "$package"_*.deb Description | sed -n 1p
  done >"$scratch/synopses"
  [ "$(sort -u "$scratch/synopses" | wc -l)" -eq 2 ] || fail "packages share a synopsis"
  readelf -dW "$scratch/root/usr/bin/armdyn" | grep BIND_NOW >/dev/null || fail "not linked with bindnow"
  readelf -sW --dyn-syms "$scratch/root/usr/bin/armdyn" | grep '_chk@' >/dev/null || fail "not fortified"
  "$scratch/root/usr/bin/armdyn" check ur5e --quiet | grep -q 'no problems found' || fail "the program does not run"
  [ -f "$scratch/root/usr/include/armdyn/inverse_dynamics.hpp" ] || fail "the headers are missing"
}

# --- the tarball alone, in an empty root, does the session of README
test_tarball() {
  [ -x "$build/static/armdyn" ] || {
    echo "skipped: there is no static program; .ci/packages installs what it needs"
    exit 77
  }
  (cd "$build" && cpack -G TGZ -B "$scratch/packages" >/dev/null)
  local file root name seconds
  file=$(echo "$scratch"/packages/armdyn-*-linux-x86_64.tar.gz)
  [ "$(stat -c %s "$file")" -le 12000000 ] || fail "the tarball is larger than 12 MB"
  mkdir "$scratch/root" && tar -xzf "$file" -C "$scratch/root"
  name=$(basename "$file" .tar.gz)
  root=$scratch/root/$name
  ! readelf -ldW "$root/bin/armdyn" | grep -E 'INTERP|NEEDED' || fail "the program is not static"
  for name in armdyn fmt glibc libstdc++ yaml-cpp; do
    [ -s "$root/share/doc/armdyn/licenses/$name" ] || fail "the license of $name is missing"
  done
  [ -f "$root/share/man/man1/armdyn.1.gz" ] || type -P scdoc >/dev/null || echo "no manual: no scdoc"
  seconds=$(for _ in $(seq 20); do
    { TIMEFORMAT=%U+%S; time "$root/bin/armdyn" version >/dev/null; } 2>&1
  done | awk -F+ '{ print $1 + $2 }' | sort -n | head -n 1)
  echo "The program starts in $seconds s of processor time; $(stat -c %s "$file") bytes."
  "$armdyn" torque puma560 puma560-pick-and-place -o "$scratch/expected.csv" --quiet
  [ "$(id -u)" -eq 0 ] || {
    echo "skipped: only root can leave the rest of the system out of sight"
    exit 77
  }
  local inside="chroot $scratch/root /${root##*/}/bin/armdyn"
  $inside torque puma560 puma560-pick-and-place -o /torques.csv --quiet || fail "no torques in an empty root"
  cmp "$scratch/root/torques.csv" "$scratch/expected.csv" || fail "other torques in an empty root"
  $inside robots | grep puma560 >/dev/null || fail "it does not list its robots in an empty root"
  $inside torque puma560 puma560-pick-and-place -o /torques.csv --plot /torques.svg \
    2>"$scratch/said" && fail "there is no gnuplot, but a picture"
  grep -q 'install gnuplot' "$scratch/said" || fail "it does not say how to get gnuplot"
}

"test_$part"
echo "$part: all is as users need it."
