#pragma once

#include <armdyn/trajectory.hpp>

#include <array>

#include "motion/trajectory_law.hpp"

namespace armdyn {

// Motions made of polynomials (docs/derivation.md, 10.1). Each piece is written about an anchor, a
// time at which its values are met exactly.

/// c_0 + c_1 x + … + c_7 x⁷ in the time x since the anchor.
using Polynomial = std::array<double, 8>;

/// Value and first two derivatives of a polynomial by Horner's rule (eq. 10.1).
template <class S>
JointSample<S> evaluate(const Polynomial& c, const S& x) {
  S value(0.0), first(0.0), half_second(0.0);
  for (std::size_t k = c.size(); k-- > 0;) {
    half_second = half_second * x + first;
    first = first * x + value;
    value = value * x + c[k];
  }
  return {value, first, half_second + half_second};
}

/// Polynomials of all joints, from `begin` to the next piece's.
struct PolynomialPiece {
  double begin = 0.0;
  double anchor = 0.0;
  std::vector<Polynomial> joints;
};

/// A motion by its pieces.
struct PolynomialPieces {
  std::vector<PolynomialPiece> pieces;

  [[nodiscard]] const PolynomialPiece& at(double t) const;
  void operator()(double t, const InstantRoom& room) const;
};

/// Number of derivatives from the 0th on that a spline of this profile meets at its ends; nothing for
/// other profiles.
[[nodiscard]] std::optional<std::size_t> end_conditions(Profile profile);

/// Spline of degree 2m − 1 through the rows of `q` at the times `t`: derivatives up to the
/// (2m − 2)th are continuous, those from the first to the (m − 1)th vanish at the ends (eq. 10.6).
/// m is 2, 3 or 4; there are at least two rows, and t increases.
[[nodiscard]] Trajectory spline_through(std::span<const double> t,
                                        const std::vector<std::vector<double>>& q, std::size_t m);

/// Spline of that profile through waypoints, where neighbors differ, at their times,
/// else of the duration of `timing`, else within its limits; stops do not count.
[[nodiscard]] Trajectory spline_motion(const Waypoints& waypoints, Profile profile,
                                       const Timing& timing);

/// Polynomial in the time since the left end with the given derivatives 0…m−1 at both ends of a
/// stretch of length h (eq. 10.5).
[[nodiscard]] Polynomial hermite(double h, std::span<const double> left,
                                 std::span<const double> right);

/// The same polynomial in the time since the right end, which is met exactly.
[[nodiscard]] Polynomial hermite_about_end(double h, std::span<const double> left,
                                           std::span<const double> right);

}  // namespace armdyn
