#include "log/dialects.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace armdyn {

namespace {

constexpr std::size_t most_columns = 1000;

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || text.size() > 6) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return number;
}

bool take(PatternMatch& match, std::string_view place, std::string_view text) {
  if (text.empty()) return false;
  if (place == "#") match.number = whole_number(text);
  if (place == "joint") match.joint = text;
  if (place == "*") match.any = text;
  return place != "#" || match.number.has_value();
}

bool match_rest(std::string_view pattern, std::string_view text, PatternMatch& match) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) return pattern == text;
  if (text.substr(0, open) != pattern.substr(0, open)) return false;
  const std::size_t close = pattern.find('}', open);
  const std::string_view place = pattern.substr(open + 1, close - open - 1);
  pattern.remove_prefix(close + 1);
  text.remove_prefix(open);
  for (std::size_t length = text.size(); length > 0; --length) {
    PatternMatch attempt = match;
    if (!take(attempt, place, text.substr(0, length))) continue;
    if (!match_rest(pattern, text.substr(length), attempt)) continue;
    match = attempt;
    return true;
  }
  return false;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// "0..5", also downwards.
std::optional<std::vector<std::string>> range_of_numbers(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return split_at_commas(text);
  const auto first = whole_number(text.substr(0, dots));
  const auto last = whole_number(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  const std::size_t span = *first < *last ? *last - *first : *first - *last;
  if (span >= most_columns) return std::nullopt;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i <= span; ++i) {
    numbers.push_back(std::to_string(*first < *last ? *first + i : *first - i));
  }
  return numbers;
}

}  // namespace

std::optional<PatternMatch> match_pattern(std::string_view pattern, std::string_view text) {
  PatternMatch match;
  if (!match_rest(pattern, text, match)) return std::nullopt;
  return match;
}

std::optional<std::vector<std::string>> expand_braces(std::string_view text) {
  const std::size_t open = text.find('{');
  if (open == std::string_view::npos) return std::vector<std::string>{std::string(text)};
  const std::size_t close = text.find('}', open);
  if (close == std::string_view::npos) return std::nullopt;
  auto parts = range_of_numbers(text.substr(open + 1, close - open - 1));
  if (!parts) return std::nullopt;
  for (std::string& part : *parts) {
    part.insert(0, text.substr(0, open));
    part += text.substr(close + 1);
  }
  return parts;
}

