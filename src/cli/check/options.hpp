#pragma once

#include "cli/options/common_options.hpp"
#include "cli/options/verb.hpp"
#include "report/ending.hpp"

namespace armdyn {

struct CheckOptions {
  RobotOptions robot;
  OutputOptions output;
  bool strict = false;
};

void declare(OptionList& list, CheckOptions& options);
[[nodiscard]] Ending run(const CheckOptions& options);

[[nodiscard]] Verb check_verb();

}  // namespace armdyn
