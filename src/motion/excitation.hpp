#pragma once

// Fourier series of an excitation (docs/derivation.md, eq. 10.12).

#include <armdyn/trajectory.hpp>

#include "math/each.hpp"
#include "math/sin_cos.hpp"
#include "motion/trajectory_law.hpp"

namespace armdyn {

/// Series of a joint: sines A_k and cosines B_k of the harmonics k = 1…N, with Σ k A_k = 0 and
/// Σ k² B_k = 0.
struct FourierSeries {
  double center = 0.0;
  std::vector<double> A, B;
};

/// Functions of a harmonic k at a phase φ, common to all series.
template <class S>
struct Harmonic {
  S sine;     ///< sin kφ
  S versine;  ///< 1 − cos kφ
};

/// Harmonics k = 1…count at a phase.
template <class S>
std::vector<Harmonic<S>> harmonics(std::size_t count, const S& phase) {
  return each(in_order(count), [&phase](std::size_t before) -> Harmonic<S> {
    const auto k = static_cast<double>(before + 1);
    const auto [half_sin, half_cos] = sin_cos(S(k / 2 * phase));
    return {2.0 * half_sin * half_cos, 2.0 * half_sin * half_sin};
  });
}

/// Value and derivatives of a series at the phase φ = ω t of its harmonics (eq. 10.12): exactly
/// `center`, 0, 0 at φ = 0.
template <class S>
JointSample<S> evaluate(const FourierSeries& series, double omega,
                        const std::vector<Harmonic<S>>& at_phase) {
  JointSample<S> sum{S(series.center), S(0.0), S(0.0)};
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

/// Series of all joints with random coefficients, as large as the limits allow. Throws as `excite`.
[[nodiscard]] std::vector<FourierSeries> series_by_chance(const Excitation& wanted);

/// Changes the coefficients so that the joint rests without acceleration at the ends.
void rest_at_the_ends(FourierSeries& series);

/// Series times a factor, about the same center.
[[nodiscard]] FourierSeries scaled(FourierSeries series, double factor);

/// Largest factor that keeps a joint's series within its limits.
[[nodiscard]] double largest_factor(FourierSeries series, const Excitation& wanted,
                                    std::size_t joint);

/// Motion by the series of all joints, without rounding beyond the limits.
[[nodiscard]] Trajectory fourier_motion(const Excitation& wanted,
                                        const std::vector<FourierSeries>& joints);

}  // namespace armdyn
