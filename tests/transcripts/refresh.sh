#!/bin/sh
# Writes all transcripts anew, or those of a verb; the difference is to be read.
#     tests/transcripts/refresh.sh [VERB]
cd "$(dirname "$0")/../.." || exit
cmake --build build/test --target cli_tests bin/armdyn &&
  ARMDYN_REFRESH=1 build/test/bin/cli_tests --gtest_filter="Of/Transcripts*/${1:-}*" &&
  git diff --stat tests/transcripts
