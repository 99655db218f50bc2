#pragma once

#include <armdyn/kinematics.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "log/motion_rows.hpp"
#include "report/say.hpp"

namespace armdyn {

/// The lists stay texts until the robot is known: they may name its poses, and degrees are for its
/// revolute joints.
struct InspectOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion;  ///< empty: one state
  LogOptions log;
  std::string q;              ///< empty: zero
  std::string qd;             ///< empty: zero
  std::string qdd;            ///< empty: zero
  std::vector<TaskRow> rows;  ///< empty: all six, for an arm of six joints
  bool all = false;           ///< as text
  bool links = false;
  bool linearize = false;
  std::optional<double> sample_time;  ///< s
  bool equilibrium = false;
  bool stable = false;            ///< the equilibrium
  std::vector<std::string> only;  ///< keys of the answer; empty: all
};

void declare(OptionList& list, InspectOptions& options);
[[nodiscard]] Ending run(const InspectOptions& options);

}  // namespace armdyn
