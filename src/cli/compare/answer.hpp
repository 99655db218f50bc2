#pragma once

// What `compare` says.

#include <armdyn/robot_file.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/compare/compare_blocks.hpp"
#include "cli/compare/cost_answer.hpp"
#include "cli/compare/options.hpp"
#include "cli/compare/schedule.hpp"
#include "dynamics/compare.hpp"
#include "log/motion_rows.hpp"
#include "report/document.hpp"

namespace armdyn {

struct ComparisonReport {
  const RobotFile& file;
  const Arm& arm;
  const CompareOptions& options;
  const Comparison& comparison;
  const CertainDigits& digits;
  std::optional<LogReport> log;           ///< of the motion's rows; none: random states
  std::vector<MethodCost> costs;          ///< one per method
  std::vector<ScheduledMethod> schedule;  ///< one per method, if it was asked for
};

/// Whether the formulations agree, and where they differ most, in a sentence or two.
[[nodiscard]] std::string verdict(const ComparisonReport& report);

/// About the motion's rows.
[[nodiscard]] std::vector<std::string> warnings(const ComparisonReport& report);

[[nodiscard]] Document answer(const ComparisonReport& report);

/// Of states by chance.
[[nodiscard]] Document compare_random_states(const CompareOptions& options, const RobotFile& file);

}  // namespace armdyn
