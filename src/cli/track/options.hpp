#pragma once

#include <armdyn/control.hpp>
#include <armdyn/dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/verb_syntax.hpp"
#include "report/ending.hpp"

namespace armdyn {

/// The lists and gains stay texts until the robot is known.
struct TrackOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  Controller controller = Controller::computed_torque;
  std::string kp, kv;         ///< empty: those of paper 003
  double sample_time = 0.01;  ///< s; 0: torque at all times
  int delay = 0;              ///< samples
  Method method = Method::newton_euler;
  RobotOptions model;   ///< the arm as the controller knows it; no name: the arm itself
  std::string encoder;  ///< empty: exact
  bool saturate = false;
  std::string q0, qd0;  ///< empty: on the motion
  double step = 1e-3;   ///< s
  int every = 1;
  Integrator integrator = Integrator::rk4;
  double tolerance = 1e-9;
  bool stop_at_limits = true;
  bool ignore_extra = false;
  std::string plot;  ///< empty: none
};

[[nodiscard]] Ending run(const TrackOptions& options);

[[nodiscard]] VerbSyntax track_syntax();

}  // namespace armdyn
