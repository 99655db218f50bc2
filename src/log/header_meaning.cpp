#include "log/header_meaning.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

#include "log/suggested_columns.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"
#include "text/quoted_word.hpp"

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

// Expands "0..5", also downwards, or parts between commas.
std::optional<std::vector<std::string>> range_of_numbers(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return split_at(text, ',');
  const auto first = whole_number(text.substr(0, dots));
  const auto last = whole_number(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  const std::size_t span = *first < *last ? *last - *first : *first - *last;
  if (span >= most_columns) return std::nullopt;
  return each(in_order(span + 1), [&](std::size_t i) {
    return std::to_string(*first < *last ? *first + i : *first - i);
  });
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

std::optional<std::size_t> joint_of_text(const Robot& robot, const std::string& text) {
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const std::string& joint = robot.joints[i].name;
    if (!joint.empty() && (text == joint || text == joint + "_joint")) return i;
  }
  return std::nullopt;
}

namespace {

using enum Quantity;

constexpr std::array plain_patterns{
    ColumnPattern{time, "t time timestamp time_s Time Timestamp"},
    ColumnPattern{time, "time_ms", "ms"},
    ColumnPattern{time, "time_us", "us"},
    ColumnPattern{time, "time_ns", "ns"},
    ColumnPattern{position, "q{#} q_{#} q_{joint} q[{#}]"},
    ColumnPattern{velocity, "qd{#} qd_{#} qd_{joint} qd[{#}] dq{#} dq_{#} dq_{joint} dq[{#}]"},
    ColumnPattern{acceleration,
                  "qdd{#} qdd_{#} qdd_{joint} qdd[{#}] ddq{#} ddq_{#} ddq_{joint} ddq[{#}]"},
    ColumnPattern{torque, "tau{#} tau_{#} tau_{joint} tau[{#}]"},
    ColumnPattern{current, "i{#} i_{#} i[{#}]"},
};

constexpr std::array short_word_patterns{
    ColumnPattern{time, "time timestamp Time Timestamp"},
    ColumnPattern{position, "pos{#} pos_{#} pos_{joint}"},
    ColumnPattern{velocity, "vel{#} vel_{#} vel_{joint}"},
    ColumnPattern{acceleration, "acc{#} acc_{#} acc_{joint}"},
    ColumnPattern{torque, "torque{#} torque_{#} torque_{joint} trq{#} trq_{#} trq_{joint}"},
    ColumnPattern{current, "current{#} current_{#} current_{joint}"},
};

constexpr std::array word_patterns{
    ColumnPattern{time, "time timestamp Time Timestamp"},
    ColumnPattern{position, "position{#} position_{#} position[{#}] position_{joint}"},
    ColumnPattern{velocity, "velocity{#} velocity_{#} velocity[{#}] velocity_{joint}"},
    ColumnPattern{acceleration,
                  "acceleration{#} acceleration_{#} acceleration[{#}] acceleration_{joint}"},
    ColumnPattern{torque,
                  "effort{#} effort_{#} effort[{#}] effort_{joint} torque_{#} torque_{joint}"},
    ColumnPattern{current, "current_{#} current_{joint}"},
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
    ColumnPattern{time, "timestamp time"},
    ColumnPattern{position, "actual_q_{#} target_q_{#}"},
    ColumnPattern{velocity, "actual_qd_{#} target_qd_{#}"},
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
    ColumnPattern{time, "time timestamp"},
    ColumnPattern{position, "A{#} AIPos.A{#} $AXIS_ACT.A{#}", "deg"},
    ColumnPattern{current, "MACur.A{#}"},
};

/// All dialects; the first has the names of the conventions.
constexpr std::array dialects{
    Dialect{.name = "a plain table", .patterns = plain_patterns, .refuses_unknown = true},
    Dialect{.name = "a log with pos, vel, acc", .patterns = short_word_patterns},
    Dialect{.name = "a log with position, velocity, effort",
            .patterns = word_patterns,
            .joint_names = "name"},
    Dialect{.name = "a ROS log (rostopic echo -p)",
            .patterns = ros_patterns,
            .joint_names = "field.name{#}"},
    Dialect{.name = "a ROS 2 log (ros2 topic echo --csv)",
            .patterns = echo_patterns,
            .joint_names = "message.name{#}"},
    Dialect{.name = "a PlotJuggler export", .patterns = plotjuggler_patterns},
    Dialect{.name = "a UR RTDE log", .patterns = rtde_patterns},
    Dialect{.name = "a libfranka log", .patterns = libfranka_patterns},
    Dialect{.name = "a KUKA Sunrise recording", .patterns = sunrise_patterns},
    Dialect{.name = "a KUKA axis log", .patterns = krc_patterns},
};

/// Columns that no dialect has, for each joint, with plain names.
constexpr Dialect joint_dialect{.name = "columns named by joint", .patterns = {}};

/// Stamps in two columns, whole seconds and nanoseconds, in any dialect.
constexpr std::array<std::array<std::string_view, 2>, 6> split_stamps{{
    {"header.stamp.sec", "header.stamp.nanosec"},
    {"header.stamp.secs", "header.stamp.nsecs"},
    {"ZeitInSec", "ZeitInNanoSec"},
    {"sec", "nanosec"},
    {"sec", "nsec"},
    {"secs", "nsecs"},
}};

[[noreturn]] void fail(const Header& header, const std::string& message) {
  throw InputError(place_text(header) + ": " + message);
}

std::string_view trimmed(std::string_view text) {
  return armdyn::trimmed(text, " \t");
}

/// Names in a list as bagpy writes it, "['shoulder', 'elbow']"; none in other texts.
std::vector<std::string> listed_names(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return {};
  return each(split_at(text.substr(1, text.size() - 2), ','),
              [](const std::string& name) { return std::string(armdyn::trimmed(name, " '\"")); });
}

// Reading of a header as one of a dialect.
class DialectReading {
 public:
  DialectReading(const Header& header, const Robot& robot, const Dialect& dialect)
      : header_(header), robot_(robot) {
    result.dialect = &dialect;
    read_joint_names(dialect);
    for (const ColumnPattern& pattern : dialect.patterns) {
      for (const std::string& text : split_at(pattern.texts, ' ')) {
        if (!result.has(pattern.quantity)) read(pattern, text);
      }
    }
  }

  HeaderMeaning result;
  std::size_t groups = 0;
  std::size_t likely_columns = 0;  // of one quantity

 private:
  struct Candidate {
    std::size_t cell;
    std::optional<std::string> unit;
    PatternMatch places;
  };

  [[nodiscard]] std::vector<Candidate> candidates(std::string_view pattern, Quantity quantity,
                                                  std::string_view unit) const {
    std::vector<Candidate> found;
    for (std::size_t cell = 0; cell < header_.cells.size(); ++cell) {
      CellText text{header_.cells[cell], {}};
      if (!unit.empty()) text.unit = unit;
      auto match = match_pattern(pattern, text.name);
      if (!match) {
        text = name_and_unit(header_.cells[cell], quantity);
        if (text.unit) match = match_pattern(pattern, text.name);
      }
      if (match) found.push_back({cell, text.unit, *match});
    }
    return found;
  }

  void read_joint_names(const Dialect& dialect) {
    if (dialect.joint_names.empty()) return;
    for (const Candidate& c : candidates(dialect.joint_names, Quantity::position, "")) {
      if (c.cell >= header_.first_row.size()) continue;
      const std::string& text = header_.first_row[c.cell];
      const auto names = c.places.number ? std::vector{text} : listed_names(text);
      for (std::size_t i = 0; i < names.size(); ++i) names_[c.places.number.value_or(i)] = names[i];
      if (!names.empty()) result.constant_texts.push_back({c.cell, text});
    }
  }

  void read(const ColumnPattern& pattern, const std::string& text) {
    std::map<std::string, std::vector<Candidate>> sets;  // by the text at {*}
    for (const Candidate& c : candidates(text, pattern.quantity, pattern.unit))
      sets[c.places.any].push_back(c);
    if (sets.empty()) return;
    if (pattern.quantity == Quantity::time) {
      const Candidate& first = sets.begin()->second.front();
      result.put(first.cell, {Quantity::time, 0, first.unit});
      return;
    }
    std::vector<std::vector<const Candidate*>> complete;
    for (const auto& [any, columns] : sets) {
      likely_columns = std::max(likely_columns, columns.size());
      const std::vector<const Candidate*> joints = by_joint(columns);
      joints.empty() ? why_not(count_text(pattern.quantity, columns)) : complete.push_back(joints);
    }
    if (complete.size() > 1) {
      why_not(fmt::format("several columns match {}; --columns selects one", shown_text(text)));
    }
    if (complete.size() != 1) return;
    ++groups;
    for (std::size_t i = 0; i < robot_.dof(); ++i) {
      ColumnMeaning meaning{pattern.quantity, i, complete[0][i]->unit};
      meaning.remark = pattern.remark;
      if (!result.columns.contains(complete[0][i]->cell)) {
        result.put(complete[0][i]->cell, meaning);
      }
    }
  }

  /// Columns in the order of the joints; none unless each joint has one.
  [[nodiscard]] std::vector<const Candidate*> by_joint(
      const std::vector<Candidate>& columns) const {
    std::vector<const Candidate*> found(robot_.dof());
    const auto number = [](const Candidate& c) { return c.places.number.value_or(0); };
    const std::size_t base = number(*std::ranges::min_element(columns, {}, number));
    for (const Candidate& column : columns) {
      const std::optional<std::size_t> joint = joint_of(column, base);
      if (!joint) continue;
      if (*joint >= found.size() || found[*joint] != nullptr) return {};
      found[*joint] = &column;
    }
    const bool is_whole = base <= 1 && std::ranges::count(found, nullptr) == 0;
    return is_whole ? found : std::vector<const Candidate*>{};
  }

  [[nodiscard]] std::optional<std::size_t> joint_of(const Candidate& column,
                                                    std::size_t base) const {
    if (!column.places.joint.empty()) return joint_of_text(robot_, column.places.joint);
    const std::size_t number = *column.places.number;
    if (names_.empty()) return number - base;
    const auto named = names_.find(number);
    return named == names_.end() ? std::nullopt : joint_of_text(robot_, named->second);
  }

  [[nodiscard]] std::string count_text(Quantity quantity,
                                       const std::vector<Candidate>& columns) const {
    std::string why =
        fmt::format("the robot with its {} cannot take one each", counted(robot_.dof(), "joint"));
    if (!names_.empty() || !columns.front().places.joint.empty()) {
      why = fmt::format("not each of the robot's joints ({}) names one",
                        fmt::join(each(robot_.joints, &Joint::name), ", "));
    }
    const auto cell = [&](const Candidate& column) { return header_.cells[column.cell]; };
    const std::string selects =
        columns.size() == robot_.dof()
            ? fmt::format(" {} selects them, in the order of the joints",
                          quoted_word(fmt::format("{}={{{}}}", *joint_prefix(quantity),
                                                  fmt::join(each(columns, cell), ","))))
            : " selects one";
    return fmt::format("of {} columns like {} {}; --columns{}", columns.size(),
                       shown_text(cell(columns.front())), why, selects);
  }

  void why_not(std::string reason) {
    if (result.why_not.empty()) result.why_not = std::move(reason);
  }

  const Header& header_;
  const Robot& robot_;
  std::map<std::size_t, std::string> names_;  // of joints, by their number in the log
};

// Conventional columns of a user's name: one, by the number or name of its joint, or those of a
// group.
std::vector<ColumnMeaning> columns_meant(const std::string& name, const Robot& robot) {
  std::vector<ColumnMeaning> meant;
  for (const auto& [group, quantity] : group_names) {
    const std::vector<std::string> names = column_names(quantity, robot.dof());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool is_named =
          joint_prefix(quantity) && name == fmt::format("{}_{}", group, robot.joints[i].name);
      if (name == group || name == names[i] || is_named) meant.push_back({quantity, i});
    }
  }
  return meant;
}

/// A column that the user names.
struct ChosenColumn {
  std::size_t cell = 0;
  std::optional<std::string> unit{};
  double factor = 1.0, offset = 0.0;
  bool unwraps = false;
  double later = 0.0;
  std::optional<AddedColumn> added{};
};

std::optional<ChosenColumn> find_column(const Header& header, const std::string& text) {
  for (const bool with_unit : {false, true}) {
    const CellText wanted = with_unit ? name_and_unit(text) : CellText{text, {}};
    for (std::size_t cell = 0; cell < header.cells.size(); ++cell) {
      const CellText named = name_and_unit(header.cells[cell]);
      if (header.cells[cell] != wanted.name && named.name != wanted.name) continue;
      return ChosenColumn{cell, wanted.unit ? wanted.unit : named.unit};
    }
  }
  const CellText wanted = name_and_unit(text);
  const std::size_t number = whole_number(wanted.name).value_or(0);  // of a column without a name
  if (number == 0 || number > header.cells.size() || !header.cells[number - 1].empty()) return {};
  return ChosenColumn{number - 1, wanted.unit};
}

/// A number and the text behind it: "90deg".
std::optional<std::pair<double, std::string>> measure(std::string_view text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  return std::pair(number,
                   std::string(trimmed(text.substr(static_cast<std::size_t>(end - text.data())))));
}

/// NAME or unwrap(NAME).
std::optional<ChosenColumn> find_operand(const Header& header, std::string_view text) {
  constexpr std::string_view call = "unwrap(";
  text = trimmed(text);
  const bool unwraps = text.starts_with(call) && text.ends_with(')');
  if (unwraps) text = trimmed(text.substr(call.size(), text.size() - call.size() - 1));
  std::optional<ChosenColumn> found = find_column(header, std::string(text));
  if (found) found->unwraps = unwraps;
  return found;
}

/// Takes a time off the end of a text, NAME@-50ms; 0 without one.
double take_time(std::string_view& text) {
  const std::size_t at = text.rfind('@');
  const auto time = at == text.npos ? std::nullopt : measure(trimmed(text.substr(at + 1)));
  const auto unit = !time                  ? std::nullopt
                    : time->second.empty() ? std::optional(Unit{})
                                           : find_unit("s", time->second);
  if (!unit) return 0.0;
  text = trimmed(text.substr(0, at));
  return unit->to_si(time->first);
}

/// Reads a column with arithmetic: -NAME, 14.87*NAME, NAME[deg]-90deg, NAME+NAME, unwrap(NAME),
/// NAME@50ms.
ChosenColumn find_computed(const Header& header, const std::string& text,
                           const std::optional<std::string_view>& dimension) {
  std::string_view rest = trimmed(text);
  const double later = take_time(rest);
  double factor = rest.starts_with('-') ? -1.0 : 1.0;
  if (factor < 0.0) rest = trimmed(rest.substr(1));
  if (const std::size_t star = rest.find('*'); star != rest.npos) {
    const auto number = measure(rest.substr(0, star));
    if (number && number->second.empty()) {
      factor *= number->first;
      rest = trimmed(rest.substr(star + 1));
    }
  }
  // Tries no offset, then one, or a column, behind each sign from the end: names may have signs, too.
  for (std::size_t at = rest.size(); at != 0 && at != rest.npos;
       at = rest.find_last_of("+-", at - 1)) {
    const bool has_offset = at < rest.size();
    auto found = find_operand(header, rest.substr(0, at));
    if (!found || (has_offset && !dimension)) continue;
    found->factor = factor;
    found->later = later;
    const auto number =
        has_offset ? measure(trimmed(rest.substr(at + 1))) : std::pair(0.0, std::string());
    const auto other = number ? std::nullopt : find_operand(header, rest.substr(at + 1));
    if (other) {
      found->added = {other->cell, other->unit, rest[at] == '-' ? -1.0 : 1.0};
      return *found;
    }
    if (!number) continue;
    const auto unit = number->second.empty() ? Unit{} : find_unit(*dimension, number->second);
    if (!unit) {
      fail(header, fmt::format("--columns: found {}, expected behind the number {}",
                               shown_text(text), units_that_fit(*dimension)));
    }
    found->offset = unit->to_si(has_offset && rest[at] == '-' ? -number->first : number->first);
    return *found;
  }
  fail(header, fmt::format("--columns: there is no column {}; arithmetic is -NAME, 2*NAME, "
                           "NAME-90deg, NAME+NAME, unwrap(NAME), NAME@50ms",
                           shown_text(text)));
}

/// Unit at the end of a name: "_ms" of a time, "(deg)" of any quantity.
std::optional<std::string> unit_at_end(std::string_view cell, Quantity quantity) {
  for (const std::string_view unit : {"ms", "us", "ns"}) {
    if (quantity == Quantity::time && cell.ends_with("_" + std::string(unit))) {
      return std::string(unit);
    }
  }
  const std::size_t open = cell.rfind('(');
  if (open == std::string_view::npos || !cell.ends_with(')')) return std::nullopt;
  std::string unit(trimmed(cell.substr(open + 1, cell.size() - open - 2)));
  return is_unit(unit) ? std::optional(std::move(unit)) : std::nullopt;
}

}  // namespace

