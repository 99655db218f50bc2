#pragma once

// What every verb begins with, and what it says in the same way as the others.

#include <armdyn/robot_file.hpp>

#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/joint_list.hpp"
#include "cli/options/robot_argument.hpp"
#include "log/columns.hpp"
#include "report/document.hpp"

namespace armdyn {

/// The robot that the user named, edited, its warnings said, and those of `positions`, texts of
/// options.
[[nodiscard]] RobotFile open_robot(const RobotOptions& robot, const OutputOptions& output,
                                   const std::vector<NamedText>& positions = {});

/// That a file of the same name is not read; unless it shall be quiet how many warnings the loader
/// has, and that `check` shows them: other verbs have work to do.
void print_warnings(const RobotFile& file, const RobotOptions& options, bool quiet);

/// As what kind of log the columns of a file were recognised, where the summary is text.
void print_recognised(const std::string& file, const ColumnPlan& plan,
                      const OutputOptions& options);

/// Where the picture is, if one was drawn and the summary is text.
void print_picture(const std::string& plot, const OutputOptions& options);

/// What every answer begins with for programs: version, robot name and digest, the options used;
/// and warnings of the model.
[[nodiscard]] Document answer_frame(const RobotFile& file, const RobotOptions& options,
                                    const OutputOptions& output);

/// The answer as JSON or text, whichever was asked for; the text with its warnings, and nothing but
/// them if it shall be quiet. It is made before an output is put in its place, and said after it:
/// what fails leaves nothing new.
[[nodiscard]] std::string summary_of(const Document& answer, const OutputOptions& options);

/// Says it on standard error. Throws FileError where it is JSON, which a program asked for, and
/// cannot be written though somebody reads it.
void say_summary(const std::string& text, bool is_json);

}  // namespace armdyn
