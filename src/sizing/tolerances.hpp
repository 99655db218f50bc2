#pragma once

// What a cycle asks of drives at most, of all arms within tolerances (docs/derivation.md, 35.10).

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <vector>

#include "dynamics/sampled_robot.hpp"
#include "sizing/sizing.hpp"

namespace armdyn {

/// Of one torque over the cycle, N·m or N: proven bounds, and beside them the most that an arm was
/// found to have.
struct GuaranteedTorque {
  Range peak;                   ///< of its largest magnitude
  TimedValue found_peak;        ///< the largest found
  RobotSampler::Extreme arm{};  ///< that has it, and what its numbers add there
  double rms = 0.0;             ///< at most
  double found_rms = 0.0;       ///< the largest found, of whichever arm
};

struct GuaranteedNeed {
  GuaranteedTorque joint, motor;
};

/// Of each joint of the arms that `draws` has, whose middle is the robot. Throws Error as
/// RobotSampler::enclosed, and as size.
[[nodiscard]] std::vector<GuaranteedNeed> guaranteed_needs(const RobotSampler& draws,
                                                           const Robot& robot, const Cycle& cycle);

}  // namespace armdyn
