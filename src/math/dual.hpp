#pragma once

#include <cmath>

#include "math/sin_cos.hpp"

// A number that carries its own derivative.
//
// An algorithm like newton_euler.hpp turns joint positions into torques by sums, products, sines
// and cosines. Run on Duals in place of doubles, the same algorithm yields the torques and, beside
// them, their derivatives with respect to one chosen quantity: exact but for rounding, with no step
// to choose.
//
// A Dual is value + slope·ε, where ε is a number so small that ε² = 0. Calculating with it as with
// any sum, and dropping ε², is differentiating. Take the torque τ = 3 cos q + q² at q = 2, and how
// it changes with q. We seed q with slope 1, since dq/dq = 1, and 3 is a constant, of slope 0:
//
//     const Dual q{2.0, 1.0};                               // 2 + 1ε
//     const Dual tau = 3.0 * sin_cos(q).cos + q * q;
//
//     q * q           = (2 + 1ε)(2 + 1ε) = 4 + 4ε + ε²      = 4 + 4ε            product rule
//     sin_cos(q).cos  = cos 2 − sin 2 · 1ε                  = −0.416 − 0.909ε   chain rule
//     3.0 * that      =                                       −1.248 − 2.728ε
//     tau             =                                        2.752 + 1.272ε
//
// tau.value is τ(2), and tau.slope is dτ/dq = −3 sin q + 2q there. With several inputs, the seeds
// choose the direction: q2 alone seeded with 1 gives ∂τ/∂q2; all q seeded with q̇ give dτ/dt.
//
// Comparisons look at the value alone: a branch is differentiated on the side that is taken.

namespace armdyn {

struct Dual {
  double value = 0.0;
  double slope = 0.0;  ///< derivative of the value in the direction that the seeds chose

  constexpr Dual() = default;
  constexpr Dual(double constant) : value(constant) {}  // implicit: constants mix with Duals
  constexpr Dual(double v, double s) : value(v), slope(s) {}
};

constexpr Dual operator+(const Dual& u, const Dual& v) {
  return {u.value + v.value, u.slope + v.slope};
}
constexpr Dual operator-(const Dual& u, const Dual& v) {
  return {u.value - v.value, u.slope - v.slope};
}
constexpr Dual operator-(const Dual& u) {
  return {-u.value, -u.slope};
}

constexpr Dual operator*(const Dual& u, const Dual& v) {
  return {u.value * v.value, u.slope * v.value + u.value * v.slope};
}
constexpr Dual operator/(const Dual& u, const Dual& v) {
  const double quotient = u.value / v.value;
  return {quotient, (u.slope - quotient * v.slope) / v.value};
}

constexpr bool operator<(const Dual& u, double limit) {
  return u.value < limit;
}
constexpr bool operator>(const Dual& u, double limit) {
  return u.value > limit;
}

inline double modulus(const Dual& u) {
  return std::abs(u.value);
}

inline Dual exp(const Dual& u) {
  const double e = std::exp(u.value);
  return {e, e * u.slope};
}

inline Dual root(const Dual& u) {
  const double r = std::sqrt(u.value);
  return {r, u.slope / (2.0 * r)};
}

inline SinCosOf<Dual> sin_cos(const Dual& angle) {
  const auto [s, c] = sin_cos(angle.value);
  return {{s, c * angle.slope}, {c, -s * angle.slope}};
}

inline double value_of(const Dual& x) {
  return x.value;
}

}  // namespace armdyn
