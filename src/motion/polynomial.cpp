#include "motion/polynomial.hpp"

#include <algorithm>

namespace armdyn {

const PolynomialPiece& PolynomialLaw::piece_at(double t) const {
  const auto after = std::upper_bound(
      pieces_.begin(), pieces_.end(), t,
      [](double time, const PolynomialPiece& piece) { return time < piece.begin; });
  return after == pieces_.begin() ? pieces_.front() : *std::prev(after);
}

void PolynomialLaw::at(double t, std::span<double> q, std::span<double> qd,
                       std::span<double> qdd) const {
  const PolynomialPiece& piece = piece_at(t);
  for (std::size_t i = 0; i < piece.joints.size(); ++i) {
    const JointSample<double> sample = evaluate(piece.joints[i], t - piece.anchor);
    q[i] = sample.q;
    qd[i] = sample.qd;
    qdd[i] = sample.qdd;
  }
}

}  // namespace armdyn
