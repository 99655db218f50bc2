#pragma once

// The beginning of every verb, and messages that all give in the same way.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/value_text.hpp"
#include "io/file/output_file.hpp"
#include "log/columns.hpp"
#include "report/document.hpp"

namespace armdyn {

/// The robot that the user named, edited, its warnings said, and those of `positions`, texts of
/// options.
[[nodiscard]] RobotFile open_robot(const RobotOptions& robot, const OutputOptions& output,
                                   const std::vector<NamedText>& positions = {});

/// Says that a file of the same name is not read; unless it shall be quiet how many warnings the
/// loader has, and that `check` shows them: other verbs have work to do.
void print_warnings(const RobotFile& file, const RobotOptions& options, bool quiet);

/// Says as what kind of log the columns of a file were recognised, where the summary is text.
void print_recognised(const std::string& file, const ColumnPlan& plan,
                      const OutputOptions& options);

/// Says where the picture is, if one was drawn and the summary is text.
void print_picture(const std::string& plot, const OutputOptions& options);

/// The beginning of every answer for programs: version, robot name and digest, the options used;
/// and warnings of the model.
[[nodiscard]] Document answer_frame(const RobotFile& file, const RobotOptions& options,
                                    const OutputOptions& output);

/// The answer in the format that was asked for.
[[nodiscard]] std::string rendered(const Document& answer, const OutputOptions& options);

/// The same; a text with its warnings, and nothing but them if it shall be quiet. It is made before an output is put in its place, and said after it:
/// what fails leaves nothing new.
[[nodiscard]] std::string summary_of(const Document& answer, const OutputOptions& options);

/// The answer as a page, to be committed with the other outputs; null where none was asked for.
[[nodiscard]] std::unique_ptr<OutputFile> report_of(const Document& answer,
                                                    const OutputOptions& options);

/// Says it on standard error. Throws FileError where it is JSON, which a program asked for, and
/// cannot be written though somebody reads it.
void say_summary(const std::string& text, bool is_json);

/// Puts the plot, the report and the output into their places, unless there is no output, and then
/// says the summary of the answer; either may be null.
void put_with_summary(const Document* answer, const OutputOptions& options, OutputFile* plot,
                      OutputFile* output, const std::string& trailer = "");

/// Writes the answer, and puts it, its report and the plot, which may be null, into their places.
void put_answer(const Document& answer, const OutputOptions& options, OutputFile* plot,
                OutputFile& output);

/// Path of a robot: a file, "-", or the bare name of a shipped robot.
[[nodiscard]] std::string find_robot(const std::string& argument);

/// A warning that the bare name of a shipped robot is also that of a file here, which is not read;
/// or nothing.
[[nodiscard]] std::optional<std::string> unread_file_warning(const std::string& argument);

/// The text that names a robot again on a command line: the bare name of a shipped one, else its
/// path.
[[nodiscard]] std::string argument_for(const RobotFile& file);

/// A text as one word on a command line: in quotes where a shell needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Throws UsageError where the file that was read has no parameter of a name that is set, or is no
/// URDF and a chain was chosen.
void require_use(const RobotReading& reading, const Parametrisation& written, bool is_urdf,
                 const std::string& path);
void require_use(const RobotReading& reading, const auto& file, const std::string& path) {
  require_use(reading, file.written, !file.of_parameters, path);
}

/// Makes the edits of the options, but for what is set.
void edit(Robot& robot, const RobotOptions& options);
/// Makes them, and says of --gravity what a robot file is told of its own, and where it is the
/// file's reversed.
void edit(Robot& robot, const RobotOptions& options, std::vector<Finding>& findings);

/// Throws UsageError for arms with more joints than a verb's search or tables, which grow faster
/// than their square, take within about a minute.
void refuse_many_joints(const std::string& verb, const Robot& robot, std::size_t most);

/// The robot that the user named, edited.
[[nodiscard]] RobotFile load_robot(const RobotOptions& options);

/// Path of a motion: a file, "-", or the bare name of a shipped motion; files side by side stay as
/// they are.
[[nodiscard]] std::string find_motion(const std::string& argument);
/// Throws UsageError where nobody has named a motion, nor pipes one in.
void refuse_terminal(const std::string& verb, const std::string& motion);

}  // namespace armdyn
