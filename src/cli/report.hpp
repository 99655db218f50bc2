#pragma once

// What every verb says on standard error in the same way: warnings, and the frame of a summary.

#include <armdyn/robot_file.hpp>

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "io/columns.hpp"

namespace armdyn {

/// "armdyn: warning: ..." lines.
void print_warnings(const std::vector<std::string>& warnings);

/// How many warnings the loader has, and that `check` shows them: other verbs have work to do.
void print_warnings(const RobotFile& file);

/// As what kind of log the columns of a file were recognised: a line for the user, or nothing.
[[nodiscard]] std::string recognised_line(const std::string& file, const std::string& recognised);

/// Prints that line of a file's columns where the summary is text.
void print_recognised(const std::string& file, const ColumnPlan& plan,
                      const OutputOptions& options);

/// Where the picture is, if one was drawn and the summary is text.
void print_picture(const std::string& plot, const OutputOptions& options);

/// 'R' or 'P'.
[[nodiscard]] char letter(JointType type);

/// "RRPRRR": the joints from base to hand.
[[nodiscard]] std::string joint_types(const Robot& robot);

/// One number per joint in a summary, with 0 for -0.
[[nodiscard]] nlohmann::json joint_values(std::span<const double> values);

/// The parts that --without, or an option like it, leaves out.
[[nodiscard]] nlohmann::json parts_left_out(const RobotOptions& options);

/// What a JSON summary carries in every verb: version, robot name and digest, the robot's edits.
[[nodiscard]] nlohmann::json json_frame(const RobotFile& file, const RobotOptions& options);

}  // namespace armdyn
