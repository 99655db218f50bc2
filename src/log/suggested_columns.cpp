#include "log/suggested_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "io/table/unit.hpp"
#include "log/header_meaning.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"

namespace armdyn {

namespace {

using Words = std::vector<std::string>;

constexpr std::size_t most_cells = 100'000;  // a wider header is no log's

/// Words of a name in small letters: of "J1 TorqueMeas_2" j, torque, meas.
Words words_of(std::string_view name) {
  Words words;
  char before = ' ';
  for (const char c : name) {
    const bool is_hump = small_letter(c) != c && small_letter(before) == before;
    if (is_letter(c) && (!is_letter(before) || is_hump)) words.emplace_back();
    if (is_letter(c)) words.back() += small_letter(c);
    before = c;
  }
  return words;
}

/// Letters of a name without its unit.
std::string letters_of(const std::string& cell) {
  std::string name = name_and_unit(cell, Quantity::position).name;
  std::erase_if(name, [](char c) { return !is_letter(c); });
  return in_small_letters(std::move(name));
}

bool has_word(const std::string& name, std::string_view word) {
  return in_small_letters(name).find(word) != std::string::npos;
}

/// Parts of words and the quantity of columns that have them; "" where no verb reads it.
constexpr std::array quantity_words{
    std::pair{"name", ""},    std::pair{"volt", ""},      std::pair{"temp", ""},
    std::pair{"acc", "qdd"},  std::pair{"ddq", "qdd"},    std::pair{"qdd", "qdd"},
    std::pair{"ddot", "qdd"}, std::pair{"per_s2", "qdd"}, std::pair{"vel", "qd"},
    std::pair{"speed", "qd"}, std::pair{"spd", "qd"},     std::pair{"dq", "qd"},
    std::pair{"qd", "qd"},    std::pair{"omega", "qd"},   std::pair{"dot", "qd"},
    std::pair{"per_s", "qd"}, std::pair{"pos", "q"},      std::pair{"ang", "q"},
    std::pair{"torq", "tau"}, std::pair{"tau", "tau"},    std::pair{"trq", "tau"},
    std::pair{"eff", "tau"},  std::pair{"force", "tau"},  std::pair{"moment", "tau"},
    std::pair{"cur", "i"}};

std::optional<std::string_view> quantity_by_words(const std::string& name) {
  for (const auto& [word, quantity] : quantity_words) {
    if (has_word(name, word)) return quantity;
  }
  return {};
}

/// Tests whether words begin with one of a list; one of at least four letters may be the beginning of
/// another: filt of filtered.
bool has_any(const Words& words, std::string_view list) {
  return std::ranges::any_of(split_at(list, ' '), [&](const std::string& known) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return known.size() < 4 ? word == known : word.starts_with(known);
    });
  });
}

/// Words of quantities that are no torque of a joint's drive.
constexpr std::string_view parts_of_torque =
    "ext extern fric grav inert corio err error resid diff dist disturb min max limit";

/// Quantity that a column's unit is of: q of "a1[deg]".
std::optional<std::string_view> quantity_by_unit(const std::string& name) {
  constexpr std::array dimensions{
      std::pair{"rad", "q"},   std::pair{"rad/s", "qd"}, std::pair{"rad/s^2", "qdd"},
      std::pair{"m", "q"},     std::pair{"m/s", "qd"},   std::pair{"m/s^2", "qdd"},
      std::pair{"N.m", "tau"}, std::pair{"N", "tau"},    std::pair{"A", "i"}};
  const auto unit = name_and_unit(name, Quantity::position).unit;
  if (!unit) return {};
  for (const auto& [dimension, quantity] : dimensions) {
    if (find_unit(dimension, *unit)) return quantity;
  }
  return {};
}

/// Likely quantity of columns of that name; empty if no verb reads it. `position` are the letters of
/// a column taken for a position; theta_dot, xd and ddJ are rates of theta, x and J.
std::string_view likely_quantity(const std::string& name, const std::string& position) {
  if (parts_of_rated(name)) return "";
  if (const auto quantity = quantity_by_words(name)) {
    return *quantity == "tau" && has_any(words_of(name), parts_of_torque) ? "" : *quantity;
  }
  if (const auto quantity = quantity_by_unit(name)) return *quantity;
  const std::string letters = letters_of(name);
  if (position.empty() || letters == position) return "q";
  for (const char d : {'d', 'p'}) {
    const std::string once(1, d), twice(2, d);
    if (letters == once + position || letters == position + once) return "qd";
    if (letters == twice + position || letters == position + twice) return "qdd";
  }
  if (letters == "v" || letters == "w") return "qd";
  return letters == "a" || letters == "alpha" ? "qdd" : "q";
}

