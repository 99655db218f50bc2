#pragma once

// Values of formulas of parameters (docs/robot-file.md), and how far off they may be.

#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "model/formula.hpp"

namespace armdyn {

/// A number from a file, and the largest distance of the meant number from it by the file's decimals.
/// A scalar of formulas (formula.hpp).
struct Ranged {
  double value = 0.0, radius = 0.0;

  Ranged() = default;
  Ranged(double exact) : value(exact) {}  // implicit: numbers within formulas are exact
  Ranged(double number, double within) : value(number), radius(within) {}
};

inline Ranged operator-(const Ranged& a) {
  return {-a.value, a.radius};
}
inline Ranged operator+(const Ranged& a, const Ranged& b) {
  return {a.value + b.value, a.radius + b.radius};
}
inline Ranged operator-(const Ranged& a, const Ranged& b) {
  return a + -b;
}
inline Ranged operator*(const Ranged& a, const Ranged& b) {
  return {a.value * b.value,
          std::abs(a.value) * b.radius + std::abs(b.value) * a.radius + a.radius * b.radius};
}
inline Ranged operator/(const Ranged& a, const Ranged& b) {
  const double least = std::abs(b.value) - b.radius;
  const double quotient = a.value / b.value;
  return {quotient, least > 0.0 ? (a.radius + std::abs(quotient) * b.radius) / least
                                : std::numeric_limits<double>::infinity()};
}
inline bool is_zero(const Ranged& x) {
  return x.value == 0.0;
}
inline Ranged root(const Ranged& x) {
  const double value = std::sqrt(x.value);
  return {value, x.radius == 0.0 ? 0.0 : std::min(x.radius / value, std::sqrt(x.radius))};
}
/// Power: with a whole exponent a product, else of a base above 0; monotonic in both.
inline Ranged power(const Ranged& base, const Ranged& exponent) {
  Ranged result = power(base.value, exponent.value);
  for (const double b : {base.value - base.radius, base.value + base.radius}) {
    for (const double e : {exponent.value - exponent.radius, exponent.value + exponent.radius}) {
      result.radius = std::max(result.radius, std::abs(power(b, e) - result.value));
    }
  }
  return result;
}
inline SinCosOf<Ranged> sine_and_cosine(const Ranged& angle) {
  const auto [s, c] = constant_angle(angle.value);
  return {{s, angle.radius}, {c, angle.radius}};
}
inline SinCosOf<Ranged> sin_cos(const Ranged& angle) {
  return sine_and_cosine(angle);
}

/// Value of a formula, without a name. Throws FormulaError.
[[nodiscard]] Parameter evaluate(std::string_view formula, const std::vector<Parameter>& known);

}  // namespace armdyn
