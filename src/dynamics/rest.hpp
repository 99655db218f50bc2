#pragma once

// Joints at rest, and what static friction leaves unsaid of their torques.

#include <armdyn/robot.hpp>

#include <algorithm>
#include <cstddef>

#include "dynamics/friction.hpp"

namespace armdyn {

/// Tells whether a joint stands still; where motors turn with several joints, its motor.
template <class V>
bool stands_still(const Robot& robot, std::size_t joint, const V& qd) {
  const Coupling* const coupling = find_coupling(robot, joint);
  const double speed =
      coupling == nullptr ? qd[joint] : motor_rate<double>(*coupling, coupling->place(joint), qd);
  return speed == 0.0;
}

/// Distance of a measured torque of a joint that stands still, less the computed one, from what
/// static friction takes up.
[[nodiscard]] inline double beyond_static_friction(double residual, const TwoSided& held) {
  return residual - std::clamp(residual, -held.negative, held.positive);
}

}  // namespace armdyn