/// Whose numbers a column has.
enum class Origin { measured, unsaid, asked_for, computed };

Origin origin_of(std::string_view name) {
  constexpr std::array lists{
      std::pair{
          Origin::computed,
          "fric ext extern est estim filt smooth model mdl comp comput calc pred sim ident hat "
          "grav inert corio ff err error resid diff dist disturb min max limit"},
      std::pair{
          Origin::asked_for,
          "target tgt des desired demand cmd command ref reference goal set setpoint sp nominal "
          "soll con ctrl control"},
      std::pair{Origin::measured, "meas act actual msr sens sensor fb feedback obs real ist"}};
  const Words words = words_of(name);
  for (const auto& [origin, list] : lists) {
    if (has_any(words, list)) return origin;
  }
  const bool ends_in_d = words.size() > 1 && words.back() == "d";  // tau_J_d of libfranka
  return ends_in_d ? Origin::asked_for : Origin::unsaid;
}

bool is_position_word(const std::string& word) {
  constexpr std::array words{"theta",  "th",  "phi",  "q",    "j",     "joint",
                             "joints", "jnt", "axis", "axes", "achse", "gelenk"};
  return word.starts_with("pos") || word.starts_with("ang") ||
         std::ranges::find(words, word) != words.end();
}

bool is_known_word(const std::string& word) {
  constexpr std::array others{"d",   "dd",  "v",  "w", "a",   "alpha",
                              "rad", "deg", "nm", "s", "per", "state"};
  const auto is_part = [&](const auto& part) { return word.find(part.first) != word.npos; };
  return is_position_word(word) || std::ranges::any_of(quantity_words, is_part) ||
         origin_of(word) == Origin::measured || std::ranges::find(others, word) != others.end();
}

/// Columns for each joint, whose names are between the same texts, but for their units.
struct Series {
  std::string before, after, joints{};  ///< "{1..6}" for what differs
  bool is_numbered = true;              ///< else it has the names of the robot's joints
  std::vector<std::size_t> cells{};     ///< in the order of the joints
  bool has_one_unit = true;             ///< else revolute and prismatic joints have their own
};

/// Names without what all of them begin with, up to an underscore.
Words without_common_beginning(Words names) {
  std::string beginning =
      names.empty() ? "" : names.front().substr(0, names.front().rfind('_') + 1);
  const auto has_it = [&](const std::string& name) { return name.starts_with(beginning); };
  while (!std::ranges::all_of(names, has_it)) {
    beginning.pop_back();
    beginning.resize(beginning.rfind('_') + 1);
  }
  for (std::string& name : names) name.erase(0, beginning.size());
  return names;
}

Words backwards(const Words& names) {
  return each(names,
              [](const std::string& name) { return std::string(name.rbegin(), name.rend()); });
}

