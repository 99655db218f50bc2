#pragma once

#include <armdyn/arm.hpp>

#include <cmath>
#include <span>
#include <vector>

#include "math/sin_cos.hpp"

// Friction and rotors of one joint (docs/derivation.md, section 4), for a joint that slides in
// `direction`: 1, −1, or 0 for no dry friction.

namespace armdyn {

template <class S>
int direction_of(const S& velocity) {
  return velocity > 0.0 ? 1 : velocity < 0.0 ? -1 : 0;
}

/// Dry friction opposes motion: the level of that direction, with its sign; 0 at rest.
inline double signed_level(const TwoSided& level, int direction) {
  if (direction > 0) return level.positive;
  if (direction < 0) return -level.negative;
  return 0.0;
}

template <class S>
S ripple_factor(const Ripple& ripple, const S& q) {
  if (ripple.amplitude == 0.0) return S(1.0);
  return 1.0 + ripple.amplitude * sin_cos(ripple.phase + ripple.harmonic * q).cos;
}

/// exp(−(q̇/v_s)²): how much of the breakaway level is left at this speed.
template <class S>
S stribeck_factor(const Friction& friction, const S& qd) {
  if (!friction.breakaway || friction.stribeck_velocity == 0.0) return S(0.0);
  using std::exp;
  const S ratio = qd / friction.stribeck_velocity;
  return exp(-ratio * ratio);
}

template <class S>
S friction_torque(const Friction& friction, const S& q, const S& qd, int direction) {  // (4.1)
  const double c = signed_level(friction.coulomb, direction);
  const double s = signed_level(friction.breakaway.value_or(friction.coulomb), direction);
  const S dry = c + (s - c) * stribeck_factor(friction, qd);
  return ripple_factor(friction.ripple, q) * dry + friction.viscous * qd;
}

template <class S>
S motor_torque(const Motor& motor, const S& qd, const S& qdd, int direction) {  // (4.2)
  const double G = motor.gear_ratio;
  return std::abs(G) * signed_level(motor.coulomb, direction) +
         G * G * (motor.rotor_inertia * qdd + motor.viscous * qd);
}

/// Reflected rotor inertia of each joint, kg·m² or kg: what motor and gear add to the diagonal of
/// M.
[[nodiscard]] std::vector<double> rotor_inertias(const Arm& arm);

/// Columns of one joint, of equal length.
struct LossColumns {
  std::span<const double> q, qd, qdd;
};

/// Adds to τ what friction and motor take, as friction_torque and motor_torque say.
void add_losses(const Drive& drive, const LossColumns& motion, std::span<double> tau);
/// Takes from τ the same but the rotor's inertia; qdd is not read.
void subtract_losses(const Drive& drive, const LossColumns& motion, std::span<double> tau);
/// What loss_torque says, for joints that slide each in its direction; qdd is not read.
void loss_torques(const Drive& drive, const LossColumns& motion, std::span<const int> directions,
                  std::span<double> losses);

}  // namespace armdyn
