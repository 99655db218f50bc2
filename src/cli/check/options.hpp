#pragma once

#include "cli/options/common_options.hpp"
#include "cli/options/verb_syntax.hpp"
#include "report/ending.hpp"

namespace armdyn {

struct CheckOptions {
  RobotOptions robot;
  OutputOptions output;
  bool strict = false;
};

[[nodiscard]] Ending run(const CheckOptions& options);

[[nodiscard]] VerbSyntax check_syntax();

}  // namespace armdyn
