#pragma once

#include <armdyn/robot_file.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"

namespace armdyn {

/// Path of a robot: a file, "-", or the bare name of a shipped robot.
[[nodiscard]] std::string find_robot(const std::string& argument);

/// That the bare name of a shipped robot is also that of a file here, which is not read; or nothing.
[[nodiscard]] std::optional<std::string> unread_file_warning(const std::string& argument);

/// What to write on a command line to name a robot again: the bare name of a shipped one, else its
/// path.
[[nodiscard]] std::string argument_for(const RobotFile& file);

/// A text as one word on a command line: in quotes where a shell needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Throws UsageError where a file that was read has no parameter of a name that is set.
void require_parameters(const ParameterValues& set, const Parametrisation& written,
                        const std::string& path);

/// Makes the edits of the options, but for what is set.
void edit(Robot& robot, const RobotOptions& options);
/// And says of --gravity what a robot file is told of its own, and where it is the file's reversed.
void edit(Robot& robot, const RobotOptions& options, std::vector<Finding>& findings);

/// What a verb's search or tables, which grow faster than the square of the joints, answer within
/// about a minute. Throws UsageError for arms with more joints.
void refuse_many_joints(const std::string& verb, const Robot& robot, std::size_t most);

/// The robot that the user named, edited.
[[nodiscard]] RobotFile load_robot(const RobotOptions& options);

/// Path of a motion: a file, "-", or the bare name of a shipped motion; files side by side stay as
/// they are.
[[nodiscard]] std::string find_motion(const std::string& argument);
/// Throws UsageError where nobody has named a motion, nor pipes one in.
void refuse_terminal(const std::string& verb, const std::string& motion);

}  // namespace armdyn
