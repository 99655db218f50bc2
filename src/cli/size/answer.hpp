#pragma once

#include <armdyn/robot_file.hpp>

#include "cli/size/options.hpp"
#include "report/document.hpp"
#include "sizing/sizing.hpp"

namespace armdyn {

struct SizeAnswer {
  Sections sections;  ///< cycle, joints, supply, ratings, not_judged; docs/commands.md
  std::vector<std::string> warnings;
  bool passes = true;
};

/// Of a cycle to which the dwell is added here.
[[nodiscard]] SizeAnswer size_answer(const Robot& robot, Cycle cycle, const SizeOptions& options);

}  // namespace armdyn