namespace {

using enum Quantity;

constexpr std::array plain_patterns{
    ColumnPattern{time, "t"},
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{time, "time_s"},
    ColumnPattern{time, "time_ms", "ms"},
    ColumnPattern{time, "time_us", "us"},
    ColumnPattern{time, "time_ns", "ns"},
    ColumnPattern{position, "q{#}"},
    ColumnPattern{position, "q_{#}"},
    ColumnPattern{position, "q[{#}]"},
    ColumnPattern{velocity, "qd{#}"},
    ColumnPattern{velocity, "qd_{#}"},
    ColumnPattern{velocity, "qd[{#}]"},
    ColumnPattern{velocity, "dq{#}"},
    ColumnPattern{velocity, "dq_{#}"},
    ColumnPattern{velocity, "dq[{#}]"},
    ColumnPattern{acceleration, "qdd{#}"},
    ColumnPattern{acceleration, "qdd_{#}"},
    ColumnPattern{acceleration, "qdd[{#}]"},
    ColumnPattern{acceleration, "ddq{#}"},
    ColumnPattern{acceleration, "ddq_{#}"},
    ColumnPattern{acceleration, "ddq[{#}]"},
    ColumnPattern{torque, "tau{#}"},
    ColumnPattern{torque, "tau_{#}"},
    ColumnPattern{torque, "tau[{#}]"},
    ColumnPattern{current, "i{#}"},
    ColumnPattern{current, "i_{#}"},
    ColumnPattern{current, "i[{#}]"},
};

constexpr std::array short_word_patterns{
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{position, "pos{#}"},
    ColumnPattern{position, "pos_{#}"},
    ColumnPattern{position, "pos_{joint}"},
    ColumnPattern{velocity, "vel{#}"},
    ColumnPattern{velocity, "vel_{#}"},
    ColumnPattern{velocity, "vel_{joint}"},
    ColumnPattern{acceleration, "acc{#}"},
    ColumnPattern{acceleration, "acc_{#}"},
    ColumnPattern{acceleration, "acc_{joint}"},
    ColumnPattern{torque, "torque{#}"},
    ColumnPattern{torque, "torque_{#}"},
    ColumnPattern{torque, "torque_{joint}"},
    ColumnPattern{torque, "trq{#}"},
    ColumnPattern{torque, "trq_{#}"},
    ColumnPattern{current, "current{#}"},
    ColumnPattern{current, "current_{#}"},
    ColumnPattern{current, "current_{joint}"},
};

constexpr std::array word_patterns{
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{position, "position{#}"},
    ColumnPattern{position, "position_{#}"},
    ColumnPattern{position, "position[{#}]"},
    ColumnPattern{position, "position_{joint}"},
    ColumnPattern{velocity, "velocity{#}"},
    ColumnPattern{velocity, "velocity_{#}"},
    ColumnPattern{velocity, "velocity[{#}]"},
    ColumnPattern{velocity, "velocity_{joint}"},
    ColumnPattern{acceleration, "acceleration{#}"},
    ColumnPattern{acceleration, "acceleration_{#}"},
    ColumnPattern{acceleration, "acceleration[{#}]"},
    ColumnPattern{acceleration, "acceleration_{joint}"},
    ColumnPattern{torque, "effort{#}"},
    ColumnPattern{torque, "effort_{#}"},
    ColumnPattern{torque, "effort[{#}]"},
    ColumnPattern{torque, "effort_{joint}"},
    ColumnPattern{torque, "torque_{#}"},
    ColumnPattern{torque, "torque_{joint}"},
    ColumnPattern{current, "current_{#}"},
    ColumnPattern{current, "current_{joint}"},
};

constexpr std::array ros_patterns{
    ColumnPattern{time, "%time", "ns"},
    ColumnPattern{position, "field.position{#}"},
    ColumnPattern{velocity, "field.velocity{#}"},
    ColumnPattern{torque, "field.effort{#}"},
};

constexpr std::array echo_patterns{
    ColumnPattern{position, "message.position{#}"},
    ColumnPattern{velocity, "message.velocity{#}"},
    ColumnPattern{torque, "message.effort{#}"},
};

constexpr std::array plotjuggler_patterns{
    ColumnPattern{time, "__time"},
    ColumnPattern{position, "{*}/{joint}/position"},
    ColumnPattern{velocity, "{*}/{joint}/velocity"},
    ColumnPattern{acceleration, "{*}/{joint}/acceleration"},
    ColumnPattern{torque, "{*}/{joint}/effort"},
};

constexpr std::array rtde_patterns{
    ColumnPattern{time, "timestamp"},
    ColumnPattern{time, "time"},
    ColumnPattern{position, "actual_q_{#}"},
    ColumnPattern{position, "target_q_{#}"},
    ColumnPattern{velocity, "actual_qd_{#}"},
    ColumnPattern{velocity, "target_qd_{#}"},
    ColumnPattern{acceleration, "target_qdd_{#}"},
    ColumnPattern{torque, "target_moment_{#}", "", "the controller's own model, not measured"},
    ColumnPattern{current, "actual_current_{#}"},
};

constexpr std::array libfranka_patterns{
    ColumnPattern{time, "time", "ms"},
    ColumnPattern{position, "state.q[{#}]"},
    ColumnPattern{velocity, "state.dq[{#}]"},
    ColumnPattern{torque, "state.tau_J[{#}]"},
};

constexpr std::array sunrise_patterns{
    ColumnPattern{position, "axisQMsr_{*}[{#}]"},
    ColumnPattern{torque, "axisTauMsr_{*}[{#}]"},
};

constexpr std::array krc_patterns{
    ColumnPattern{time, "time"},
    ColumnPattern{time, "timestamp"},
    ColumnPattern{position, "A{#}", "deg"},
    ColumnPattern{position, "AIPos.A{#}", "deg"},
    ColumnPattern{position, "$AXIS_ACT.A{#}", "deg"},
    ColumnPattern{current, "MACur.A{#}"},
};
constexpr std::array dialects{
    Dialect{.name = "a plain table", .patterns = plain_patterns, .refuses_unknown = true},
    Dialect{.name = "a log with pos, vel, acc", .patterns = short_word_patterns},
    Dialect{.name = "a log with position, velocity, effort", .patterns = word_patterns},
    Dialect{.name = "a ROS log (rostopic echo -p)",
            .patterns = ros_patterns,
            .joint_names = "field.name{#}"},
    Dialect{.name = "a ROS 2 log (ros2 topic echo --csv)",
            .patterns = echo_patterns,
            .joint_names = "message.name{#}",
            .whole_seconds = "header.stamp.sec",
            .nanoseconds = "header.stamp.nanosec"},
    Dialect{.name = "a PlotJuggler export", .patterns = plotjuggler_patterns},
    Dialect{.name = "a UR RTDE log", .patterns = rtde_patterns},
    Dialect{.name = "a libfranka log", .patterns = libfranka_patterns},
    Dialect{.name = "a KUKA Sunrise recording",
            .patterns = sunrise_patterns,
            .whole_seconds = "ZeitInSec",
            .nanoseconds = "ZeitInNanoSec"},
    Dialect{.name = "a KUKA axis log", .patterns = krc_patterns},
};

}  // namespace

std::span<const Dialect> known_dialects() {
  return dialects;
}

}  // namespace armdyn
