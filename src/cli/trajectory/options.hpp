#pragma once

#include <armdyn/trajectory.hpp>

#include "cli/options/option_list.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

/// The lists stay texts until the robot is known.
struct TrajectoryOptions : VerbOptions {
  std::string from, to;
  std::string to_tcp;     ///< instead of `to`: a pose of the TCP
  std::string via;        ///< a CSV file of waypoints; empty: none
  std::string along;      ///< a motion file whose path is to be taken; empty: none
  bool straight = false;  ///< straight-line TCP path
  bool time_optimal = false;
  std::optional<double> torque_share;  ///< share of those of the robot that counts
  bool excite = false;
  bool optimize = false;           ///< the excitation
  std::optional<double> duration;  ///< s
  std::string limits;              ///< empty: none
  double rate = 1000.0;            ///< rows per second
  double max_rows = 0.0;
  Profile profile = Profile::quintic;  ///< with `via` monotone, unless given
  TcpOrientation orientation = TcpOrientation::interpolated;
  int harmonics = 5;
  std::uint64_t seed = 1;
  bool stop = false;  ///< at all waypoints
  std::vector<ColumnChoice> columns{};
  bool no_header = false;
  bool ignore_extra = false;
  std::vector<std::string> topics;  ///< of a bag
  PlotOptions plot;
};

void declare(OptionList& list, TrajectoryOptions& options);
[[nodiscard]] Answer plan_trajectory(const TrajectoryOptions& options, Run& run);

// The motion that the options describe, and its answer.

/// A motion, and the answer's parts about how it was found.
struct PlannedMotion {
  Trajectory motion;
  Sections found{};                   ///< excitation, waypoints, time_optimal, slow_down
  std::vector<double> peak_torque{};  ///< of an optimized excitation, per joint, N·m or N
  std::vector<RowReach> motor_torques{};
  std::vector<Panel> panels{};  ///< beside those of the joints, where curves are shown
  Doubts doubts{};
  bool keeps_jerk = false;  ///< within limits
};

/// The motion. Throws UsageError for lists and limits that do not fit the robot, InputError for a
/// wrong file of waypoints, NumericsError for a line that the TCP cannot follow, Interrupted.
[[nodiscard]] PlannedMotion plan_motion(const TrajectoryOptions& options, Run& run);

/// Returns the times of its rows. Throws UsageError for more than --max-rows.
[[nodiscard]] std::vector<double> row_times(const Trajectory& motion,
                                            const TrajectoryOptions& options);

/// Returns the motion at these times. Throws Interrupted.
[[nodiscard]] RecordedRows motion_rows(const Trajectory& motion, std::vector<double> times,
                                       const Run& run);

/// Returns the kind of motion, and positions of the options in rad or m. Throws UsageError for
/// lists that do not fit the robot.
[[nodiscard]] Json motion_data(const TrajectoryOptions& options, const Robot& robot,
                               const Trajectory& motion);

/// Returns what a motion reaches of these limits but those of torque.
[[nodiscard]] std::vector<RowReach> row_reaches(const Trajectory& motion,
                                                const std::vector<RowLimit>& limits);

struct TrajectoryAnswer {
  Sections sections;                  ///< rows, t, joints, motors, `tcp`, and those of the plan
  std::vector<std::string> exceeded;  ///< limits of the robot, one sentence each
  std::vector<std::string> remarks;   ///< joints that swing out of the range of waypoints
};

/// Sums up a motion that is written in so many rows. Throws NumericsError where it, or the path of
/// the TCP, goes too far for a double.
[[nodiscard]] TrajectoryAnswer trajectory_answer(const TrajectoryOptions& options,
                                                 const Robot& robot, const PlannedMotion& plan,
                                                 std::size_t rows);

}  // namespace armdyn
