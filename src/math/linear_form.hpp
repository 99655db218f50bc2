#pragma once

#include <cmath>
#include <limits>

#include "math/sin_cos.hpp"

// A function over an interval, within a straight line and a rest: middle + slope ε ± rest for
// −1 ≤ ε ≤ 1. As Enclosed (enclosed.hpp), in doubles and of one ε: run on LinearForms, a text gives
// what holds over the whole interval, roundings included, and its width grows with the square of the
// interval's.

namespace armdyn {

struct LinearForm {
  double middle = 0.0, slope = 0.0, rest = 0.0;

  constexpr LinearForm() = default;
  constexpr LinearForm(double constant) : middle(constant) {}  // implicit, as for Dual
  constexpr LinearForm(double m, double s, double r) : middle(m), slope(s), rest(r) {}

  [[nodiscard]] double size() const { return std::abs(middle) + std::abs(slope) + rest; }
  [[nodiscard]] double least() const { return middle - std::abs(slope) - rest; }
  [[nodiscard]] double largest() const { return middle + std::abs(slope) + rest; }
  /// The same from the interval's other end.
  [[nodiscard]] LinearForm mirrored() const { return {middle, -slope, rest}; }
};

/// Adds what rounding may have taken.
inline LinearForm rounded(LinearForm x) {
  constexpr double rounding = 1e-15;
  x.rest = (x.rest + rounding * (std::abs(x.middle) + std::abs(x.slope))) * (1.0 + rounding);
  return x;
}

inline LinearForm operator-(const LinearForm& a) {
  return {-a.middle, -a.slope, a.rest};
}
inline LinearForm operator+(const LinearForm& a, const LinearForm& b) {
  LinearForm sum{a.middle + b.middle, a.slope + b.slope, a.rest + b.rest};
  sum.rest += 3e-16 * (a.size() + b.size());
  return sum;
}
inline LinearForm operator-(const LinearForm& a, const LinearForm& b) {
  return a + -b;
}
inline LinearForm operator*(const LinearForm& a, const LinearForm& b) {
  const double bends = a.slope * b.slope;  // times ε², which is from 0 to 1
  return rounded({a.middle * b.middle + 0.5 * bends, a.middle * b.slope + a.slope * b.middle,
                  0.5 * std::abs(bends) + a.size() * b.rest +
                      (std::abs(b.middle) + std::abs(b.slope)) * a.rest});
}

/// Square root of what is above 0; where it may not be, anything.
inline LinearForm root(const LinearForm& x) {
  const double r = std::sqrt(x.middle), reach = std::abs(x.slope) + x.rest, left = x.middle - reach;
  const double bends = left > 0.0 ? reach * reach / (8.0 * left * std::sqrt(left))
                                  : std::numeric_limits<double>::infinity();
  return rounded({r, 0.5 * x.slope / r, 0.5 * x.rest / r + (reach == 0.0 ? 0.0 : bends)});
}
inline LinearForm operator/(const LinearForm& a, const LinearForm& b) {
  const double reach = std::abs(b.slope) + b.rest, size = std::abs(b.middle), left = size - reach;
  const double square = b.middle * b.middle;
  const double bends = reach == 0.0 ? 0.0
                       : left > 0.0 ? reach * reach / (square * left)
                                    : std::numeric_limits<double>::infinity();
  return a * rounded({1.0 / b.middle, -b.slope / square, b.rest / square + bends});
}

inline SinCosOf<LinearForm> sin_cos(const LinearForm& x) {
  const auto [s, c] = sin_cos(x.middle);
  const double bends = 0.5 * x.slope * x.slope + x.rest;
  return {rounded({s, c * x.slope, bends}), rounded({c, -s * x.slope, bends})};
}

// For springs (model/spring_law.hpp).

inline double value_of(const LinearForm& x) {
  return x.middle;
}
inline double uncertainty(const LinearForm& x) {
  return std::abs(x.slope) + x.rest;
}
inline LinearForm within(double rest, const LinearForm& /*like*/) {
  return {0.0, 0.0, rest};
}

}  // namespace armdyn
