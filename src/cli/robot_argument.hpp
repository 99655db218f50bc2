#pragma once

#include <armdyn/robot_file.hpp>

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace armdyn {

/// The robot that the user named, with the edits of the options.
[[nodiscard]] RobotFile load_robot(const RobotOptions& options);

/// Path of a motion: a file, "-", or the bare name of a shipped motion.
[[nodiscard]] std::string find_motion(const std::string& argument);

}  // namespace armdyn
