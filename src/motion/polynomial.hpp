#pragma once

#include <array>
#include <vector>

#include "motion/law.hpp"

// Motions made of polynomials (docs/derivation.md, 10.1). Each piece is written about an anchor, a
// time at which the values are known, so that they are met exactly there.

namespace armdyn {

/// c_0 + c_1 x + … + c_7 x⁷ in the time x since the anchor.
using Polynomial = std::array<double, 8>;

/// The polynomial and its first two derivatives by Horner's rule (eq. 10.1).
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

/// The same polynomial in −x.
inline Polynomial mirrored(Polynomial c) {
  for (std::size_t k = 1; k < c.size(); k += 2) c[k] = -c[k];
  return c;
}

/// All joints, from `begin` to the next piece's.
struct PolynomialPiece {
  double begin = 0.0;
  double anchor = 0.0;
  std::vector<Polynomial> joints;
};

class PolynomialLaw final : public TrajectoryLaw {
 public:
  PolynomialLaw(std::vector<double> times, std::vector<PolynomialPiece> pieces)
      : TrajectoryLaw(std::move(times)), pieces_(std::move(pieces)) {}

  [[nodiscard]] std::size_t dof() const override { return pieces_.front().joints.size(); }
  void at(double t, std::span<double> q, std::span<double> qd,
          std::span<double> qdd) const override;

  [[nodiscard]] const PolynomialPiece& piece_at(double t) const;

 private:
  std::vector<PolynomialPiece> pieces_;
};

}  // namespace armdyn
