#pragma once

#include <armdyn/robot.hpp>

#include <string>
#include <vector>

namespace armdyn {

enum class Severity {
  warning,  ///< legal but suspicious; published parameter sets contain it
  error,    ///< the model cannot be used
};

/// Something wrong or suspicious in a robot. `path` names the value as in a robot file,
/// e.g. `joints[2].dh.alpha` (entries count from 0); empty for the robot as a whole.
struct Finding {
  Severity severity = Severity::error;
  std::string path;
  std::string message;  ///< what was found, and what is expected

  // Set by readers of files; 0: not known. Both count from 1.
  int line = 0;
  int column = 0;
};

/// Holds the values of a robot against the rules for them (docs/robot-file.md): errors first in the
/// order of the joints, then warnings. Where a number is not finite, nothing else is looked at.
/// Throws only std::bad_alloc.
[[nodiscard]] std::vector<Finding> check(const Robot& robot);

[[nodiscard]] bool has_error(const std::vector<Finding>& findings);

}  // namespace armdyn
