#pragma once

#include <string>

#include "cli/options/common_options.hpp"
#include "cli/options/verb.hpp"
#include "report/say.hpp"

namespace armdyn {

struct JoinOptions {
  OutputOptions output;  ///< where the whole goes
};

void declare(OptionList& list, JoinOptions& options);
[[nodiscard]] Ending run(const JoinOptions& options);

[[nodiscard]] Verb join_verb();

}  // namespace armdyn
