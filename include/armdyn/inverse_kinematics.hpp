#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <span>
#include <vector>

// Which posture puts the hand where it is wanted (docs/derivation.md, 10.9).

namespace armdyn {

/// Where the tool frame is wanted in {0}.
struct HandGoal {
  Transform hand;
  bool any_orientation = false;  ///< its place alone counts
};

/// The posture with the hand at the goal that is nearest to `start`, of those that are found: the
/// one whose joints are off `start` least, the largest |Δq| counting, rad or m (eq. 10.23). One
/// within `ranges`, an entry per joint, is preferred to any other; revolute joints may turn by
/// whole turns for it. Throws NumericsError where no posture is found, with how near the hand
/// comes; std::invalid_argument where a size is wrong.
[[nodiscard]] std::vector<double> posture_near(const Arm& arm, std::span<const double> start,
                                               const HandGoal& goal, std::span<const Range> ranges);

}  // namespace armdyn
