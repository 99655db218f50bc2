#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace armdyn {

/// Where the first is that is not finite; values.size() if there is none.
inline std::size_t first_not_finite(std::span<const double> values) {
  std::size_t i = 0;
  while (i < values.size() && std::isfinite(values[i])) ++i;
  return i;
}

/// Whether all are finite numbers. Their sum tells it, unless it overflows.
inline bool all_finite(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return std::isfinite(sum) || first_not_finite(values) == values.size();
}

}  // namespace armdyn
