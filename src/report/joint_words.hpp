#pragma once

// The units of a joint's quantities, and what its type is called.

#include <armdyn/robot.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "model/joint_kind.hpp"

namespace armdyn {

[[nodiscard]] constexpr bool turns(const Joint& joint) {
  return is_turning(joint.type);
}

[[nodiscard]] constexpr const char* position_unit(const Joint& joint) {
  return unit_text(RobotUnit::position, joint.type);
}
[[nodiscard]] constexpr const char* speed_unit(const Joint& joint) {
  return unit_text(RobotUnit::speed, joint.type);
}
[[nodiscard]] constexpr const char* acceleration_unit(const Joint& joint) {
  return unit_text(RobotUnit::acceleration, joint.type);
}
[[nodiscard]] constexpr const char* torque_unit(const Joint& joint) {
  return unit_text(RobotUnit::effort, joint.type);
}
/// Of the mass matrix's diagonal.
[[nodiscard]] constexpr const char* inertia_unit(const Joint& joint) {
  return unit_text(RobotUnit::joint_inertia, joint.type);
}

/// Whether some joint has a limit of torque.
[[nodiscard]] bool has_torque_limit(const Robot& robot);
/// Whether some joint has a limit of velocity.
[[nodiscard]] bool has_velocity_limit(const Robot& robot);
/// Whether some joint has a limit of acceleration.
[[nodiscard]] bool has_acceleration_limit(const Robot& robot);

/// Of those joints.
[[nodiscard]] std::vector<std::string> joint_names(const Robot& robot,
                                                   const std::vector<std::size_t>& joints);
/// "45 q5", "32 q5 + 32 q6 + 0.1": the position of joint i's motor, rad, by those of the joints.
[[nodiscard]] std::string motor_position(const Robot& robot, std::size_t i);
/// "RRPRRR": the joints from base to hand.
[[nodiscard]] std::string joint_types(const Robot& robot);

/// standard or modified.
[[nodiscard]] constexpr const char* name(Convention convention) {
  return convention == Convention::standard ? "standard" : "modified";
}

}  // namespace armdyn