class SeriesFinder {
 public:
  SeriesFinder(const std::vector<std::string>& cells, const Robot& robot)
      : cells_(cells), joints_(each(robot.joints, &Joint::name)) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      places_[cells[i]] = i;
      const auto [same, is_new] =
          names_.try_emplace(name_and_unit(cells[i], Quantity::position).name, i);
      if (!is_new) places_[cells[i]] = places_[cells[same->second]] = cells.size();  // open
    }
    parts_ = backwards(without_common_beginning(backwards(without_common_beginning(joints_))));
  }

  /// All series in the order of the header.
  [[nodiscard]] std::vector<Series> all() const {
    std::vector<Series> found;
    std::vector<bool> is_taken(cells_.size());
    for (std::size_t i = 0; i < cells_.size() && !joints_.empty(); ++i) {
      if (is_taken[i]) continue;
      std::optional<Series> series = numbered(cells_[i]);
      if (!series) series = named(cells_[i], joints_);
      if (!series) series = named(cells_[i], parts_);
      if (!series) continue;
      for (const std::size_t cell : series->cells) is_taken[cell] = true;
      found.push_back(std::move(*series));
    }
    return found;
  }

 private:
  bool add(Series& series, const std::string& joint) const {
    const std::string name = series.before + joint + series.after;
    auto place = places_.find(name);
    if (place == places_.end()) {
      const auto quantity = quantity_by_unit(name);
      const auto alike = names_.find(name_and_unit(name, Quantity::position).name);
      if (!quantity || alike == names_.end()) return false;
      if (quantity_by_unit(cells_[alike->second]) != quantity) return false;
      place = places_.find(cells_[alike->second]);
    }
    if (place->second == cells_.size()) return false;
    series.has_one_unit = series.has_one_unit && cells_[place->second] == name;
    series.cells.push_back(place->second);
    return true;
  }

  /// Joint1 Pos to Joint6 Pos, counted from 0 or 1, also 01 to 06.
  [[nodiscard]] std::optional<Series> numbered(const std::string& name) const {
    for (std::size_t begin = 0; begin < name.size(); ++begin) {
      if (!is_digit(name[begin])) continue;
      const std::size_t end = std::min(name.find_first_not_of("0123456789", begin), name.size());
      const std::size_t width = name[begin] == '0' ? end - begin : 1;
      Series series{name.substr(0, begin), name.substr(end)};
      Words numbers;
      for (std::size_t i = 0; series.cells.size() <= joints_.size(); ++i) {
        numbers.push_back(fmt::format("{:0{}}", i, width));
        if (add(series, numbers.back())) continue;
        if (i > 0) break;
        numbers.clear();
      }
      numbers.resize(joints_.size());
      series.joints = width > 1 ? fmt::format("{{{}}}", fmt::join(numbers, ","))
                                : fmt::format("{{{}..{}}}", numbers.front(), numbers.back());
      if (series.cells.size() == joints_.size()) return series;
      begin = end;
    }
    return std::nullopt;
  }

  /// shoulder_pos and elbow_pos.
  [[nodiscard]] std::optional<Series> named(const std::string& name, const Words& joints) const {
    for (const std::string& joint : joints) {
      const std::size_t at = name.find(joint);
      if (joint.empty() || at == name.npos) continue;
      Series series{name.substr(0, at), name.substr(at + joint.size()), "", false};
      if (!std::ranges::all_of(joints, [&](const auto& of) { return add(series, of); })) continue;
      series.joints = fmt::format("{{{}}}", fmt::join(joints, ","));
      return series;
    }
    return std::nullopt;
  }

  const std::vector<std::string>& cells_;
  Words joints_, parts_;  // parts: names without what all of them have
  std::unordered_map<std::string, std::size_t> places_, names_;  // names: without their units
};

/// Words of a series' names that are neither joints nor known.
Words unknown_words(const Series& series) {
  const std::string after = name_and_unit("x" + series.after, Quantity::position).name.substr(1);
  Words words = words_of(series.before + " " + after);
  std::erase_if(words, is_known_word);
  return words;
}

JointColumns joint_columns_of(const Series& series, const std::vector<std::string>& cells) {
  if (series.has_one_unit) return {series.before + series.joints + series.after, series.cells};
  const auto name = [&](std::size_t cell) { return cells[cell]; };
  return {fmt::format("{{{}}}", fmt::join(each(series.cells, name), ",")), series.cells};
}

}  // namespace

std::optional<double> parts_of_rated(std::string_view cell) {
  if (cell.find("‰") != cell.npos) return 1000.0;
  const auto is_it = [](const std::string& w) { return w == "pct" || w.ends_with("percent"); };
  const bool is_per_cent =
      cell.find('%') != cell.npos || std::ranges::any_of(words_of(cell), is_it);
  return is_per_cent ? std::optional(100.0) : std::nullopt;
}

bool is_time_name(const std::string& cell) {
  const std::string name = in_small_letters(name_and_unit(cell, Quantity::time).name);
  return (has_word(cell, "time") && !has_word(cell, "runtime")) || has_word(cell, "zeit") ||
         has_word(cell, "stamp") || has_word(cell, "clock") || has_word(cell, "elapsed") ||
         name == "t" || name == "t_s" || name == "ts" || name.ends_with("_ts") || name == "sec" ||
         name == "secs" || name == "seconds" || name == "x_value";  // of LabVIEW
}

bool is_part_of_torque(const std::string& cell) {
  const Words words = words_of(name_and_unit(cell, Quantity::torque).name);
  const bool is_torque = quantity_by_words(cell) == "tau" && has_any(words, parts_of_torque);
  return is_torque || (has_any(words, "ext extern") && has_any(words, "f wrench"));
}

std::vector<JointColumns> joint_columns(const std::vector<std::string>& cells, const Robot& robot) {
  return each(SeriesFinder(cells, robot).all(),
              [&](const Series& series) { return joint_columns_of(series, cells); });
}

std::vector<std::size_t> torques_in_parts(const std::vector<std::string>& cells,
                                          const Robot& robot) {
  if (cells.size() > most_cells) return {};
  for (const Series& series : SeriesFinder(cells, robot).all()) {
    const std::string& name = cells[series.cells.front()];
    const std::string_view of = quantity_by_words(name).value_or("");
    if (parts_of_rated(name) && (of == "tau" || of == "i" || has_word(name, "load")))
      return series.cells;
  }
  return {};
}

