#include "cli/options/value_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "math/characters.hpp"
#include "math/rotation.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "text/formula_value.hpp"
#include "text/nearest_name.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

std::vector<double> parse_numbers(const std::string& option, const std::string& text,
                                  const std::string& expected) {
  std::vector<double> numbers;
  for (const std::string& part : split_list(text)) {
    const std::optional<double> number = parse_number(part);
    refuse_if(!number, "{}: found \"{}\" in \"{}\", expected {}", option, part, text, expected);
    numbers.push_back(*number);
  }
  return numbers;
}

/// Throws UsageError where a value of an option is larger than `most` in magnitude.
void require_at_most(double most, const std::string& option, const std::string& text,
                     std::span<const double> values) {
  require(std::ranges::all_of(values, [most](double x) { return std::abs(x) <= most; }), option,
          text, limits_of_input::expected(most));
}

constexpr std::string_view degree_mark = " deg";

std::string_view without_mark(std::string_view text) {
  return text.substr(0, text.size() - (text.ends_with(degree_mark) ? degree_mark.size() : 0));
}

/// A number or, if it is not in degrees, a multiple of pi.
std::optional<double> number_or_pi(const std::string& text, bool in_degrees) {
  const std::optional<double> number = parse_number(text);
  return number || in_degrees ? number : parse_pi(text);
}

const Choices<bool LeftOut::*> robot_parts{{"friction", &LeftOut::friction},
                                           {"rotors", &LeftOut::rotors},
                                           {"payload", &LeftOut::payload},
                                           {"gravity", &LeftOut::gravity}};

}  // namespace

void require(bool is_good, const std::string& option, const std::string& text,
             const std::string& expected) {
  if (!is_good) throw UsageError("{}: found \"{}\", expected {}", option, text, expected);
}

double NumberParser::operator()(const std::string& option, const std::string& text) const {
  const std::optional<double> number = parse_number(text);
  require(number && (is_open ? *number > least : *number >= least), option, text, expected);
  return *number;
}

int WholeParser::operator()(const std::string& option, const std::string& text) const {
  const std::optional<double> number = parse_number(text);
  const bool is_whole =
      number && *number >= least && *number <= most && *number == static_cast<int>(*number);
  const bool names_most = most < any_count || (number && *number > most);
  require(is_whole, option, text,
          names_most ? fmt::format("a whole number from {} to {}{}", least, most, unit)
                     : fmt::format("a whole number of {} or more{}", least, unit));
  return static_cast<int>(*number);
}

ParameterValues parse_set(const std::string& option, const std::string& text) {
  ParameterValues values;
  for (const std::string& part : split_list(text)) {
    const std::size_t sign = part.find('=');
    refuse_if(sign == 0 || sign == part.npos,
              "{}: found \"{}\" in \"{}\", expected NAME=VALUE, as in m2=3", option, part, text);
    const std::string name(trimmed(std::string_view(part).substr(0, sign), " "));
    refuse_if(values.contains(name), "{}: {} is given twice in \"{}\"", option, name, text);
    try {
      Parameter& value = values[name] = evaluate(part.substr(sign + 1), {});
      value.half_unit = 0.0;
    } catch (const FormulaError& wrong) {
      throw UsageError("{}: found \"{}\": {}; VALUE is a formula of numbers", option, part,
                       wrong.what());
    }
  }
  return values;
}

std::vector<std::string> split_list(std::string_view text) {
  if (text.empty()) return {};
  std::vector<std::string> parts = split_at(text, ',');
  for (std::string& part : parts) part = std::string(trimmed(part, " "));
  return parts;
}

std::vector<std::string> split_distinct(const std::string& option, const std::string& text) {
  std::vector<std::string> parts = split_list(text);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    refuse_if(std::find(parts.begin(), part, *part) != part, "{}: {} is given twice in \"{}\"",
              option, *part, text);
  }
  return parts;
}

Vec3 parse_gravity(const std::string& option, const std::string& text) {
  const std::string expected = "three numbers x,y,z in m/s^2, e.g. 0,0,-9.81";
  const std::vector<double> g = parse_numbers(option, text, expected);
  require(g.size() == 3, option, text, expected);
  require_at_most(limits_of_input::gravity, option, text, g);
  return {g[0], g[1], g[2]};
}

PlacementText parse_placement(const std::string& option, const std::string& text) {
  const bool in_degrees = text.ends_with(degree_mark);
  const std::vector<std::string> parts = split_list(without_mark(text));
  const std::size_t count = parts.size();
  std::vector<double> values;
  for (const std::string& part : parts) {
    if (const auto value = number_or_pi(part, in_degrees)) values.push_back(*value);
  }
  require(values.size() == count && (count == 3 || count == 6), option, text,
          "x,y,z in m, or x,y,z,roll,pitch,yaw");
  require_at_most(limits_of_input::size, option, text, values);
  PlacementText result{{{values[0], values[1], values[2]}, {}}, count == 6};
  if (count == 6) {
    const auto angle = [&](std::size_t i) { return in_degrees ? radians(values[i]) : values[i]; };
    result.placement.rpy = {angle(3), angle(4), angle(5)};
  }
  return result;
}

