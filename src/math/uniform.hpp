#pragma once

#include <random>

namespace armdyn {

/// Evenly distributed from `lower` to below `upper`; the same in every standard library, unlike
/// std::uniform_real_distribution.
[[nodiscard]] inline double uniform(std::mt19937_64& random, double lower, double upper) {
  return lower + static_cast<double>(random() >> 11U) * 0x1p-53 * (upper - lower);
}

}  // namespace armdyn
