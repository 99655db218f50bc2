#pragma once

#include <armdyn/robot.hpp>

#include <numbers>

#include "model/joint_kind.hpp"

namespace armdyn {

/// Whether a position of this joint, in rad, was probably meant in degrees: it is beyond two turns.
[[nodiscard]] constexpr bool looks_like_degrees(const Joint& joint, double q) {
  constexpr double two_turns = 4.0 * std::numbers::pi;
  return is_turning(joint.type) && (q > two_turns || q < -two_turns);
}

}  // namespace armdyn
