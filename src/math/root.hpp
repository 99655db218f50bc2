#pragma once

#include <cmath>

namespace armdyn {

/// Square root, by the name that it has of every scalar.
[[nodiscard]] inline double root(double x) {
  return std::sqrt(x);
}

}  // namespace armdyn
