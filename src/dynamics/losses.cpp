#include <armdyn/dynamics.hpp>

#include <cmath>

#include "math/sin_cos.hpp"

namespace armdyn {

namespace {

/// Dry friction opposes motion: the level of that direction, with its sign; 0 at rest.
double signed_level(const TwoSided& level, double velocity) {
  if (velocity > 0.0) return level.positive;
  if (velocity < 0.0) return -level.negative;
  return 0.0;
}

double ripple_factor(const Ripple& ripple, double q) {
  if (ripple.amplitude == 0.0) return 1.0;
  return 1.0 + ripple.amplitude * sin_cos(ripple.harmonic * q + ripple.phase).cos;
}

/// exp(−(q̇/v_s)²): how much of the breakaway level is left at this speed.
double stribeck_factor(const Friction& friction, double qd) {
  if (!friction.breakaway || friction.stribeck_velocity == 0.0) return 0.0;
  const double ratio = qd / friction.stribeck_velocity;
  return std::exp(-ratio * ratio);
}

}  // namespace

double friction_torque(const Friction& friction, double q, double qd) {
  const double c = signed_level(friction.coulomb, qd);
  const double s = signed_level(friction.breakaway.value_or(friction.coulomb), qd);
  const double dry = c + (s - c) * stribeck_factor(friction, qd);
  return ripple_factor(friction.ripple, q) * dry + friction.viscous * qd;
}

double motor_torque(const Motor& motor, double qd, double qdd) {
  const double G = motor.gear_ratio;
  return G * G * (motor.rotor_inertia * qdd + motor.viscous * qd) +
         std::abs(G) * signed_level(motor.coulomb, qd);
}

TwoSided breakaway_torque(const Drive& drive, double q) {
  const TwoSided& joint = drive.friction.breakaway.value_or(drive.friction.coulomb);
  const TwoSided& motor = drive.motor.coulomb;
  const double ripple = ripple_factor(drive.friction.ripple, q);
  const double G = std::abs(drive.motor.gear_ratio);
  return {ripple * joint.positive + G * motor.positive,
          ripple * joint.negative + G * motor.negative};
}

}  // namespace armdyn
