#include "cli/options/joint_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "cli/options/common_options.hpp"
#include "cli/options/value_text.hpp"
#include "io/text/number_text.hpp"
#include "math/rotation.hpp"
#include "model/limits_of_input.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

constexpr std::string_view degree_mark = " deg";

bool is_revolute(const Robot& robot, std::size_t joint) {
  return robot.joints[joint].type == JointType::revolute;
}

/// A name starts with a letter; so does pi.
bool looks_like_a_name(const std::string& text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         text.find(',') == text.npos && !parse_pi(text);
}

std::string no_such_pose(const std::string& option, const std::string& text, const Robot& robot) {
  std::vector<std::string> names;
  for (const NamedPose& pose : robot.poses) names.push_back(pose.name);
  if (names.empty()) {
    return fmt::format("{}: found \"{}\"; {} has no named poses, give one number per joint", option,
                       text, robot.name);
  }
  return fmt::format("{}: {} has no pose '{}', it has {}{}", option, robot.name, text,
                     fmt::join(names, ", "), did_you_mean(text, names));
}

std::string no_number(const std::string& option, const std::string& part, const std::string& text,
                      const Robot& robot) {
  std::string expected = "a number";
  if (part.ends_with("deg")) {
    expected += "; ' deg' stands once, after the whole list";
  } else if (part == text && robot.dof() > 1) {
    expected = fmt::format("{} numbers separated by commas", robot.dof());
  }
  return fmt::format("{}: found \"{}\"{}, expected {}", option, part,
                     part == text ? "" : fmt::format(" in \"{}\"", text), expected);
}

}  // namespace

std::vector<double> parse_joint_list(const std::string& option, const std::string& text,
                                     const Robot& robot) {
  if (text.empty()) return std::vector<double>(robot.dof(), 0.0);
  if (find_pose(robot, text) != nullptr) {
    throw UsageError(
        fmt::format("{}: the pose '{}' is a position; give one number per joint", option, text));
  }
  const bool in_degrees = text.ends_with(degree_mark);
  const std::string list = in_degrees ? text.substr(0, text.size() - degree_mark.size()) : text;

  std::vector<double> values;
  for (const std::string& part : split_list(list)) {
    std::optional<double> value = parse_number(part);
    if (!value && !in_degrees) value = parse_pi(part);
    if (!value) throw UsageError(no_number(option, part, text, robot));
    const std::size_t joint = values.size();
    const bool converts = in_degrees && joint < robot.dof() && is_revolute(robot, joint);
    values.push_back(converts ? radians(*value) : *value);
  }
  if (values.size() != robot.dof()) {
    throw UsageError(
        fmt::format("{}: found {} number{} in \"{}\", expected {}, one per joint of {}", option,
                    values.size(), values.size() == 1 ? "" : "s", text, robot.dof(), robot.name));
  }
  require_at_most(limits_of_input::rate, option, text, values);
  return values;
}

std::vector<double> parse_positive_each(const std::string& option, const std::string& text,
                                        const Robot& robot) {
  const bool in_degrees = text.ends_with(degree_mark);
  const std::string number = in_degrees ? text.substr(0, text.size() - degree_mark.size()) : text;
  std::string list = text;
  if (split_list(number).size() == 1) {
    if (!parse_number(number) && !parse_pi(number)) {
      throw UsageError(fmt::format("{}: found \"{}\", expected a number", option, number));
    }
    list = number;
    for (std::size_t i = 1; i < robot.dof(); ++i) list += "," + number;
    if (in_degrees) list += degree_mark;
  }
  std::vector<double> values = parse_joint_list(option, list, robot);
  for (const double value : values) {
    if (value <= 0.0) {
      throw UsageError(
          fmt::format("{}: found \"{}\", expected numbers greater than 0", option, text));
    }
  }
  return values;
}

std::vector<double> parse_position(const std::string& option, const std::string& text,
                                   const Robot& robot) {
  if (const NamedPose* pose = find_pose(robot, text)) return pose->q;
  if (looks_like_a_name(text)) throw UsageError(no_such_pose(option, text, robot));
  std::vector<double> q = parse_joint_list(option, text, robot);
  require_at_most(limits_of_input::position, option, text, q);
  return q;
}

std::vector<Finding> lists_in_degrees(const std::vector<NamedText>& lists, const Robot& robot) {
  std::vector<Finding> findings;
  for (const auto& [option, text] : lists) {
    if (!is_without_unit(text, robot)) continue;
    const std::vector<std::string> parts = split_list(text);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (option == "--to-hand" ? i < 3 : i >= robot.dof()) continue;
      const double value = parse_number(parts[i]).value_or(0.0);
      if (!looks_like_degrees(option == "--to-hand" ? Joint{} : robot.joints[i], value)) continue;
      findings.push_back({Severity::warning, option,
                          fmt::format("found {} rad, which looks like degrees; for degrees write "
                                      "' deg' after the whole list",
                                      value)});
      break;
    }
  }
  return findings;
}

std::vector<std::size_t> parse_joints(const std::string& option, const std::string& text,
                                      const Robot& robot) {
  std::vector<std::string> known;
  known.reserve(robot.dof());
  for (const Joint& joint : robot.joints) known.push_back(joint.name);
  std::vector<std::size_t> joints;
  for (const std::string& part : split_list(text)) {
    std::size_t joint = static_cast<std::size_t>(std::ranges::find(known, part) - known.begin());
    const std::optional<double> number = parse_number(part);
    for (std::size_t i = 0; number && i < known.size(); ++i) {
      if (*number == static_cast<double>(i + 1)) joint = i;
    }
    if (joint == known.size()) {
      throw UsageError(fmt::format("{}: found \"{}\", expected joints out of 1 to {} or {}{}",
                                   option, part, known.size(), fmt::join(known, ", "),
                                   did_you_mean(part, known)));
    }
    if (std::ranges::find(joints, joint) == joints.end()) joints.push_back(joint);
  }
  return joints;
}

bool is_without_unit(const std::string& text, const Robot& robot) {
  return !text.empty() && find_pose(robot, text) == nullptr && !text.ends_with(degree_mark);
}

}  // namespace armdyn
