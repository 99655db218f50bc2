#pragma once

#include <armdyn/robot.hpp>

#include <array>
#include <iterator>
#include <numbers>
#include <string_view>

// Kinds of joints: their names, units and default ranges.

namespace armdyn {

/// Chooses by the kind of a joint. A third kind would be a third parameter, without which no use of
/// this compiles.
template <class T>
[[nodiscard]] constexpr T by_kind(JointType type, T revolute, T prismatic) {
  switch (type) {
    case JointType::revolute:
      return revolute;
    case JointType::prismatic:
      return prismatic;
  }
  return revolute;
}

/// Word of robot files: "revolute", "prismatic".
[[nodiscard]] constexpr const char* name(JointType type) {
  return by_kind(type, "revolute", "prismatic");
}
/// "ball", "roller".
[[nodiscard]] constexpr const char* name(Bearing bearing) {
  return bearing == Bearing::ball ? "ball" : "roller";
}
/// 'R' or 'P'.
[[nodiscard]] constexpr char letter(JointType type) {
  return by_kind(type, 'R', 'P');
}
/// Words of robot files for kinds of joints.
inline constexpr std::array<std::string_view, 3> joint_words{name(JointType::revolute),
                                                             name(JointType::prismatic), "helical"};
[[nodiscard]] inline const char* name(const Joint& joint) {
  return joint.pitch ? joint_words.back().data() : name(joint.type);
}
/// 'R', 'P' or, of a helical joint, 'H'.
[[nodiscard]] inline char letter(const Joint& joint) {
  return joint.pitch ? 'H' : letter(joint.type);
}
/// Tests whether its position is an angle.
[[nodiscard]] constexpr bool is_turning(JointType type) {
  return by_kind(type, true, false);
}

/// Unit of a number of a robot, or of its motion.
enum class RobotUnit {
  none,
  mass,
  length,
  gravity,
  inertia,        ///< of a body or a rotor
  angle,          ///< in files in angle_unit
  radians,        ///< in files in rad
  position,       ///< of a joint
  speed,          ///< of a joint
  acceleration,   ///< of a joint
  jerk,           ///< of a joint
  effort,         ///< torque or force of a joint
  damping,        ///< effort over speed
  inverse_speed,  ///< of a joint
  per_position,   ///< of a joint
  joint_inertia,  ///< of the mass matrix's diagonal
  stiffness,      ///< effort over position
  motor_effort,
  motor_damping,
  motor_speed,         ///< of a rotor, and of a gear at its input
  torque_constant,     ///< torque over RMS current
  resistance,          ///< of a winding
  thermal_resistance,  ///< temperature over power
  heat_capacity,
  temperature,
  per_temperature,
  power,
  energy,
  hours,
};

/// Units of a revolute joint, in the order of RobotUnit.
inline constexpr const char* unit_texts[] = {
    "1",       "kg",     "m",         "m/s²",  "kg·m²",     "rad",   "rad",   "rad",
    "rad/s",   "rad/s²", "rad/s³",    "N·m",   "N·m·s/rad", "s/rad", "1/rad", "kg·m²",
    "N·m/rad", "N·m",    "N·m·s/rad", "rad/s", "N·m/A",     "Ω",     "K/W",   "J/K",
    "°C",      "1/K",    "W",         "J",     "h"};
/// Units of a prismatic joint, from RobotUnit::position to stiffness.
inline constexpr const char* sliding_unit_texts[] = {"m",     "m/s", "m/s²", "m/s³", "N",
                                                     "N·s/m", "s/m", "1/m",  "kg",   "N/m"};

/// "rad/s": of a joint of that kind.
[[nodiscard]] constexpr const char* unit_text(RobotUnit unit, JointType type) {
  const auto first = static_cast<std::size_t>(RobotUnit::position);
  const auto place = static_cast<std::size_t>(unit);
  const char* const turning = std::span(unit_texts)[place];
  if (unit < RobotUnit::position || unit > RobotUnit::stiffness) return turning;
  return by_kind(type, turning, std::span(sliding_unit_texts)[place - first]);
}
static_assert(std::size(unit_texts) == static_cast<std::size_t>(RobotUnit::hours) + 1);

/// "rad/s or m/s": of a joint of any kind.
[[nodiscard]] inline std::string unit_text(RobotUnit unit) {
  const std::string turning = unit_text(unit, JointType::revolute);
  const std::string sliding = unit_text(unit, JointType::prismatic);
  return turning == sliding ? turning : turning + " or " + sliding;
}

/// Range taken for a joint without limits: half a turn, or 1 m, each way.
[[nodiscard]] constexpr Range unlimited_range(JointType type) {
  const double most = by_kind(type, std::numbers::pi, 1.0);
  return {-most, most};
}

/// Range of a joint by its limits, else unlimited_range; rad or m.
[[nodiscard]] inline Range position_range(const Joint& joint) {
  return joint.limits.position.value_or(unlimited_range(joint.type));
}

}  // namespace armdyn