Line parse_line(const std::string& option, const std::string& text) {
  const std::string expected =
      "a point x,y,z in m and a direction that is not 0,0,0, e.g. 0,0,0,0,0,1";
  const std::vector<double> values = parse_numbers(option, text, expected);
  const bool has_direction =
      values.size() == 6 && (values[3] != 0.0 || values[4] != 0.0 || values[5] != 0.0);
  require(has_direction, option, text, expected);
  require_at_most(limits_of_input::size, option, text, values);
  return {{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
}

MassProperties parse_payload(const std::string& option, const std::string& text) {
  const std::string expected = "MASS or MASS,x,y,z in kg and m, e.g. 2.5,0,0,0.05";
  const std::vector<double> values = parse_numbers(option, text, expected);
  require(values.size() == 1 || values.size() == 4, option, text, expected);
  refuse_if(values[0] < 0.0, "{}: the mass is {}, expected 0 kg or more", option, values[0]);
  require_at_most(limits_of_input::size, option, text, values);
  MassProperties payload;
  payload.mass = values[0];
  if (values.size() == 4) payload.com = {values[1], values[2], values[3]};
  return payload;
}

LeftOut parse_without(const std::string& option, const std::string& text) {
  LeftOut parts;
  for (const std::string& listed : split_list(text)) {
    refuse_if(listed == "motor",
              "{}: found \"motor\", which is two parts: write rotors for the inertia of its rotor, "
              "friction for all friction, at the joint and at the motor, or friction,rotors",
              option);
    parts.*robot_parts(option, listed) = true;
  }
  return parts;
}

std::vector<std::string> names(const LeftOut& parts) {
  std::vector<std::string> names = robot_parts.names();
  std::erase_if(names, [&](const std::string& name) { return !(parts.*robot_parts("", name)); });
  return names;
}

std::vector<ColumnChoice> parse_columns(const std::string& option, const std::string& text) {
  std::vector<ColumnChoice> choices(1);
  std::string* part = &choices.back().name;
  int depth = 0;
  bool has_equals = false;
  const auto finish = [&] {
    ColumnChoice& choice = choices.back();
    choice = {std::string(trimmed(choice.name, " ")), std::string(trimmed(choice.columns, " "))};
    require(has_equals && !choice.name.empty() && !choice.columns.empty(), option, text,
            "NAME=COLUMN,.. such as q=actual_q_{0..5},t=timestamp");
    refuse_if(std::ranges::count(choices, choice.name, &ColumnChoice::name) > 1,
              "{}: \"{}\" is given twice", option, in_one_line(choice.name));
  };
  for (const char c : text) {
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (c == '=' && !has_equals) {
      has_equals = true;
      part = &choices.back().columns;
    } else if (c == ',' && depth <= 0) {
      finish();
      part = &choices.emplace_back().name;
      has_equals = false;
    } else {
      *part += c;
    }
  }
  finish();
  return choices;
}

std::uint64_t parse_seed(const std::string& option, const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  require(error == std::errc() && stop == end, option, text, "a whole number of 0 or more");
  return seed;
}

std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> in_the_field{
      {{"rnea", "newton-euler"},
       {"aba", "articulated"},
       {"crba", "composite"},
       {"mass", "M"},
       {"mass-matrix", "M"},
       {"d", "M"},  // Spong
       {"coriolis", "C"},
       {"gravity", "G"}}};
  const auto* const other = std::ranges::find(
      in_the_field, in_small_letters(text), &std::pair<std::string_view, std::string_view>::first);
  if (std::ranges::count(choices, text) == 0 && other != in_the_field.end() &&
      std::ranges::count(choices, other->second) > 0) {
    return std::string(other->second);
  }
  require(std::ranges::count(choices, text) > 0, option, text,
          fmt::format("{}{}{}", choices.size() == 1 ? "" : "one of ", fmt::join(choices, ", "),
                      did_you_mean(text, choices)));
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  return did_you_mean(word, std::vector<std::string_view>(known.begin(), known.end()), '\'');
}

namespace {

/// Begins with a letter and is one word, but not pi.
bool looks_like_a_name(const std::string& text) {
  return !text.empty() && is_letter(text[0]) && text.find(',') == text.npos && !parse_pi(text);
}

std::string no_such_pose(const std::string& option, const std::string& text, const Robot& robot) {
  const std::vector<std::string> names = each(robot.poses, &NamedPose::name);
  if (names.empty()) {
    return fmt::format("{}: found \"{}\"; {} has no named poses, give one number per joint", option,
                       text, robot.name);
  }
  return fmt::format("{}: {} has no pose '{}', it has {}{}", option, robot.name, text,
                     fmt::join(names, ", "), did_you_mean(text, names));
}

bool names_degrees(const std::string& part) {
  return part.find("deg") != part.npos || part.ends_with("°");
}

/// Expected form of an entry that is no number.
std::string a_number(const std::string& part) {
  return names_degrees(part) ? "a number; ' deg', with its blank, stands once, after the whole list"
                             : "a number";
}

std::string no_number(const std::string& option, const std::string& part, const std::string& text,
                      const Robot& robot) {
  const bool is_whole = part == text || part + std::string(degree_mark) == text;
  const std::string expected = !names_degrees(part) && is_whole && robot.dof() > 1
                                   ? fmt::format("{} numbers separated by commas", robot.dof())
                                   : a_number(part);
  return fmt::format("{}: found \"{}\"{}, expected {}", option, part,
                     part == text ? "" : fmt::format(" in \"{}\"", text), expected);
}

}  // namespace

std::vector<double> parse_joint_list(const std::string& option, const std::string& text,
                                     const Robot& robot, double most) {
  if (text.empty()) return std::vector<double>(robot.dof(), 0.0);
  refuse_if(find_pose(robot, text) != nullptr,
            "{}: the pose '{}' is a position; give one number per joint", option, text);
  const bool in_degrees = text.ends_with(degree_mark);
  std::vector<double> values;
  for (const std::string& part : split_list(without_mark(text))) {
    const std::optional<double> value = number_or_pi(part, in_degrees);
    if (!value) throw UsageError(no_number(option, part, text, robot));
    const std::size_t joint = values.size();
    const bool converts = in_degrees && joint < robot.dof() && turns(robot.joints[joint]);
    values.push_back(converts ? radians(*value) : *value);
  }
  refuse_if(values.size() != robot.dof(),
            "{}: found {} in \"{}\", expected {}, one per joint of {}", option,
            counted(values.size(), "number"), text, robot.dof(), robot.name);
  require_at_most(most, option, text, values);
  return values;
}

std::vector<double> parse_positive_each(const std::string& option, const std::string& text,
                                        const Robot& robot) {
  const std::string number(without_mark(text));
  std::string list = text;
  if (split_list(number).size() == 1) {
    require(parse_number(number) || parse_pi(number), option, number, a_number(number));
    for (std::size_t i = 1; i < robot.dof(); ++i) list.insert(0, number + ",");
  }
  std::vector<double> values = parse_joint_list(option, list, robot);
  const bool are_positive = std::ranges::all_of(values, [](double value) { return value > 0.0; });
  require(are_positive, option, text, "numbers greater than 0");
  return values;
}

std::vector<double> parse_position(const std::string& option, const std::string& text,
                                   const Robot& robot) {
  if (const NamedPose* pose = find_pose(robot, text)) return pose->q;
  if (looks_like_a_name(text)) throw UsageError(no_such_pose(option, text, robot));
  return parse_joint_list(option, text, robot, limits_of_input::position);
}

std::vector<Finding> lists_in_degrees(const std::vector<NamedText>& lists, const Robot& robot) {
  std::vector<Finding> findings;
  for (const auto& [option, text] : lists) {
    if (!is_without_unit(text, robot)) continue;
    const std::vector<std::string> parts = split_list(text);
    const bool is_placement = option == "--to-tcp" || option == "--frame" || option == "--at";
    for (std::size_t i = 0; i < parts.size(); ++i) {
      // Of a placement the last three of six numbers are angles.
      const bool is_angle = parts.size() > 5 && i + 3 >= parts.size();
      if (is_placement ? !is_angle : i >= robot.dof()) continue;
      const double value = parse_number(parts[i]).value_or(0.0);
      const bool is_doubtful =
          is_placement ? looks_like_degrees(value) : looks_like_degrees(robot, i, value);
      if (!is_doubtful) continue;
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
  const std::vector<std::string> known = each(robot.joints, &Joint::name);
  std::vector<std::size_t> joints;
  for (const std::string& part : split_list(text)) {
    std::size_t joint = static_cast<std::size_t>(std::ranges::find(known, part) - known.begin());
    const std::optional<double> number = parse_number(part);
    for (std::size_t i = 0; number && i < known.size(); ++i) {
      if (*number == static_cast<double>(i + 1)) joint = i;
    }
    require(joint < known.size(), option, part,
            fmt::format("joints out of 1 to {} or {}{}", known.size(), fmt::join(known, ", "),
                        did_you_mean(part, known)));
    if (std::ranges::find(joints, joint) == joints.end()) joints.push_back(joint);
  }
  return joints;
}

bool is_without_unit(const std::string& text, const Robot& robot) {
  return !text.empty() && find_pose(robot, text) == nullptr && !text.ends_with(degree_mark);
}

}  // namespace armdyn
