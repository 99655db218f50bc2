#pragma once

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/option_list.hpp"
#include "log/motion_rows.hpp"
#include "report/document.hpp"
#include "report/say.hpp"
#include "sizing/sizing.hpp"

namespace armdyn {

struct SizeOptions {
  RobotOptions robot;
  OutputOptions output;
  std::string motion = "-";
  double dwell = 0.0;   ///< s
  double safety = 1.0;  ///< factor
  LogOptions log;
};

void declare(OptionList& list, SizeOptions& options);
[[nodiscard]] Ending run(const SizeOptions& options);

struct SizeAnswer {
  Sections sections;  ///< cycle, joints, supply, ratings, not_judged; docs/commands.md
  std::vector<std::string> warnings;
  bool passes = true;
};

/// Of a cycle to which the dwell is added here.
[[nodiscard]] SizeAnswer size_answer(const Robot& robot, Cycle cycle, const SizeOptions& options);

}  // namespace armdyn
