#pragma once

// Power of the worst cycle found, by `size` (docs/derivation.md, sections 35 and 39).

#include <armdyn/robot.hpp>

#include <span>
#include <vector>

#include "sizing/sizing.hpp"

namespace armdyn {

/// A motion from rest to rest and back, as fast as limits of velocity and acceleration allow.
struct WorstCycle {
  std::vector<double> from{}, to{};
  Sizing sizing{};
  double rms = 0.0;  ///< of the power of all motors, W
};

/// The cycle with the largest peak of power, of many between random positions. `accelerations` are
/// those of the joints.
[[nodiscard]] WorstCycle worst_cycle(const Robot& robot, std::span<const double> accelerations);

}  // namespace armdyn
