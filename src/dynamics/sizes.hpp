#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include <span>
#include <stdexcept>

namespace armdyn {

/// Throws std::invalid_argument unless each of these spans has one entry per joint.
template <class A, class... Values>
void require_one_per_joint(const A& arm, const Values&... values) {
  if (((values.size() != arm.dof()) || ...)) {
    throw std::invalid_argument(
        "positions, velocities, accelerations, torques and results need one entry per joint");
  }
}

/// Throws std::invalid_argument unless q, q̇ and q̈ each have one entry per joint.
template <class A>
void require_one_per_joint(const A& arm, const MotionState& state) {
  require_one_per_joint(arm, state.q, state.qd, state.qdd);
}

}  // namespace armdyn
