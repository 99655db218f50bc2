#pragma once

#include <vector>

#include "math/sin_cos.hpp"
#include "motion/law.hpp"

namespace armdyn {

/// One joint's series: sines A_k and cosines B_k of the harmonics k = 1…N, with Σ k A_k = 0 and
/// Σ k² B_k = 0.
struct FourierSeries {
  double centre = 0.0;
  std::vector<double> A, B;
};

/// The series at the phase φ = ω t, with its derivatives (eq. 10.12). Exactly `centre`, 0, 0 at φ =
/// 0.
template <class S>
JointSample<S> evaluate(const FourierSeries& series, double omega, const S& phase) {
  JointSample<S> sum{S(series.centre), S(0.0), S(0.0)};
  for (std::size_t i = 0; i < series.A.size(); ++i) {
    const double k = static_cast<double>(i + 1);
    const auto [half_sin, half_cos] = sin_cos(S(k / 2 * phase));
    const S s = 2.0 * half_sin * half_cos;  // sin kφ
    const S v = 2.0 * half_sin * half_sin;  // 1 − cos kφ
    const double A = series.A[i], B = series.B[i];
    const double w = k * omega;
    sum.q = sum.q + A * s + B * v;
    sum.qd = sum.qd + w * (B * s - A * v);
    sum.qdd = sum.qdd - w * w * (A * s + B * v);
  }
  return sum;
}

}  // namespace armdyn
