#pragma once

#include <armdyn/simulation.hpp>

#include <optional>
#include <span>
#include <vector>

#include "simulation/joint_mode.hpp"

namespace armdyn {

/// q, q̇, work, work at the hand, losses (docs/derivation.md eq. 8.1).
using OdeState = std::vector<double>;

/// What follows from a state at its time.
struct Evaluation {
  OdeState dydt;
  std::vector<double> tau;
  Wrench hand;
  std::vector<double> margin;  ///< of sticking joints (8.7)
};

/// A joint that left all bounds.
struct Divergence {
  std::size_t joint;
  std::optional<double> qd;  ///< its speed; absent: its acceleration did, which no number can hold
};

/// Whether nothing touches the hand.
[[nodiscard]] inline bool is_free(const Wrench& hand) {
  return hand.force == Vec3{} && hand.moment == Vec3{};
}

/// A step of a motion, from (t, y), where the evaluation is `now`, by h; and what becomes of it.
struct MotionStep {
  /// How much of it is wanted: the state at its end, that evaluated, and margins in its middle.
  enum class Until { end, rates, middle };

  TorqueInput* input = nullptr;
  Integrator integrator = Integrator::rk4;  ///< one with a fixed step
  bool varies = true;                       ///< the torques do, with time or state
  double fastest = 0.0;                     ///< beyond it a joint diverges: rad/s, m/s
  std::span<const JointMode> modes;

  Until until = Until::end;
  double t = 0.0, h = 0.0;
  double t_end = 0.0;  ///< t + h, but for rounding
  const OdeState* y = nullptr;
  const Evaluation* now = nullptr;

  OdeState* y_end = nullptr;
  Evaluation* end = nullptr;
  std::vector<double>* middle_margin = nullptr;
  std::optional<Divergence> divergence;  ///< the first
  bool is_touched = false;               ///< there is a hand wrench
};

}  // namespace armdyn