CellText name_and_unit(std::string_view cell) {
  const std::size_t bracket = cell.rfind('[');
  const bool has_bracket = bracket != std::string_view::npos && cell.ends_with(']');
  const std::string_view in_brackets =
      has_bracket ? trimmed(cell.substr(bracket + 1, cell.size() - bracket - 2)) : "";
  if (!has_bracket || whole_number(in_brackets)) {
    constexpr std::array<std::pair<std::string_view, const char*>, 6> endings{
        {{"_deg", "deg"},
         {"_deg_s", "deg/s"},
         {"_deg_s2", "deg/s^2"},
         {"_mm", "mm"},
         {"_mm_s", "mm/s"},
         {"_mm_s2", "mm/s^2"}}};
    for (const auto& [ending, unit] : endings) {
      if (cell.ends_with(ending) && cell.size() > ending.size()) {
        return {std::string(cell.substr(0, cell.size() - ending.size())), unit};
      }
    }
    return {std::string(cell), {}};
  }
  return {std::string(trimmed(cell.substr(0, bracket))), std::string(in_brackets)};
}

CellText name_and_unit(std::string_view cell, Quantity quantity) {
  CellText text = name_and_unit(cell);
  if (text.unit) return text;
  text.unit = unit_at_end(cell, quantity);
  if (text.unit) text.name = trimmed(cell.substr(0, cell.rfind(cell.ends_with(')') ? '(' : '_')));
  return text;
}

