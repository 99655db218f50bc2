#pragma once

// The series behind an excitation (docs/derivation.md, eq. 10.12).

#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <vector>

#include "math/sin_cos.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

/// One joint's series: sines A_k and cosines B_k of the harmonics k = 1…N, with Σ k A_k = 0 and
/// Σ k² B_k = 0.
struct FourierSeries {
  double centre = 0.0;
  std::vector<double> A, B;
};

/// Functions that all series have in common at a phase.
template <class S>
struct Harmonic {
  S sine;     ///< sin kφ
  S versine;  ///< 1 − cos kφ
};

/// Computes those of k = 1…count at the phase φ.
template <class S>
std::vector<Harmonic<S>> harmonics(std::size_t count, const S& phase) {
  std::vector<Harmonic<S>> all;
  all.reserve(count);
  for (std::size_t k = 1; k <= count; ++k) {
    const auto [half_sin, half_cos] = sin_cos(S(static_cast<double>(k) / 2 * phase));
    all.push_back({2.0 * half_sin * half_cos, 2.0 * half_sin * half_sin});
  }
  return all;
}

/// The series at the phase φ = ω t of its harmonics, with its derivatives (eq. 10.12). Exactly
/// `centre`, 0, 0 at φ = 0.
template <class S>
JointSample<S> evaluate(const FourierSeries& series, double omega,
                        const std::vector<Harmonic<S>>& at_phase) {
  JointSample<S> sum{S(series.centre), S(0.0), S(0.0)};
  for (std::size_t i = 0; i < series.A.size(); ++i) {
    const auto& [s, v] = at_phase[i];
    const double A = series.A[i], B = series.B[i];
    const double w = static_cast<double>(i + 1) * omega;
    sum.q = sum.q + A * s + B * v;
    sum.qd = sum.qd + w * (B * s - A * v);
    sum.qdd = sum.qdd - w * w * (A * s + B * v);
  }
  return sum;
}

/// One series per joint with coefficients by chance, as large as its limits allow. Throws as
/// `excite`.
[[nodiscard]] std::vector<FourierSeries> series_by_chance(const Excitation& wanted);

/// Takes from the coefficients what keeps a joint from resting without acceleration at the ends.
void rest_at_the_ends(FourierSeries& series);

/// A series times a factor; the centre stays.
[[nodiscard]] FourierSeries scaled(FourierSeries series, double factor);

/// The largest factor that keeps a joint's series within its limits.
[[nodiscard]] double largest_factor(FourierSeries series, const Excitation& wanted,
                                    std::size_t joint);

/// The motion of one series per joint, less what rounding adds at the limits.
[[nodiscard]] Trajectory fourier_motion(const Excitation& wanted,
                                        const std::vector<FourierSeries>& joints);

}  // namespace armdyn
