#include "model/motor_side.hpp"

#include <armdyn/eigen.hpp>

#include <algorithm>

#include "math/linear_algebra.hpp"

namespace armdyn {

MotorSide::MotorSide(const Robot& robot)
    : of_joints_(robot.dof(), robot.dof()), offsets_(robot.dof()) {
  const std::size_t n = robot.dof();
  for (std::size_t i = 0; i < n; ++i) {
    of_joints_(i, i) = robot.joints[i].motor.gear_ratio;
    is_joint_side_ = is_joint_side_ && of_joints_(i, i) == 1.0;
  }
  for (const Coupling& coupling : robot.couplings) {
    is_joint_side_ = false;
    for (std::size_t m = 0; m < coupling.joints.size(); ++m) {
      offsets_[coupling.joints[m]] = coupling.offsets[m];
      for (std::size_t j = 0; j < coupling.joints.size(); ++j) {
        of_joints_(coupling.joints[m], coupling.joints[j]) = coupling.ratio(m, j);
      }
    }
  }
  of_motors_ = matrix(inverse(eigen(of_joints_)));
}

void MotorSide::to_positions(std::span<double> motors) const {
  for (std::size_t i = 0; i < motors.size(); ++i) motors[i] -= offsets_[i];
  to_rates(motors);
}

void MotorSide::to_rates(std::span<double> motors) const {
  std::vector<double> joints(motors.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    for (std::size_t j = 0; j < joints.size(); ++j) joints[i] += of_motors_(i, j) * motors[j];
  }
  std::ranges::copy(joints, motors.begin());
}

void MotorSide::to_torques(std::span<double> motors) const {
  std::vector<double> joints(motors.size());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    for (std::size_t j = 0; j < joints.size(); ++j) joints[i] += of_joints_(j, i) * motors[j];
  }
  std::ranges::copy(joints, motors.begin());
}

}  // namespace armdyn