void HeaderMeaning::put(std::size_t cell, ColumnMeaning meaning) {
  if (const auto old = columns.find(cell); old != columns.end()) {
    cells.erase({old->second.quantity, old->second.index});
  }
  if (const auto before = cell_of(meaning.quantity, meaning.index)) columns.erase(*before);
  cells[{meaning.quantity, meaning.index}] = cell;
  columns.insert_or_assign(cell, std::move(meaning));
}

std::optional<std::size_t> HeaderMeaning::cell_of(Quantity quantity, std::size_t index) const {
  const auto found = cells.find({quantity, index});
  return found == cells.end() ? std::nullopt : std::optional(found->second);
}

bool HeaderMeaning::has(Quantity quantity) const {
  const auto found = cells.lower_bound({quantity, 0});
  return found != cells.end() && found->first.first == quantity;
}

void HeaderMeaning::leave_out(Quantity quantity) {
  std::erase_if(cells, [&](const auto& cell) { return cell.first.first == quantity; });
  std::erase_if(columns, [&](const auto& column) { return column.second.quantity == quantity; });
}

namespace {

/// Takes a stamp in two columns for the time.
void read_split_stamp(const Header& header, HeaderMeaning& meaning) {
  const auto cell_of = [&header](std::string_view name) {
    return std::ranges::find_if(header.cells, [name](const std::string& cell) {
      return cell == name || name_and_unit(cell).name == name;
    });
  };
  for (const auto& [whole_seconds, nanoseconds] : split_stamps) {
    const auto seconds = cell_of(whole_seconds), rest = cell_of(nanoseconds);
    if (seconds == header.cells.end() || rest == header.cells.end()) continue;
    const auto place = [&header](auto cell) {
      return static_cast<std::size_t>(cell - header.cells.begin());
    };
    meaning.put(place(seconds), {Quantity::time, 0, "s"});
    meaning.nanoseconds = place(rest);
    return;
  }
}

/// Adds the columns of the joints by plain names, if there are any; beside those of a dialect without
/// positions only where these are among them.
void read_plain_names(const Header& header, const Robot& robot, bool has_groups,
                      HeaderMeaning& meaning) {
  const std::vector<std::string> cells = cells_of_numbers(header);
  const LikelyColumns likely = likely_columns(cells, robot, {});
  const bool has_enough = has_groups ? likely.groups.contains("q") : !likely.groups.empty();
  if (!has_enough || !likely.is_plain) return;
  meaning.dialect = &joint_dialect;
  for (const auto& [name, quantity] : group_names) {
    const auto group = likely.groups.find(name);
    for (std::size_t i = 0; group != likely.groups.end() && i < robot.dof(); ++i) {
      const std::size_t cell = group->second.cells[i];
      meaning.put(cell, {quantity, i, name_and_unit(cells[cell], quantity).unit});
    }
  }
  if (!meaning.has(Quantity::time)) read_split_stamp(header, meaning);
  const auto time = std::ranges::find_if(cells, is_time_name);
  if (meaning.has(Quantity::time) || time == cells.end()) return;
  meaning.put(static_cast<std::size_t>(time - cells.begin()),
              {Quantity::time, 0, name_and_unit(*time, Quantity::time).unit});
}

}  // namespace

