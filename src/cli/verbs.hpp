#pragma once

#include <vector>

#include "cli/options/verb_syntax.hpp"

namespace armdyn {

/// All verbs, in the order of the help.
[[nodiscard]] std::vector<VerbSyntax> all_verbs();

}  // namespace armdyn
