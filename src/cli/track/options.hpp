#pragma once

#include <armdyn/simulation.hpp>

#include <optional>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "io/plot/plot.hpp"
#include "report/say.hpp"

namespace armdyn {

/// The lists and gains stay texts until the robot is known.
struct TrackOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  ControlOptions control;  ///< without what depends on the robot
  std::string kp, kv;      ///< empty: those of paper 003
  std::string ki;          ///< empty: none
  RobotOptions model;      ///< the arm as the controller knows it; no name: the arm itself
  std::string encoder;     ///< empty: exact
  bool saturate = false;
  std::string q0, qd0;           ///< empty: on the motion
  std::optional<double> hold;    ///< at the end of the motion, s
  bool desired = false;          ///< write its columns
  SimulationOptions simulation;  ///< without the start
  bool ignore_extra = false;
  std::vector<std::string> topics;  ///< of a bag
  std::string max_error;            ///< of |e|, as the list of --encoder; empty: any
  PlotOptions plot;
};

[[nodiscard]] Ending run(const TrackOptions& options);

}  // namespace armdyn