std::vector<std::string> cells_of_numbers(const Header& header) {
  std::vector<std::string> cells = header.cells;
  for (std::size_t i = 0; i < std::min(cells.size(), header.first_row.size()); ++i) {
    const std::string& value = header.first_row[i];
    if (!value.empty() && is_letter(value[0]) && !is_no_measurement(value)) cells[i].clear();
  }
  return cells;
}

HeaderMeaning recognize(const Header& header, const Robot& robot) {
  HeaderMeaning best;
  bool names_joints = false;
  std::size_t most_groups = 0;
  std::size_t most_likely = 0;
  std::string why_not;
  for (const Dialect& dialect : dialects) {
    DialectReading reading(header, robot, dialect);
    const std::string& reason = reading.result.why_not;
    names_joints = names_joints || !reading.result.constant_texts.empty();
    if (reading.likely_columns > most_likely && !reason.empty() && !dialect.refuses_unknown) {
      most_likely = reading.likely_columns;
      why_not = fmt::format("this looks like {}, but {}", dialect.name, reason);
    }
    if (best.dialect != nullptr && reading.groups <= most_groups) continue;
    most_groups = reading.groups;
    best = std::move(reading.result);
  }
  if (!best.has(Quantity::position) && !names_joints) {
    read_plain_names(header, robot, most_groups > 0, best);
  }
  best.why_not = most_groups == 0 && best.dialect != &joint_dialect ? why_not : "";
  if (!best.has(Quantity::time)) read_split_stamp(header, best);
  return best;
}

