#include "report/joint_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/text/number_text.hpp"

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

std::string motor_position(const Robot& robot, std::size_t i) {
  std::string text;
  const auto add = [&text](double value, const std::string& name) {
    if (value == 0.0) return;
    text += text.empty() ? (value < 0.0 ? "-" : "") : (value < 0.0 ? " - " : " + ");
    const bool is_plain = std::abs(value) == 1.0 && !name.empty();
    text += (is_plain ? "" : short_number(std::abs(value)) + (name.empty() ? "" : " ")) + name;
  };
  const Coupling* const coupling = find_coupling(robot, i);
  if (coupling == nullptr) {
    add(robot.joints[i].motor.gear_ratio, fmt::format("q{}", i + 1));
    return text;
  }
  const std::size_t m = coupling->place(i);
  for (std::size_t j = 0; j < coupling->joints.size(); ++j) {
    add(coupling->ratio(m, j), fmt::format("q{}", coupling->joints[j] + 1));
  }
  add(coupling->offsets[m], "");
  return text;
}

}  // namespace armdyn
