#pragma once

#include "cli/options/verb.hpp"

namespace armdyn {

/// Turns the arguments into a command. Throws UsageError, which names the nearest verb or option.
[[nodiscard]] Command parse_command_line(int argc, const char* const* argv);

}  // namespace armdyn
