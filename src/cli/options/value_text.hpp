#pragma once

// Texts of options into values; each throws UsageError that names the option and what it expects.

#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/common_options.hpp"
#include "log/header_meaning.hpp"

namespace armdyn {

/// "a,b,c" into its parts; empty text: none.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);
/// Of which none may stand there twice.
[[nodiscard]] std::vector<std::string> split_distinct(const std::string& option,
                                                      const std::string& text);

/// Throws UsageError where a value of an option is larger than `most` in magnitude.
void require_at_most(double most, const std::string& option, const std::string& text,
                     std::span<const double> values);

/// "x,y,z" in m/s².
[[nodiscard]] Vec3 parse_gravity(const std::string& option, const std::string& text);

/// "x,y,z" in m, or "x,y,z,roll,pitch,yaw", angles in rad or with " deg" at the end.
struct PlacementText {
  Placement placement;
  bool has_angles = false;
};
[[nodiscard]] PlacementText parse_placement(const std::string& option, std::string text);

/// "x,y,z,ux,uy,uz": a line through a point, m, along a direction of any length but 0.
struct Line {
  Vec3 point, direction;
};
[[nodiscard]] Line parse_line(const std::string& option, const std::string& text);

/// "MASS[,x,y,z]": a point mass, kg and m.
[[nodiscard]] MassProperties parse_payload(const std::string& option, const std::string& text);

/// "m2=3,l1=0.6": values of parameters, numbers or formulas such as pi/4; of one name, the last.
[[nodiscard]] ParameterValues parse_set(const std::string& option, const std::string& text);

/// "friction,payload": parts of a robot.
[[nodiscard]] LeftOut parse_without(const std::string& option, const std::string& text);
/// The names of those parts, in the order of the help.
[[nodiscard]] std::vector<std::string> names(const LeftOut& parts);

/// "q=actual_q_{0..5},t=timestamp"; commas within braces or brackets belong to a name.
[[nodiscard]] std::vector<ColumnChoice> parse_columns(const std::string& option,
                                                      const std::string& text);

/// A whole number of at least 1.
[[nodiscard]] int parse_count(const std::string& option, const std::string& text);

/// A whole number from 1 to 1024.
[[nodiscard]] int parse_threads(const std::string& option, const std::string& text);

/// A whole number from 3 to 1000: to begin and end at rest without acceleration takes three.
[[nodiscard]] int parse_harmonics(const std::string& option, const std::string& text);

/// A whole number of at least 0.
[[nodiscard]] int parse_delay(const std::string& option, const std::string& text);

/// A whole number from 0 up to what 64 bits hold.
[[nodiscard]] std::uint64_t parse_seed(const std::string& option, const std::string& text);

/// A number of at least 0.
[[nodiscard]] double parse_tolerance(const std::string& option, const std::string& text);
/// A weight greater than 0.
[[nodiscard]] double parse_positive_number(const std::string& option, const std::string& text);
/// A duration greater than 0, s.
[[nodiscard]] double parse_duration(const std::string& option, const std::string& text);

/// A duration of 0 or more, s.
[[nodiscard]] double parse_duration_or_zero(const std::string& option, const std::string& text);

/// A frequency greater than 0, Hz.
[[nodiscard]] double parse_rate(const std::string& option, const std::string& text);

/// "vx,vy,wz": different rows of the Jacobian.
[[nodiscard]] std::vector<TaskRow> parse_task_rows(const std::string& option,
                                                   const std::string& text);

/// A moment, s; any number.
[[nodiscard]] double parse_time(const std::string& option, const std::string& text);

/// A whole number from 1 to 100.
[[nodiscard]] std::size_t parse_joint_count(const std::string& option, const std::string& text);

/// "RRP": the types of joints, at most 100.
[[nodiscard]] std::vector<JointType> parse_joint_types(const std::string& option,
                                                       const std::string& text);

/// The text itself, if it is a letter and then letters, digits, ".", "_" and "-".
[[nodiscard]] std::string parse_name(const std::string& option, const std::string& text);

/// The name of a file, without its ending, if `parse_name` would take it; else `otherwise`.
[[nodiscard]] std::string name_from_path(const std::string& path, const std::string& otherwise);

/// The text itself, if it is one of the choices.
std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices);

/// "; did you mean 'torque'?" or nothing.
[[nodiscard]] std::string did_you_mean(const std::string& word,
                                       const std::vector<std::string>& known);

}  // namespace armdyn
