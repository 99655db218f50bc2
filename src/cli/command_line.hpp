#pragma once

#include <string>
#include <variant>

#include "cli/options.hpp"

namespace armdyn {

/// --help or --version: text for standard output, and nothing else to do.
struct TextToShow {
  std::string text;
};

using Command =
    std::variant<TextToShow, TorqueOptions, SimulateOptions, CompareOptions, InspectOptions,
                 TrajectoryOptions, TrackOptions, CheckOptions, RobotsOptions, NewOptions>;

/// Turns the arguments into a command. Throws UsageError, which names the nearest verb or option.
[[nodiscard]] Command parse_command_line(int argc, const char* const* argv);

}  // namespace armdyn
