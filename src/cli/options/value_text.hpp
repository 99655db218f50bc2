#pragma once

// Parsers of options' texts; each throws UsageError that names the option and what it expects.

#include <armdyn/kinematics.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "cli/options/common_options.hpp"
#include "log/header_meaning.hpp"
#include "math/each.hpp"
#include "model/limits_of_input.hpp"

namespace armdyn {

/// Throws UsageError unless the text of an option is good: "OPTION: found TEXT, expected …".
void require(bool is_good, const std::string& option, const std::string& text,
             const std::string& expected);

/// A number of at least, or more than, so much.
struct NumberParser {
  const char* expected;
  double least = 0.0;
  bool is_open = false;
  double operator()(const std::string& option, const std::string& text) const;
};
inline constexpr NumberParser parse_tolerance{"a number of 0 or more"},
    parse_positive_number{"a number greater than 0", 0.0, true},
    parse_duration{"seconds greater than 0", 0.0, true},
    parse_duration_or_zero{"seconds, 0 or more"},
    parse_rate{"a number of Hz greater than 0", 0.0, true},
    parse_time{"a number of seconds", -std::numeric_limits<double>::infinity()};

/// A whole number.
struct WholeParser {
  static constexpr int any_count = 1'000'000'000;
  int least, most = any_count;
  const char* unit = "";
  int operator()(const std::string& option, const std::string& text) const;
};
inline constexpr WholeParser parse_count{1}, parse_threads{1, 1024},
    parse_delay{0, WholeParser::any_count, ", in samples"}, parse_joint_count{1, 100},
    parse_harmonics{3, 1000};  // to begin and end at rest without acceleration takes three

/// Parts of "a,b,c"; empty text: none.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);
/// The same; throws UsageError where a part stands there twice.
[[nodiscard]] std::vector<std::string> split_distinct(const std::string& option,
                                                      const std::string& text);

/// "x,y,z" in m/s².
[[nodiscard]] Vec3 parse_gravity(const std::string& option, const std::string& text);

/// "x,y,z" in m, or "x,y,z,roll,pitch,yaw", angles in rad or with " deg" at the end.
struct PlacementText {
  Placement placement;
  bool has_angles = false;
};
[[nodiscard]] PlacementText parse_placement(const std::string& option, const std::string& text);

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
/// Names of those parts, in the order of the help.
[[nodiscard]] std::vector<std::string> names(const LeftOut& parts);

/// "q=actual_q_{0..5},t=timestamp"; commas within braces or brackets belong to a name.
[[nodiscard]] std::vector<ColumnChoice> parse_columns(const std::string& option,
                                                      const std::string& text);

/// A whole number from 0 up to 2⁶⁴ − 1.
[[nodiscard]] std::uint64_t parse_seed(const std::string& option, const std::string& text);

/// The text itself, if it is one of the choices.
std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices);

/// "; did you mean 'torque'?" or nothing.
[[nodiscard]] std::string did_you_mean(const std::string& word,
                                       const std::vector<std::string>& known);

/// One number per joint, from the text of an option: "0,-1.57,pi/2" (rad, m, and per s) or
/// "0,-90,0 deg", which converts the entries of revolute joints; empty text: zeros. Throws
/// UsageError, also where one is larger than `most` in magnitude.
[[nodiscard]] std::vector<double> parse_joint_list(const std::string& option,
                                                   const std::string& text, const Robot& robot,
                                                   double most = limits_of_input::rate);

/// The same, or one number for all joints; each must be greater than 0.
[[nodiscard]] std::vector<double> parse_positive_each(const std::string& option,
                                                      const std::string& text, const Robot& robot);

/// The same for positions, where a pose of the robot file may stand for the list.
[[nodiscard]] std::vector<double> parse_position(const std::string& option, const std::string& text,
                                                 const Robot& robot);

/// An option's name, and its text.
using NamedText = std::pair<std::string, std::string>;

/// Warns of positions, and of the angles of placements, that look like degrees.
[[nodiscard]] std::vector<Finding> lists_in_degrees(const std::vector<NamedText>& lists,
                                                    const Robot& robot);

/// Joints by their numbers from 1 or their names, "1,3,elbow", counted from 0, each once; empty
/// text: none. Throws UsageError.
[[nodiscard]] std::vector<std::size_t> parse_joints(const std::string& option,
                                                    const std::string& text, const Robot& robot);

/// Tests whether a list of positions may be meant in degrees: numbers without " deg", no pose.
[[nodiscard]] bool is_without_unit(const std::string& text, const Robot& robot);

/// The names that an option offers, each with its value.
template <class Value>
class Choices {
 public:
  Choices(std::initializer_list<std::pair<std::string, Value>> choices) : choices_(choices) {}

  explicit Choices(std::vector<std::pair<std::string, Value>> choices)
      : choices_(std::move(choices)) {}

  /// Values that have names: name(value).
  explicit Choices(std::span<const Value> values) {
    for (const Value value : values) choices_.emplace_back(name(value), value);
  }

  /// The value of that name. Throws UsageError.
  Value operator()(const std::string& option, const std::string& text) const {
    const std::string chosen = parse_choice(option, text, names());
    return std::ranges::find(choices_, chosen, &std::pair<std::string, Value>::first)->second;
  }

  /// The values of "name,name", each at most once. Throws UsageError.
  std::vector<Value> several(const std::string& option, const std::string& text) const {
    return each(split_distinct(option, text),
                [&](const std::string& part) { return (*this)(option, part); });
  }

  [[nodiscard]] const std::string& name_of(Value value) const {
    return std::ranges::find(choices_, value, &std::pair<std::string, Value>::second)->first;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    return each(choices_, &std::pair<std::string, Value>::first);
  }

  /// The names for help: "rk4 | dopri5 | rkf78".
  [[nodiscard]] std::string text() const { return fmt::format("{}", fmt::join(names(), " | ")); }

 private:
  std::vector<std::pair<std::string, Value>> choices_;
};

}  // namespace armdyn
