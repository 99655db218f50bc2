#pragma once

#include "cli/options/common_options.hpp"
#include "cli/options/verb_syntax.hpp"

namespace armdyn {

struct CheckOptions {
  RobotOptions robot;
  OutputOptions output;
  bool strict = false;
};

/// Returns the exit code.
[[nodiscard]] int run(const CheckOptions& options);

[[nodiscard]] VerbSyntax check_syntax();

}  // namespace armdyn
