#pragma once

// From the options of `trajectory` to the motion that they describe.

#include <armdyn/arm.hpp>
#include <armdyn/trajectory.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/trajectory/answer.hpp"
#include "cli/trajectory/options.hpp"

namespace armdyn {

/// Options that have a default and belong to one kind of motion alone: which of them were given.
struct GivenOptions {
  bool profile = false, orientation = false, harmonics = false, seed = false, columns = false;
};

/// Throws UsageError where options do not go together, or what a motion needs is missing.
void refuse_contradictions(const TrajectoryOptions& options, const GivenOptions& given);

/// What kind of motion it is, and what the robot says of the options: positions in rad or m. Throws
/// UsageError for lists that do not fit the robot.
[[nodiscard]] Json motion_data(const TrajectoryOptions& options, const Robot& robot,
                               const Trajectory& motion);

/// What would keep a motion through waypoints within the limits, if it can be said.
[[nodiscard]] std::string advice_on_overshoot(const TrajectoryOptions& options);

/// That limits of jerk in the robot file do not count for this motion, if there are any.
[[nodiscard]] std::vector<std::string> unseen_jerk_limits(const TrajectoryOptions& options,
                                                          const Robot& robot);

/// A motion, and what is to be said of how it was found.
struct PlannedMotion {
  Trajectory motion;
  std::optional<OptimisedExcitation> optimised{};
  std::optional<PassedWaypoints> passed{};
  std::optional<TimeOptimalAnswer> time_optimal{};
  Fields slow_down{};  ///< of --torque-limits
  std::vector<std::string> warnings{};
};

/// The motion. Throws UsageError for lists and limits that do not fit the robot, InputError for a
/// wrong file of waypoints, NumericsError for a line that the hand cannot go, Interrupted.
[[nodiscard]] PlannedMotion plan_motion(const TrajectoryOptions& options, const Robot& robot);

/// Where its rows are. Throws UsageError for more than --max-rows.
[[nodiscard]] std::vector<double> row_times(const Trajectory& motion,
                                            const TrajectoryOptions& options);

}  // namespace armdyn
