#pragma once

#include <string>

#include "cli/new/options.hpp"

namespace armdyn {

/// A robot file with all keys explained and blanks where numbers belong, so that `check` lists what
/// is left to fill in.
[[nodiscard]] std::string robot_template(const NewOptions& options);

}  // namespace armdyn
