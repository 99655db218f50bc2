#pragma once

#include <armdyn/arm.hpp>

#include <span>
#include <stdexcept>

namespace armdyn {

/// Throws std::invalid_argument unless each of the values has one entry per joint.
template <class... Values>
void require_one_per_joint(const Arm& arm, const Values&... values) {
  if (((values.size() != arm.dof()) || ...)) {
    throw std::invalid_argument("positions, velocities and accelerations need one entry per joint");
  }
}

}  // namespace armdyn
