#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "motion/joint_path.hpp"
#include "support/motion_row.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {

/// A bar that swings about a level axis, G = 9.81 cos q, inertia 1 kg·m².
inline Robot pendulum() {
  Robot robot;
  robot.name = "pendulum";
  robot.convention = Convention::modified;
  robot.gravity = {0.0, -9.81, 0.0};
  Joint swing;
  swing.name = "swing";
  swing.body.mass = 1.0;
  swing.body.com = {1.0, 0.0, 0.0};
  robot.joints = {swing};
  return robot;
}

/// A random arm with friction, rotors, and two of whose motors are coupled.
inline Robot driven_arm(RandomArm& random, std::size_t dof) {
  Robot robot = random.robot(dof);
  const auto level = [&](double most) { return std::abs(random.numbers(1, most)[0]); };
  for (Joint& joint : robot.joints) {
    joint.friction.viscous = level(3.0);
    joint.friction.coulomb = {level(2.0), level(2.0)};
    joint.motor.gear_ratio = 20.0;
    joint.motor.rotor_inertia = level(0.003);
    joint.motor.coulomb = {level(0.05), level(0.05)};
  }
  if (dof < 3) return robot;
  Coupling coupling{{dof - 2, dof - 1}, {40.0, 3.0, -5.0, 30.0}, {0.0, 0.0}};
  for (const std::size_t i : coupling.joints) {
    robot.joints[i].friction = {};
    robot.joints[i].motor.gear_ratio = 1.0;
  }
  robot.couplings.push_back(coupling);
  return robot;
}

/// Limits of torque that leave some to move with on a path: `factor` times what each joint holds at
/// most, 5 N·m or N at least, and `more`.
inline void limit_torques(Robot& robot, const JointPath& path, double factor, double more) {
  const std::size_t dof = robot.dof();
  InverseDynamics dynamics(normalize(robot));
  std::vector<double> tau(dof), zero(dof), most(dof, 5.0);
  for (double share = 0.0; share <= 1.0; share += 0.01) {
    const std::vector<double> q = path.positions(share * path.knots().back());
    dynamics.torque({q, zero, zero}, {}, tau);
    for (std::size_t i = 0; i < dof; ++i) most[i] = std::max(most[i], std::abs(tau[i]));
  }
  for (std::size_t i = 0; i < dof; ++i) {
    robot.joints[i].limits.torque = factor * most[i] + more;
  }
}

/// The path through points in joint space, which it does not stop at.
inline JointPath path_of(const std::vector<std::vector<double>>& points) {
  std::vector<PathPoint> through;
  for (const std::vector<double>& q : points) through.push_back({q});
  return path_through(through).path;
}

/// The largest share of a limit of the robot that a state asks for, coupled motors of two joints
/// written out.
inline double limit_share(const Robot& robot, InverseDynamics& dynamics, const MotionRow& row,
                          const Wrench& wrench = {}) {
  std::vector<double> tau(robot.dof());
  dynamics.torque({row.q, row.qd, row.qdd}, wrench, tau);
  double most = 0.0;
  const auto raise = [&](double value, double limit) {
    most = std::max(most, std::abs(value) / limit);
  };
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Limits& limits = robot.joints[i].limits;
    if (limits.torque) raise(tau[i], *limits.torque);
    if (limits.velocity) raise(row.qd[i], *limits.velocity);
    if (limits.acceleration) raise(row.qdd[i], *limits.acceleration);
  }
  for (const Coupling& coupling : robot.couplings) {
    const std::vector<double>& A = coupling.matrix;
    const std::size_t i = coupling.joints[0], j = coupling.joints[1];
    const double determinant = A[0] * A[3] - A[1] * A[2];
    if (!coupling.velocity_limits.empty()) {
      raise(A[0] * row.qd[i] + A[1] * row.qd[j], coupling.velocity_limits[0]);
      raise(A[2] * row.qd[i] + A[3] * row.qd[j], coupling.velocity_limits[1]);
    }
    if (!coupling.torque_limits.empty()) {  // A⁻ᵀ τ
      raise((A[3] * tau[i] - A[2] * tau[j]) / determinant, coupling.torque_limits[0]);
      raise((A[0] * tau[j] - A[1] * tau[i]) / determinant, coupling.torque_limits[1]);
    }
  }
  return most;
}

}  // namespace armdyn::testing
