#!/bin/sh
# Writes all transcripts anew, or those of the verbs that are named; the difference is to be read.
#     tests/transcripts/refresh.sh [VERB]...
cd "$(dirname "$0")/../.." || exit
only=$(echo "${*:-}" | sed 's/ /:*Transcripts*\//g')
cmake --build build/test --target cli_tests bin/armdyn &&
  ARMDYN_REFRESH=1 build/test/bin/cli_tests --gtest_filter="*Transcripts*/$only*" &&
  git diff --stat tests/transcripts
