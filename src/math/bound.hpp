#pragma once

#include <cmath>

namespace armdyn {

/// Side of a number on which all numbers are that it bounds from.
enum class Bound { lower, upper };

/// The bound itself or, but for 1e-10 of it, the nearest beyond it that has so many significant
/// decimal digits: as text of so many, it is still a bound.
inline double outward(double value, Bound bound, int digits) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double sign = bound == Bound::upper ? 1.0 : -1.0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1.0 - digits);
  const double rounding = 1e-10 * std::abs(value / unit);
  return sign * std::ceil(sign * value / unit - rounding) * unit;
}

}  // namespace armdyn
