#pragma once

#include <armdyn/simulation.hpp>

#include <optional>
#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/verb_syntax.hpp"
#include "report/ending.hpp"

namespace armdyn {

/// Positions and velocities stay texts until the robot is known.
struct SimulateOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string torques;             ///< empty: none, the drives are without torque
  std::string batch;               ///< a file with one simulation per row; empty: none
  std::string q0;                  ///< empty: of the first row, or zero
  std::string qd0;                 ///< empty: of the first row, or zero
  std::optional<double> duration;  ///< s; absent: to the last row
  double step = 1e-3;              ///< s
  int every = 1;
  Integrator integrator = Integrator::rk4;
  double tolerance = 1e-9;
  Interpolation interpolation = Interpolation::linear;
  std::optional<ForwardMethod> forward;  ///< absent: the fastest
  bool stop_at_limits = true;
  bool estimate_error = false;
  bool ignore_extra = false;
  std::string plot;  ///< empty: none
};

[[nodiscard]] Ending run(const SimulateOptions& options);

[[nodiscard]] VerbSyntax simulate_syntax();

}  // namespace armdyn
