#!/usr/bin/env bash
# What .ci/packages says to apt-get reaches it through a sudo that keeps nothing of the environment.
set -euo pipefail
packages=$(cd "$(dirname "$0")/.." && pwd)/.ci/packages

bin=$(mktemp -d)
trap 'rm -r "$bin"' EXIT
pretend() {
  printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}
pretend id 'echo 1000'
pretend dpkg-query 'exit 1'
pretend sudo 'exec env -i PATH="$PATH" "$@"'
pretend apt-get "echo \"\$1 \$DEBIAN_FRONTEND\" >>$bin/said"

PATH="$bin:$PATH" "$packages" >/dev/null
grep -x 'install noninteractive' "$bin/said"