LikelyColumns likely_columns(const std::vector<std::string>& cells, const Robot& robot,
                             const std::set<std::string_view>& taken) {
  if (cells.size() > most_cells) return {};
  std::vector<Series> all = SeriesFinder(cells, robot).all();
  const auto name = [&](const Series& series) { return cells[series.cells.front()]; };
  std::ranges::stable_sort(all, {}, [&](const Series& of) { return origin_of(name(of)); });
  const auto is_position = [&](const Series& series) {
    return likely_quantity(name(series), "") == "q";
  };
  const auto has_position_word = [&](const Series& series) {
    return !series.is_numbered || std::ranges::any_of(words_of(name(series)), is_position_word);
  };
  auto first = std::ranges::find_if(
      all, [&](const Series& series) { return is_position(series) && has_position_word(series); });
  if (first == all.end()) {
    first = std::ranges::find_if(
        all, [&](const Series& series) { return quantity_by_unit(name(series)) == "q"; });
  }
  if (first == all.end()) first = std::ranges::find_if(all, is_position);
  const std::string position = taken.contains("q")  ? "q"
                               : first == all.end() ? ""
                                                    : letters_of(name(*first));

  LikelyColumns likely;
  Words unknown, behind;  // in the names of the first
  for (const Series& series : all) {
    const std::string_view quantity = likely_quantity(name(series), position);
    if (quantity.empty() || taken.contains(quantity)) continue;
    if (likely.groups.empty()) {
      unknown = unknown_words(series);
      behind = unknown_words({"", series.after});
    }
    const bool is_measured = origin_of(name(series)) <= Origin::unsaid;
    likely.is_plain = likely.is_plain && !likely.groups.contains(quantity) &&
                      unknown_words(series) == unknown && is_measured &&
                      (quantity != "q" || has_position_word(series));
    JointColumns columns = joint_columns_of(series, cells);
    columns.is_measured = is_measured;
    likely.groups.try_emplace(quantity, std::move(columns));
  }
  // What stands behind the joints of all columns is no quantity.
  if (likely.groups.size() < 2 && !behind.empty()) likely.is_plain = false;
  return likely;
}

namespace {

/// Choices for columns that are numbered throughout, Var1 to Var13, as without a header: t, q and its
/// rates; t only if none is named.
std::vector<ColumnChoice> numbered_throughout(std::vector<std::string> cells, std::size_t dof) {
  const std::size_t times = std::erase_if(cells, is_time_name);
  if (cells.empty()) return {};
  const std::size_t end = cells.front().find_last_not_of("0123456789") + 1;
  const std::string before = cells.front().substr(0, end);
  const std::size_t first = cells.front().substr(end) == "0" ? 0 : 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] != fmt::format("{}{}", before, first + i)) return {};
  }
  const std::size_t without_joint = cells.size() % dof;
  if (times > 1 || without_joint != 1 - times || cells.size() / dof > 3) return {};
  std::vector<ColumnChoice> choices;
  if (without_joint == 1) choices.push_back({"t", cells.front()});
  std::size_t next = first + without_joint;
  for (const char* const quantity : {"q", "qd", "qdd"}) {
    if (next + dof > first + cells.size()) break;
    choices.push_back({quantity, fmt::format("{}{{{}..{}}}", before, next, next + dof - 1)});
    next += dof;
  }
  return choices;
}

}  // namespace

std::vector<ColumnChoice> columns_hint(const std::vector<std::string>& cells, const Robot& robot,
                                       const std::set<std::string_view>& taken) {
  if (robot.dof() < 2 || cells.size() > most_cells) return {};
  std::vector<ColumnChoice> choices;
  const auto can_be_written = [](const std::string& cell) {
    return !cell.empty() && cell.find_first_of(",=\"{}") == cell.npos;
  };
  const auto time = std::ranges::find_if(
      cells, [&](const std::string& cell) { return can_be_written(cell) && is_time_name(cell); });
  if (time != cells.end() && !taken.contains("t")) choices.push_back({"t", *time});
  const auto groups = likely_columns(cells, robot, taken).groups;
  for (const auto& [name, quantity] : group_names) {
    const auto found = groups.find(name);
    if (found == groups.end() || !can_be_written(cells[found->second.cells.front()])) continue;
    choices.push_back({std::string(name), found->second.columns});
  }
  if (groups.empty() && !taken.contains("q"))
    append(choices, numbered_throughout(cells, robot.dof()));
  return choices;
}

}  // namespace armdyn
