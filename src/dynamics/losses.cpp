#include <armdyn/dynamics.hpp>

#include "dynamics/losses.hpp"

namespace armdyn {

double friction_torque(const Friction& friction, double q, double qd) {
  return friction_torque<double>(friction, q, qd, direction_of(qd));
}

double motor_torque(const Motor& motor, double qd, double qdd) {
  return motor_torque<double>(motor, qd, qdd, direction_of(qd));
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

std::vector<double> rotor_inertias(const Arm& arm) {
  std::vector<double> result;
  for (const Drive& drive : arm.drives) result.push_back(motor_torque(drive.motor, 0.0, 1.0));
  return result;
}

void add_losses(const Drive& drive, const LossColumns& motion, std::span<double> tau) {
  if (drive == Drive{}) return;
  const auto& [friction, motor] = drive;
  for (std::size_t row = 0; row < tau.size(); ++row) {
    const int direction = direction_of(motion.qd[row]);
    tau[row] += friction_torque<double>(friction, motion.q[row], motion.qd[row], direction) +
                motor_torque<double>(motor, motion.qd[row], motion.qdd[row], direction);
  }
}

void loss_torques(const Drive& drive, const LossColumns& motion, std::span<const int> directions,
                  std::span<double> losses) {
  const auto& [friction, motor] = drive;
  for (std::size_t row = 0; row < losses.size(); ++row) {
    losses[row] =
        friction_torque<double>(friction, motion.q[row], motion.qd[row], directions[row]) +
        motor_torque<double>(motor, motion.qd[row], 0.0, directions[row]);
  }
}

void subtract_losses(const Drive& drive, const LossColumns& motion, std::span<double> tau) {
  if (drive == Drive{}) return;
  const auto& [friction, motor] = drive;
  for (std::size_t row = 0; row < tau.size(); ++row) {
    const int direction = direction_of(motion.qd[row]);
    tau[row] = tau[row] -
               friction_torque<double>(friction, motion.q[row], motion.qd[row], direction) -
               motor_torque<double>(motor, motion.qd[row], 0.0, direction);
  }
}

}  // namespace armdyn
