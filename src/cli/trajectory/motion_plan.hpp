#pragma once

// From the options of `trajectory` to the motion that they describe, and what is said of it.

#include <armdyn/robot.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "cli/trajectory/options.hpp"
#include "report/document.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// A motion, and what is to be said of how it was found.
struct PlannedMotion {
  Trajectory motion;
  Sections found{};  ///< excitation, waypoints, time_optimal, slow_down: fields of docs/commands.md
  std::vector<double> peak_torque{};  ///< of an optimised excitation, per joint, N·m or N
  std::vector<MotorReach> motor_torques{};
  std::vector<std::string> warnings{};
};

/// The motion. Throws UsageError for lists and limits that do not fit the robot, InputError for a
/// wrong file of waypoints, NumericsError for a line that the hand cannot go, Interrupted.
[[nodiscard]] PlannedMotion plan_motion(const TrajectoryOptions& options, const Robot& robot);

/// Where its rows are. Throws UsageError for more than --max-rows.
[[nodiscard]] std::vector<double> row_times(const Trajectory& motion,
                                            const TrajectoryOptions& options);

/// What kind of motion it is, and what the robot says of the options: positions in rad or m. Throws
/// UsageError for lists that do not fit the robot.
[[nodiscard]] Json motion_data(const TrajectoryOptions& options, const Robot& robot,
                               const Trajectory& motion);

/// What motors that turn with several joints reach of their limits of velocity.
[[nodiscard]] std::vector<MotorReach> motor_speeds(const Trajectory& motion, const Robot& robot);

struct TrajectoryAnswer {
  Sections sections;                 ///< rows, t, joints, motors, hand, and what the plan found
  std::vector<std::string> broken;   ///< limits of the robot, one sentence each
  std::vector<std::string> remarks;  ///< joints that swing out of the range of waypoints
};

/// What is said of a motion that is written in so many rows. Throws NumericsError where it, or the
/// way of the hand, goes too far for a double.
[[nodiscard]] TrajectoryAnswer trajectory_answer(const TrajectoryOptions& options,
                                                 const Robot& robot, const PlannedMotion& plan,
                                                 std::size_t rows);

}  // namespace armdyn
