#pragma once

// Options of `track`, and their controller.

#include <armdyn/simulation.hpp>

#include "cli/options/option_list.hpp"
#include "log/columns.hpp"
#include "simulation/closed_loop.hpp"

namespace armdyn {

/// The lists and gains stay texts until the robot is known.
struct TrackOptions : VerbOptions {
  std::string motion = "-";
  ControlOptions control;  ///< without what depends on the robot
  std::string kp, kv;      ///< empty: those of paper 003
  std::string ki;          ///< empty: none
  RobotOptions model;      ///< the controller's model of the arm; no name: the arm itself
  std::string encoder;     ///< empty: exact
  bool saturate = false;
  std::string q0, qd0;           ///< empty: on the motion
  std::optional<double> hold;    ///< at the end of the motion, s
  bool desired = false;          ///< write its columns
  SimulationOptions simulation;  ///< without the start
  ColumnOptions columns;
  std::vector<std::string> topics;  ///< of a bag
  std::string max_error;            ///< of |e|, as the list of --encoder; empty: any
  PlotOptions plot;
};

[[nodiscard]] Answer track(const TrackOptions& options, Run& run);

/// The controllers by their names.
[[nodiscard]] const Choices<Controller>& controller_choices();

/// The controller of this arm. Throws UsageError for lists that do not fit it.
[[nodiscard]] ControlOptions control_options(const TrackOptions& options, const Robot& robot);

/// The closed loop of computed torque; none of other controllers, whose gains act through M, so
/// that their loops change with the position.
[[nodiscard]] std::optional<ClosedLoop> known_loop(const ControlOptions& control);

/// Advice about errors that grow under this controller; empty where its torque acts at all times,
/// so that the steps of the simulation may be to blame.
[[nodiscard]] std::string if_errors_grow(const ControlOptions& control,
                                         const std::optional<ClosedLoop>& loop);

/// Advice about joints that stick under this controller, to follow a message.
[[nodiscard]] std::string if_joints_stick(const ControlOptions& control);

/// Remarks on a controller whose errors may grow.
[[nodiscard]] std::vector<std::string> control_remarks(const ControlOptions& control,
                                                       const std::optional<ClosedLoop>& loop);

/// Sections on the growth or decay of small errors under these gains, and for people who see `all`
/// on the conditions of paper 003.
[[nodiscard]] Sections loop_sections(const ControlOptions& control,
                                     const std::optional<ClosedLoop>& loop, bool all);

}  // namespace armdyn
