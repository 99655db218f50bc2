#include "cli/options/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "cli/options/common_options.hpp"
#include "io/robot/parameters.hpp"
#include "io/text/nearest_name.hpp"
#include "io/text/number_text.hpp"
#include "math/rotation.hpp"
#include "model/formula.hpp"
#include "model/limits_of_input.hpp"

namespace armdyn {

namespace {

std::vector<double> parse_numbers(const std::string& option, const std::string& text,
                                  const std::string& expected) {
  std::vector<double> numbers;
  for (const std::string& part : split_list(text)) {
    const std::optional<double> number = parse_number(part);
    if (!number) {
      throw UsageError(
          fmt::format("{}: found \"{}\" in \"{}\", expected {}", option, part, text, expected));
    }
    numbers.push_back(*number);
  }
  return numbers;
}

constexpr int most_joints = 100;

constexpr std::array<std::pair<std::string_view, bool LeftOut::*>, 4> robot_parts{
    {{"friction", &LeftOut::friction},
     {"rotors", &LeftOut::rotors},
     {"payload", &LeftOut::payload},
     {"gravity", &LeftOut::gravity}}};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, fits);
}

double parse_positive(const std::string& option, const std::string& text, const char* what) {
  const std::optional<double> number = parse_number(text);
  if (!number || *number <= 0.0) {
    throw UsageError(
        fmt::format("{}: found \"{}\", expected {} greater than 0", option, text, what));
  }
  return *number;
}

constexpr int any_count = 1'000'000'000;

int parse_whole(const std::string& option, const std::string& text, int least,
                int most = any_count) {
  const std::optional<double> number = parse_number(text);
  if (!number || *number < least || *number > most || *number != static_cast<int>(*number)) {
    const bool is_too_large = most < any_count || (number && *number > most);
    throw UsageError(fmt::format("{}: found \"{}\", expected a whole number {}", option, text,
                                 is_too_large ? fmt::format("from {} to {}", least, most)
                                              : fmt::format("of {} or more", least)));
  }
  return static_cast<int>(*number);
}

}  // namespace

ParameterValues parse_set(const std::string& option, const std::string& text) {
  ParameterValues values;
  for (const std::string& part : split_list(text)) {
    const std::size_t sign = part.find('=');
    if (sign == 0 || sign == part.npos) {
      throw UsageError(fmt::format("{}: found \"{}\" in \"{}\", expected NAME=VALUE, as in m2=3",
                                   option, part, text));
    }
    try {
      Parameter& value = values[part.substr(0, sign)] = evaluate(part.substr(sign + 1), {});
      value.half_unit = 0.0;
    } catch (const FormulaError& wrong) {
      throw UsageError(fmt::format("{}: found \"{}\": {}", option, part, wrong.what()));
    }
  }
  return values;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  for (std::size_t comma = text.find(','); comma != text.npos; comma = text.find(',')) {
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.emplace_back(text);
  for (std::string& part : parts) {
    const std::size_t first = part.find_first_not_of(' ');
    part = first == part.npos ? "" : part.substr(first, part.find_last_not_of(' ') - first + 1);
  }
  return parts;
}

std::vector<std::string> split_distinct(const std::string& option, const std::string& text) {
  std::vector<std::string> parts = split_list(text);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (std::find(parts.begin(), part, *part) != part) {
      throw UsageError(fmt::format("{}: {} stands twice in \"{}\"", option, *part, text));
    }
  }
  return parts;
}

void require_at_most(double most, const std::string& option, const std::string& text,
                     std::span<const double> values) {
  if (std::ranges::all_of(values, [most](double x) { return std::abs(x) <= most; })) return;
  throw UsageError(
      fmt::format("{}: found \"{}\", expected {}", option, text, limits_of_input::expected(most)));
}

Vec3 parse_gravity(const std::string& option, const std::string& text) {
  const std::string expected = "three numbers x,y,z in m/s^2, e.g. 0,0,-9.81";
  const std::vector<double> g = parse_numbers(option, text, expected);
  if (g.size() != 3) {
    throw UsageError(fmt::format("{}: found \"{}\", expected {}", option, text, expected));
  }
  require_at_most(limits_of_input::gravity, option, text, g);
  return {g[0], g[1], g[2]};
}

