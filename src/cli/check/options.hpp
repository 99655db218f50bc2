#pragma once

#include "cli/options/common_options.hpp"
#include "cli/options/verb.hpp"

namespace armdyn {

struct CheckOptions {
  RobotOptions robot;
  OutputOptions output;
  bool strict = false;
};

/// Returns the exit code.
[[nodiscard]] int run(const CheckOptions& options);

[[nodiscard]] Verb check_verb();

}  // namespace armdyn
