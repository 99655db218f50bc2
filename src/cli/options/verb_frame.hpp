#pragma once

// The beginning and the end of every verb: reading the robot, writing the answer, messages.

#include <armdyn/robot.hpp>
#include <armdyn/robot_file.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/value_text.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"
#include "log/log_reader.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

/// Reads and edits the robot that the user named; prints its warnings, and those of `positions`,
/// texts of options.
[[nodiscard]] RobotFile open_robot(const VerbOptions& options,
                                   const std::vector<NamedText>& positions = {});

/// Prints the warning that a file of the same name is not read, those about the arm as a whole, and
/// the number of warnings about its parts, which `check` lists.
void print_warnings(const RobotFile& file, const RobotOptions& options);

/// Prints the kind of log that a file was recognised as, where the summary is text.
void print_recognised(const std::string& file, const ColumnPlan& plan,
                      const OutputOptions& options);

/// Sends the rows of a log through a job, and shows how far it has come unless `quiet`.
template <class Result>
void run_shown(LogReader& log, BlockJob<Result> job, const InputFile& input, bool quiet) {
  ProgressLine progress(input.size(), quiet);
  job.progress = [&progress](const Progress& done) { progress.show(done.bytes, done.rows); };
  log.run(std::move(job));
}

/// Prints the path of the picture, if one was drawn and the summary is text.
void print_picture(const std::string& plot, const OutputOptions& options);

/// The beginning of every answer for programs: version, robot name and digest, the options used;
/// and warnings of the model.
[[nodiscard]] Document answer_frame(const RobotFile& file, const VerbOptions& options);

/// The answer in the format that was asked for.
[[nodiscard]] std::string rendered(const Document& answer, const OutputOptions& options);

/// The same with the warnings below a text, or of a text the warnings alone if it shall be quiet.
/// It is made before an output is put in its place, and printed after, so that a failure leaves
/// nothing new.
[[nodiscard]] std::string summary_of(const Document& answer, const OutputOptions& options);

/// The answer as a page, to be committed with the other outputs; null where none was asked for.
[[nodiscard]] std::unique_ptr<OutputFile> report_of(const Document& answer,
                                                    const OutputOptions& options);

/// Prints a summary on standard error. Throws FileError where it is JSON and cannot be written
/// though somebody reads it.
void say_summary(const std::string& text, bool is_json);

/// Puts the plot, the report and the output into their places, unless there is no output, and then
/// prints the summary of the answer; answer, plot and output may be null.
void put_with_summary(const Document* answer, const OutputOptions& options, OutputFile* plot,
                      OutputFile* output, const std::string& trailer = "");

/// Writes the answer, and puts it, its report and the plot, which may be null, into their places.
void put_answer(const Document& answer, const OutputOptions& options, OutputFile* plot,
                OutputFile& output);
/// The same into the output of the options, without a plot.
void put_answer(const Document& answer, const OutputOptions& options);

/// Path of the robot that an argument names: a file, "-", or the bare name of a shipped robot.
[[nodiscard]] std::string find_robot(const std::string& argument);
/// "no shipped robots are in FOLDER/robots".
[[nodiscard]] std::string none_shipped(const std::string& kind);

/// Warning that the bare name of a shipped robot is also that of a file here, of which one is not
/// read; or nothing.
[[nodiscard]] std::optional<std::string> unread_file_warning(const std::string& argument);

/// A text as one word on a command line: in quotes where a shell needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

/// Throws UsageError for values of --set that are no parameters of the file, and for --base, --tip
/// and --snap where it is no URDF.
void require_use(const RobotReading& reading, const Parametrisation& written, bool is_urdf,
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
/// Throws UsageError where the motion is standard input, and that is a terminal or the robot.
void require_motion_input(const std::string& verb, const RobotOptions& robot,
                          const std::string& motion);

}  // namespace armdyn
