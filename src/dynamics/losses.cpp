#include <armdyn/dynamics.hpp>

#include <cmath>

#include "math/sin_cos.hpp"

namespace armdyn {

namespace {

int direction_of(double velocity) {
  return velocity > 0.0 ? 1 : velocity < 0.0 ? -1 : 0;
}

/// Dry friction opposes motion: the level of that direction, with its sign; 0 at rest.
double signed_level(const TwoSided& level, int direction) {
  if (direction > 0) return level.positive;
  if (direction < 0) return -level.negative;
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

double friction_torque(const Friction& friction, double q, double qd, int direction) {
  const double c = signed_level(friction.coulomb, direction);
  const double s = signed_level(friction.breakaway.value_or(friction.coulomb), direction);
  const double dry = c + (s - c) * stribeck_factor(friction, qd);
  return ripple_factor(friction.ripple, q) * dry + friction.viscous * qd;
}

double motor_torque(const Motor& motor, double qd, double qdd, int direction) {
  const double G = motor.gear_ratio;
  return G * G * (motor.rotor_inertia * qdd + motor.viscous * qd) +
         std::abs(G) * signed_level(motor.coulomb, direction);
}

}  // namespace

double friction_torque(const Friction& friction, double q, double qd) {
  return friction_torque(friction, q, qd, direction_of(qd));
}

double motor_torque(const Motor& motor, double qd, double qdd) {
  return motor_torque(motor, qd, qdd, direction_of(qd));
}

double loss_torque(const Drive& drive, double q, double qd, int direction) {
  return friction_torque(drive.friction, q, qd, direction) +
         motor_torque(drive.motor, qd, 0.0, direction);
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
