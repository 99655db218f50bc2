#pragma once

// What every verb is about: the robot that options name and edit, its warnings, the beginning of an answer.

#include "cli/options/value_text.hpp"

namespace armdyn {

/// Prints the warning that a file of the same name is not read, those about the arm as a whole, and
/// the number of warnings about its parts, which `check` lists.
void print_warnings(const RobotFile& file, const RobotOptions& options);

/// The beginning of every answer for programs: version, robot name and digest, the options used;
/// and warnings of the model.
[[nodiscard]] Document answer_frame(const RobotFile& file, const RobotOptions& robot,
                                    const OutputOptions& output);
[[nodiscard]] inline Document answer_frame(const RobotFile& file, const VerbOptions& options) {
  return answer_frame(file, options.robot, options.output);
}

/// A text as one word on a command line: in quotes where a shell needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Throws UsageError for values of --set that are no parameters of the file, and for --base, --tip
/// and convert's --snap where it is no URDF.
void require_use(const RobotFileOptions& reading, const Parametrization& written, bool is_urdf,
                 const std::string& path);
void require_use(const RobotFileOptions& reading, const auto& file, const std::string& path) {
  require_use(reading, file.written, !file.of_parameters, path);
}

/// Makes the edits of the options except --set, which reading makes.
void edit(Robot& robot, const RobotOptions& options);
/// The same; adds findings about --gravity, as a robot file's own would have, and where it is the
/// reverse of the file's.
void edit(Robot& robot, const RobotOptions& options, std::vector<Finding>& findings);

/// Throws UsageError for arms with more joints than a verb can search or tabulate within about a
/// minute.
void refuse_many_joints(const std::string& verb, const Robot& robot, std::size_t most);

/// The robot that the user named, edited.
[[nodiscard]] RobotFile load_robot(const RobotOptions& options);

}  // namespace armdyn
