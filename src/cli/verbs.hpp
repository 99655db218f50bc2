#pragma once

#include <vector>

#include "cli/options/verb.hpp"

namespace armdyn {

/// All verbs, in the order of the help.
[[nodiscard]] std::vector<Verb> all_verbs();

}  // namespace armdyn
