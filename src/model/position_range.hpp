#pragma once

#include <armdyn/robot.hpp>

#include <numbers>

namespace armdyn {

/// Where a joint without limits is looked at: a turn, or 1 m each way.
[[nodiscard]] constexpr Range unlimited_range(JointType type) {
  const double most = type == JointType::revolute ? std::numbers::pi : 1.0;
  return {-most, most};
}

/// Where a joint is looked at, rad or m.
[[nodiscard]] inline Range position_range(const Joint& joint) {
  return joint.limits.position.value_or(unlimited_range(joint.type));
}

}  // namespace armdyn
