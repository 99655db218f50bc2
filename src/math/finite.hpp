#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace armdyn {

/// Whether all are finite numbers. Several stand side by side, since one sum would wait for the one
/// before: 0·x is 0 or, of what is not finite, no number.
inline bool all_finite(std::span<const double> values) {
  constexpr std::size_t side_by_side = 8;
  std::array<double, side_by_side> zeros{};
  std::size_t i = 0;
  for (; i + side_by_side <= values.size(); i += side_by_side) {
    for (std::size_t k = 0; k < side_by_side; ++k) zeros[k] += 0.0 * values[i + k];
  }
  double zero = 0.0;
  for (; i < values.size(); ++i) zero += 0.0 * values[i];
  for (const double part : zeros) zero += part;
  return zero == 0.0;
}

/// Where the first is that is not finite; values.size() if there is none.
inline std::size_t first_not_finite(std::span<const double> values) {
  std::size_t i = 0;
  while (i < values.size() && std::isfinite(values[i])) ++i;
  return i;
}

}  // namespace armdyn