void apply_choices(HeaderMeaning& meaning, const std::vector<ColumnChoice>& choices,
                   const Header& header, const Robot& robot) {
  for (const ColumnChoice& choice : choices) {
    std::vector<ColumnMeaning> meant = columns_meant(choice.name, robot);
    if (meant.empty()) {
      fail(header, fmt::format("--columns: {} is none of t, q, qd, qdd, tau, i, wrench, q1, qd1, "
                               "qdd1, tau1, i1, fx.., or with a joint's name for its number",
                               shown_text(choice.name)));
    }
    const auto columns = expand_braces(choice.columns);
    if (!columns) {
      fail(header, fmt::format("--columns: found {}, expected braces such as {{0..5}} or {{a,b,c}}",
                               shown_text(choice.columns)));
    }
    if (columns->size() != meant.size()) {
      fail(header, fmt::format("--columns: {} needs {}, {} stands for {}", choice.name,
                               counted(meant.size(), "column"), shown_text(choice.columns),
                               columns->size()));
    }
    for (std::size_t i = 0; i < meant.size(); ++i) {
      const std::string& text = (*columns)[i];
      const auto plain = find_column(header, text);  // names go first
      const ChosenColumn chosen =
          plain
              ? *plain
              : find_computed(header, text, dimension_of(meant[i].quantity, meant[i].index, robot));
      const auto unit_of = [&](const std::optional<std::string>& unit, std::size_t cell) {
        return unit ? unit : unit_at_end(header.cells[cell], meant[i].quantity);
      };
      meant[i].unit = unit_of(chosen.unit, chosen.cell);
      meant[i].factor = chosen.factor;
      meant[i].offset = chosen.offset;
      meant[i].unwraps = chosen.unwraps;
      meant[i].later = chosen.later;
      meant[i].added = chosen.added;
      if (chosen.added) meant[i].added->unit = unit_of(chosen.added->unit, chosen.added->cell);
      if (!plain) meant[i].computed = text;
      if (meant[i].quantity == Quantity::time) meaning.nanoseconds.reset();
      meaning.put(chosen.cell, std::move(meant[i]));
    }
  }
}

}  // namespace armdyn
