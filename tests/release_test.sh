#!/usr/bin/env bash
# Installs each part of a release into a place of its own, and runs README's session from it: the same bytes
# everywhere, within ten seconds of processor time from the archive, the wheel or the installed package to
# the torques.
# Usage: release_test.sh DIST
set -euo pipefail
dist=$(cd "$1" && pwd)
sources=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "release_test: $*" >&2
  exit 1
}

use() {  # sets `used` to the processor time of the commands so far, in s
  times >"$scratch/times"
  used=$(sed -n 2p "$scratch/times" | awk -F '[ ms]+' '{ print int($1 * 60 + $2 + $3 * 60 + $4) }')
}
begin() {
  use
  begun=$used
}
try() {  # what it is, where its files go, command
  local what=$1 folder=$2
  shift 2
  "$@" trajectory ur5e --from "0,-90,90,-90,-90,0 deg" --to "120,-60,60,-90,-90,90 deg" --duration 2 \
    -o "${folder}move.csv" --quiet || fail "$what: no motion"
  "$@" torque ur5e "${folder}move.csv" -o "${folder}torques.csv" --report "${folder}torques.html" --quiet ||
    fail "$what: no torques"
  use
  [ $((used - begun)) -le 10 ] || fail "$what: $((used - begun)) s of processor time"
  echo "$what: torques after $((used - begun)) s of processor time"
}
same() {  # what it is, folder with torques
  [ -s "$2/torques.html" ] || fail "$1: no page"
  [ -e "$scratch/first.csv" ] || cp "$2/torques.csv" "$scratch/first.csv"
  cmp "$2/torques.csv" "$scratch/first.csv" || fail "$1: other torques"
}

(cd "$dist" && sha256sum --quiet -c SHA256SUMS)

# In an empty root, which only root can enter; else in a folder.
begin
mkdir "$scratch/tarball"
tar -xzf "$dist"/armdyn-*-linux-x86_64.tar.gz -C "$scratch/tarball"
program=$(cd "$scratch/tarball" && echo armdyn-*/bin/armdyn)
if [ "$(id -u)" -eq 0 ]; then
  try "tarball" / chroot "$scratch/tarball" "/$program"
else
  try "tarball" "$scratch/tarball/" "$scratch/tarball/$program"
fi
same "tarball" "$scratch/tarball"

for tarball in "$dist"/armdyn-*-linux-aarch64.tar.gz; do
  [ -e "$tarball" ] || { echo "skipped: no tarball for 64-bit Arm"; continue; }
  begin
  mkdir "$scratch/arm"
  tar -xzf "$tarball" -C "$scratch/arm"
  try "tarball for 64-bit Arm, emulated" "$scratch/arm/" qemu-aarch64-static "$scratch"/arm/*/bin/armdyn
  same "tarball for 64-bit Arm" "$scratch/arm"
done

for wheel in "$dist"/*.whl; do
  [[ $wheel =~ -cp3([0-9]+)- ]]
  name=python3.${BASH_REMATCH[1]}
  python=$(type -P "$name")
  "$python" -m venv "$scratch/$name"
  begin
  "$scratch/$name/bin/pip" install --quiet --no-index --disable-pip-version-check "$wheel"
  mkdir "$scratch/$name/out"
  try "wheel for $name" "$scratch/$name/out/" env -i PATH=/nowhere "$scratch/$name/bin/armdyn"
  same "wheel for $name" "$scratch/$name/out"
  "$scratch/$name/bin/armdyn" convert ur5e -o "$scratch/$name/out/ur5e.fmu" --quiet
  (cd "$scratch/$name" && bin/python -c 'import armdyn; assert len(armdyn.shipped_robots()) > 20')
done

if [ "$(id -u)" -eq 0 ] && type -P mmdebstrap >/dev/null; then
  mmdebstrap --quiet --variant=minbase bookworm "$scratch/debian" \
    --customize-hook="copy-in $(echo "$dist"/armdyn_*.deb) /tmp" \
    --customize-hook='chroot "$1" sh -c "apt-get install -y -qq --no-install-recommends /tmp/*.deb >/tmp/said"'
  begin
  try "Debian package in an empty Debian 12" /tmp/ chroot "$scratch/debian" armdyn
  same "Debian package" "$scratch/debian/tmp"
else
  echo "skipped: an empty Debian is made by root with mmdebstrap"
fi

/usr/bin/python3 - "$dist" <<'END' || fail "the bill of materials"
import json, sys
from pathlib import Path
bill = json.loads(next(Path(sys.argv[1]).glob("*.spdx.json")).read_text())
parts = {part["SPDXID"]: part for part in bill["packages"]}
assert len(parts) >= 16 and all(part["versionInfo"] and part["licenseConcluded"] for part in parts.values())
named = {one["relatedSpdxElement"] for one in bill["relationships"]}
assert bill["spdxVersion"] == "SPDX-2.3" and named == set(parts)
END

for site in "$dist"/*-site.tar.gz; do
  [ -e "$site" ] || { echo "skipped: no site"; continue; }
  pages=$(tar -tzf "$site")
  for page in "$sources"/docs/*.md; do
    grep -q "/$(basename "$page" .md).html$" <<<"$pages" || [[ $page == */README.md ]] || fail "the site lacks $page"
  done
done
echo "Each part is as users need it."