PlacementText parse_placement(const std::string& option, std::string text) {
  const std::string whole = text;
  const bool in_degrees = text.ends_with(" deg");
  if (in_degrees) text.resize(text.size() - 4);
  std::vector<double> values;
  for (const std::string& part : split_list(text)) {
    std::optional<double> value = parse_number(part);
    if (!value && !in_degrees) value = parse_pi(part);
    if (value) values.push_back(*value);
  }
  const std::size_t count = split_list(text).size();
  if (values.size() != count || (count != 3 && count != 6)) {
    throw UsageError(fmt::format("{}: found \"{}\", expected x,y,z in m, or x,y,z,roll,pitch,yaw",
                                 option, whole));
  }
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
  if (values.size() != 6 || (values[3] == 0.0 && values[4] == 0.0 && values[5] == 0.0)) {
    throw UsageError(fmt::format("{}: found \"{}\", expected {}", option, text, expected));
  }
  return {{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
}

MassProperties parse_payload(const std::string& option, const std::string& text) {
  const std::string expected = "MASS or MASS,x,y,z in kg and m, e.g. 2.5,0,0,0.05";
  const std::vector<double> values = parse_numbers(option, text, expected);
  if (values.size() != 1 && values.size() != 4) {
    throw UsageError(fmt::format("{}: found \"{}\", expected {}", option, text, expected));
  }
  if (values[0] < 0.0) {
    throw UsageError(fmt::format("{}: the mass is {}, expected 0 kg or more", option, values[0]));
  }
  require_at_most(limits_of_input::size, option, text, values);
  MassProperties payload;
  payload.mass = values[0];
  if (values.size() == 4) payload.com = {values[1], values[2], values[3]};
  return payload;
}

LeftOut parse_without(const std::string& option, const std::string& text) {
  std::vector<std::string> names;
  names.reserve(robot_parts.size());
  for (const auto& [name, part] : robot_parts) names.emplace_back(name);
  LeftOut parts;
  for (const std::string& listed : split_list(text)) {
    if (listed == "motor") {
      throw UsageError(fmt::format(
          "{}: found \"motor\", which is two parts: write rotors for the inertia of its rotor, "
          "friction for all friction, at the joint and at the motor, or friction,rotors",
          option));
    }
    const std::string chosen = parse_choice(option, listed, names);
    for (const auto& [name, part] : robot_parts) parts.*part = parts.*part || name == chosen;
  }
  return parts;
}

std::vector<std::string> names(const LeftOut& parts) {
  std::vector<std::string> names;
  for (const auto& [name, part] : robot_parts) {
    if (parts.*part) names.emplace_back(name);
  }
  return names;
}

std::vector<ColumnChoice> parse_columns(const std::string& option, const std::string& text) {
  std::vector<ColumnChoice> choices(1);
  std::string* part = &choices.back().name;
  int depth = 0;
  bool has_equals = false;
  const auto finish = [&] {
    const ColumnChoice& choice = choices.back();
    if (has_equals && !choice.name.empty() && !choice.columns.empty()) return;
    throw UsageError(fmt::format(
        "{}: found \"{}\", expected NAME=COLUMN,.. such as q=actual_q_{{0..5}},t=timestamp", option,
        text));
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

int parse_count(const std::string& option, const std::string& text) {
  return parse_whole(option, text, 1);
}

int parse_threads(const std::string& option, const std::string& text) {
  return parse_whole(option, text, 1, 1024);
}

int parse_harmonics(const std::string& option, const std::string& text) {
  return parse_whole(option, text, 3, 1000);
}

int parse_delay(const std::string& option, const std::string& text) {
  return parse_whole(option, text, 0);
}

std::uint64_t parse_seed(const std::string& option, const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || stop != end) {
    throw UsageError(
        fmt::format("{}: found \"{}\", expected a whole number of 0 or more", option, text));
  }
  return seed;
}

double parse_tolerance(const std::string& option, const std::string& text) {
  const std::optional<double> number = parse_number(text);
  if (!number || *number < 0.0) {
    throw UsageError(fmt::format("{}: found \"{}\", expected a number of 0 or more", option, text));
  }
  return *number;
}

std::size_t parse_joint_count(const std::string& option, const std::string& text) {
  const int count = parse_count(option, text);
  if (count > most_joints) {
    throw UsageError(fmt::format("{}: found {}, expected at most {}", option, count, most_joints));
  }
  return static_cast<std::size_t>(count);
}

std::vector<JointType> parse_joint_types(const std::string& option, const std::string& text) {
  std::vector<JointType> types;
  for (const char letter : text) {
    const bool turns = letter == 'R' || letter == 'r';
    if ((!turns && letter != 'P' && letter != 'p') || types.size() == most_joints) {
      throw UsageError(
          fmt::format("{}: found \"{}\", expected R (revolute) or P (prismatic) for each joint, at "
                      "most {}, e.g. RRPR",
                      option, text, most_joints));
    }
    types.push_back(turns ? JointType::revolute : JointType::prismatic);
  }
  return types;
}

std::string parse_name(const std::string& option, const std::string& text) {
  if (is_name(text)) return text;
  throw UsageError(
      fmt::format("{}: found \"{}\", expected a letter, then letters, digits, \".\", "
                  "\"_\" or \"-\"",
                  option, text));
}

std::string name_from_path(const std::string& path, const std::string& otherwise) {
  const std::string stem = std::filesystem::path(path).stem();
  return is_name(stem) ? stem : otherwise;
}

double parse_positive_number(const std::string& option, const std::string& text) {
  return parse_positive(option, text, "a number");
}

double parse_duration(const std::string& option, const std::string& text) {
  return parse_positive(option, text, "seconds");
}

double parse_duration_or_zero(const std::string& option, const std::string& text) {
  const std::optional<double> number = parse_number(text);
  if (!number || *number < 0.0) {
    throw UsageError(fmt::format("{}: found \"{}\", expected seconds, 0 or more", option, text));
  }
  return *number;
}

double parse_rate(const std::string& option, const std::string& text) {
  return parse_positive(option, text, "a number of Hz");
}

double parse_time(const std::string& option, const std::string& text) {
  const std::optional<double> number = parse_number(text);
  if (!number) {
    throw UsageError(fmt::format("{}: found \"{}\", expected a number of seconds", option, text));
  }
  return *number;
}

std::vector<TaskRow> parse_task_rows(const std::string& option, const std::string& text) {
  std::vector<std::string> names;
  for (const TaskRow row : all_task_rows()) names.emplace_back(name(row));
  std::vector<TaskRow> rows;
  for (const std::string& part : split_distinct(option, text)) {
    const std::string row_name = parse_choice(option, part, names);
    const auto place = std::find(names.begin(), names.end(), row_name) - names.begin();
    rows.push_back(all_task_rows()[static_cast<std::size_t>(place)]);
  }
  return rows;
}

std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  throw UsageError(fmt::format("{}: found \"{}\", expected {}{}{}", option, text,
                               choices.size() == 1 ? "" : "one of ", fmt::join(choices, ", "),
                               did_you_mean(text, choices)));
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const std::optional<std::string> nearest = nearest_name(word, candidates);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

}  // namespace armdyn
