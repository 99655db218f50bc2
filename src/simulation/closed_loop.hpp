#pragma once

#include <armdyn/simulation.hpp>
#include <armdyn/vector.hpp>

#include <complex>

// Stability of the errors under computed torque (docs/derivation.md, section 11).

namespace armdyn {

/// Conditions of paper 003 on the gains, after its eq. (4.3), for a torque that acts at all times.
/// The conditions suffice; errors may die out without them.
struct GainConditions {
  bool Kv_is_nonnegative = false;  ///< (a) K_v symmetric, no eigenvalue below 0
  bool Kp_is_positive = false;     ///< (b) K_p symmetric, all eigenvalues above 0
  std::size_t rank = 0;  ///< (c) of [K_v | K_p K_v | … | K_pⁿ⁻¹ K_v], which must be n
  bool hold = false;     ///< all three
};

/// Tests the gains, both n×n, to twelve digits; throws std::invalid_argument for other sizes.
[[nodiscard]] GainConditions gain_conditions(const Matrix& Kp, const Matrix& Kv);

/// Free motions of the error.
struct LoopModes {
  enum class Stability {
    stable,
    unclear,  ///< an eigenvalue is at the edge of stability to the precision of doubles
    unstable,
  };
  Stability stability = Stability::unclear;
  double rate = 0.0;  ///< the error's slowest or growing part goes as exp(rate·t); 1/s
  std::vector<std::complex<double>> eigenvalues;  ///< the first decide the stability
};

/// Loop of computed torque by a model without error.
struct ClosedLoop {
  GainConditions conditions;
  LoopModes continuous;  ///< torque at all times: s of ë + K_v ė + K_p e + K_i ∫e = 0, 1/s (11.6)

  /// Modes from sample to sample: z of (11.7), with the controller's hold, delay and velocities from
  /// encoders, M and h being constant in between. None where the torque acts at all times, where the
  /// state of joints that the gains couple has more than 600 numbers, or where numbers overflow.
  std::optional<LoopModes> sampled;
};

/// Analyzes the loop. Throws std::invalid_argument where the gains are not square and of one size, or
/// resolutions are not one per joint.
[[nodiscard]] ClosedLoop closed_loop(const ControlOptions& options);

}  // namespace armdyn
