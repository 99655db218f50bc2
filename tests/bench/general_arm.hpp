#pragma once

#include <armdyn/robot.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace armdyn::bench {

/// A chain of revolute joints with no zero and no right angle anywhere; `viscous` friction in each.
inline Robot general_robot(std::size_t dof, double viscous = 0.0) {
  Robot robot;
  robot.convention = Convention::modified;
  for (std::size_t i = 0; i < dof; ++i) {
    Joint joint;
    joint.dh = {0.21, 0.7, 0.13, 0.4};
    joint.body = {2.3, {0.05, -0.07, 0.11}, {0.31, 0.43, 0.57, 0.011, -0.023, 0.037}};
    joint.friction.viscous = viscous;
    robot.joints.push_back(joint);
  }
  return robot;
}
inline Arm general_arm(std::size_t dof, double viscous = 0.0) {
  return normalize(general_robot(dof, viscous));
}

/// The robot without friction and motors.
inline Robot links_of(Robot robot) {
  for (Joint& joint : robot.joints) {
    joint.friction = {};
    joint.motor = {};
  }
  robot.couplings.clear();
  return robot;
}

inline std::vector<double> some_values(std::size_t count, double phase) {
  std::vector<double> values;
  while (values.size() < count) {
    values.push_back(std::sin(1.3 * static_cast<double>(values.size()) + phase));
  }
  return values;
}

}  // namespace armdyn::bench
