#include "report/joint_words.hpp"

#include <algorithm>

namespace armdyn {

bool has_torque_limit(const Robot& robot) {
  return std::ranges::any_of(robot.joints,
                             [](const Joint& joint) { return joint.limits.torque.has_value(); });
}

bool has_velocity_limit(const Robot& robot) {
  return std::ranges::any_of(robot.joints,
                             [](const Joint& joint) { return joint.limits.velocity.has_value(); });
}

bool has_acceleration_limit(const Robot& robot) {
  return std::ranges::any_of(
      robot.joints, [](const Joint& joint) { return joint.limits.acceleration.has_value(); });
}

std::vector<std::string> joint_names(const Robot& robot, const std::vector<std::size_t>& joints) {
  std::vector<std::string> names;
  names.reserve(joints.size());
  for (const std::size_t joint : joints) names.push_back(robot.joints[joint].name);
  return names;
}

std::string joint_types(const Robot& robot) {
  std::string types;
  for (const Joint& joint : robot.joints) types += letter(joint.type);
  return types;
}

}  // namespace armdyn
