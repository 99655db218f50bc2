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

/// Path of the robot that an argument names: a file, "-", or the bare name of a shipped robot.
[[nodiscard]] std::string find_robot(const std::string& argument);
/// "no shipped robots are in FOLDER/robots".
[[nodiscard]] std::string none_shipped(const std::string& kind);

/// Warning that the bare name of a shipped robot is also that of a file here, and which of both is
/// read; or nothing.
[[nodiscard]] std::optional<std::string> unread_file_warning(const std::string& argument);

/// A text as one word on a command line: in quotes where a shell needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Throws UsageError for values of --set that are no parameters of the file, and for --base, --tip
/// and --snap where it is no URDF.
void require_use(const RobotReading& reading, const Parametrization& written, bool is_urdf,
                 const std::string& path);
void require_use(const RobotReading& reading, const auto& file, const std::string& path) {
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

/// Path of the motion that an argument names: a file, "-", or the bare name of a shipped motion;
/// names of files side by side stay as they are.
[[nodiscard]] std::string find_motion(const std::string& argument);
/// Likewise of a catalog of drives.
[[nodiscard]] std::string find_catalog(const std::string& argument);

}  // namespace armdyn
