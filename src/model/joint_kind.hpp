#pragma once

#include <armdyn/robot.hpp>

#include <numbers>
#include <string>

// The kinds of joints: what they are called, what they move in, and how far.

namespace armdyn {

/// One of two, by the kind of a joint. A third kind is a third parameter, without which no use of
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

/// "revolute", "prismatic", as robot files have it.
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
/// Whether its position is an angle.
[[nodiscard]] constexpr bool is_turning(JointType type) {
  return by_kind(type, true, false);
}

/// What a number of a robot, or of its motion, is measured in.
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

/// "rad/s": of a joint of that kind.
[[nodiscard]] constexpr const char* unit_text(RobotUnit unit, JointType type) {
  switch (unit) {
    case RobotUnit::none:
      return "1";
    case RobotUnit::mass:
      return "kg";
    case RobotUnit::length:
      return "m";
    case RobotUnit::gravity:
      return "m/s²";
    case RobotUnit::inertia:
      return "kg·m²";
    case RobotUnit::angle:
    case RobotUnit::radians:
      return "rad";
    case RobotUnit::position:
      return by_kind(type, "rad", "m");
    case RobotUnit::speed:
      return by_kind(type, "rad/s", "m/s");
    case RobotUnit::acceleration:
      return by_kind(type, "rad/s²", "m/s²");
    case RobotUnit::jerk:
      return by_kind(type, "rad/s³", "m/s³");
    case RobotUnit::effort:
      return by_kind(type, "N·m", "N");
    case RobotUnit::damping:
      return by_kind(type, "N·m·s/rad", "N·s/m");
    case RobotUnit::inverse_speed:
      return by_kind(type, "s/rad", "s/m");
    case RobotUnit::per_position:
      return by_kind(type, "1/rad", "1/m");
    case RobotUnit::joint_inertia:
      return by_kind(type, "kg·m²", "kg");
    case RobotUnit::motor_effort:
      return "N·m";
    case RobotUnit::motor_damping:
      return "N·m·s/rad";
    case RobotUnit::motor_speed:
      return "rad/s";
    case RobotUnit::torque_constant:
      return "N·m/A";
    case RobotUnit::resistance:
      return "Ω";
    case RobotUnit::thermal_resistance:
      return "K/W";
    case RobotUnit::heat_capacity:
      return "J/K";
    case RobotUnit::temperature:
      return "°C";
    case RobotUnit::per_temperature:
      return "1/K";
    case RobotUnit::power:
      return "W";
    case RobotUnit::energy:
      return "J";
    case RobotUnit::hours:
      return "h";
  }
  return "";
}

/// "rad/s or m/s": of a joint of any kind.
[[nodiscard]] inline std::string unit_text(RobotUnit unit) {
  const std::string turning = unit_text(unit, JointType::revolute);
  const std::string sliding = unit_text(unit, JointType::prismatic);
  return turning == sliding ? turning : turning + " or " + sliding;
}

/// Where a joint without limits is looked at: a turn, or 1 m each way.
[[nodiscard]] constexpr Range unlimited_range(JointType type) {
  const double most = by_kind(type, std::numbers::pi, 1.0);
  return {-most, most};
}

/// Where a joint is looked at, rad or m.
[[nodiscard]] inline Range position_range(const Joint& joint) {
  return joint.limits.position.value_or(unlimited_range(joint.type));
}

}  // namespace armdyn
