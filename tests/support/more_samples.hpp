#pragma once

#include <cstdlib>

namespace armdyn::testing {

/// How many samples a test by chance takes: so many, times ARMDYN_TIMES where that is set by hand.
inline int samples(int usual) {
  const char* const times = std::getenv("ARMDYN_TIMES");
  return usual * (times == nullptr ? 1 : std::atoi(times));
}

}  // namespace armdyn::testing
