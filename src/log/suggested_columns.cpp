#include "log/suggested_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <utility>

#include "log/header_meaning.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"

namespace armdyn {

namespace {

std::string letters_of(std::string name) {
  std::erase_if(name, [](unsigned char c) { return std::isalpha(c) == 0; });
  return in_small_letters(std::move(name));
}

bool has_word(const std::string& name, std::string_view word) {
  return in_small_letters(name).find(word) != std::string::npos;
}

/// Likely quantity of columns of that name; empty if no verb reads it. `position` are the letters of
/// a column taken for a position, of which theta_dot, xd and ddJ are rates.
std::string_view likely_quantity(const std::string& name, const std::string& position) {
  constexpr std::array words{
      std::pair{"name", ""},    std::pair{"volt", ""},      std::pair{"temp", ""},
      std::pair{"acc", "qdd"},  std::pair{"ddq", "qdd"},    std::pair{"qdd", "qdd"},
      std::pair{"ddot", "qdd"}, std::pair{"per_s2", "qdd"}, std::pair{"vel", "qd"},
      std::pair{"speed", "qd"}, std::pair{"spd", "qd"},     std::pair{"dq", "qd"},
      std::pair{"qd", "qd"},    std::pair{"omega", "qd"},   std::pair{"dot", "qd"},
      std::pair{"per_s", "qd"}, std::pair{"pos", "q"},      std::pair{"ang", "q"},
      std::pair{"torq", "tau"}, std::pair{"tau", "tau"},    std::pair{"trq", "tau"},
      std::pair{"eff", "tau"},  std::pair{"force", "tau"},  std::pair{"moment", "tau"},
      std::pair{"cur", "i"}};
  for (const auto& [word, quantity] : words) {
    if (has_word(name, word)) return quantity;
  }
  if (position.empty()) return "q";
  const std::string letters = letters_of(name);
  for (const char d : {'d', 'p'}) {
    const std::string once(1, d), twice(2, d);
    if (letters == once + position || letters == position + once) return "qd";
    if (letters == twice + position || letters == position + twice) return "qdd";
  }
  if (letters == "v" || letters == "w") return "qd";
  return letters == "a" || letters == "alpha" ? "qdd" : "q";
}

/// Tells whether a name is that of what a controller asks for rather than of what was measured.
bool is_asked_for(const std::string& name) {
  constexpr std::array words{"target", "desired", "des_", "_des",    "command",
                             "cmd",    "ref",     "goal", "setpoint"};
  return std::ranges::any_of(words, [&](const char* word) { return has_word(name, word); });
}

/// Pattern of numbered columns: "Joint{1..6} Pos" of Joint1 Pos to Joint6 Pos, counted from 0 or 1.
std::optional<std::string> numbered(const std::string& name, const std::vector<std::string>& cells,
                                    std::size_t dof) {
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    if (!is_digit(name[begin])) continue;
    const std::size_t end = std::min(name.find_first_not_of("0123456789", begin), name.size());
    const std::string before = name.substr(0, begin), after = name.substr(end);
    const auto is_there = [&](std::size_t i) {
      return std::ranges::count(cells, fmt::format("{}{}{}", before, i, after)) == 1;
    };
    const std::size_t first = is_there(0) ? 0 : 1;
    std::size_t count = 0;
    while (is_there(first + count)) ++count;
    if (count == dof) return fmt::format("{}{{{}..{}}}{}", before, first, first + dof - 1, after);
    begin = end;
  }
  return std::nullopt;
}

/// Pattern of columns named by joints: "{shoulder,elbow}_pos" of shoulder_pos and elbow_pos.
std::optional<std::string> named(const std::string& name, const std::vector<std::string>& cells,
                                 const Robot& robot) {
  const auto joints = each(robot.joints, &Joint::name);
  for (const std::string& joint : joints) {
    const std::size_t at = name.find(joint);
    if (joint.empty() || at == name.npos) continue;
    const std::string before = name.substr(0, at), after = name.substr(at + joint.size());
    const auto is_there = [&](const std::string& of) {
      return std::ranges::count(cells, fmt::format("{}{}{}", before, of, after)) == 1;
    };
    if (!std::ranges::all_of(joints, is_there)) continue;
    return fmt::format("{}{{{}}}{}", before, fmt::join(joints, ","), after);
  }
  return std::nullopt;
}

}  // namespace

bool is_time_name(const std::string& cell) {
  const std::string name = in_small_letters(name_and_unit(cell, Quantity::time).name);
  return (has_word(cell, "time") && !has_word(cell, "runtime")) || has_word(cell, "zeit") ||
         has_word(cell, "stamp") || has_word(cell, "clock") || name == "t" || name == "ts" ||
         name.ends_with("_ts");
}

std::string columns_hint(const std::vector<std::string>& cells, const Robot& robot,
                         std::set<std::string_view> taken) {
  const std::size_t dof = robot.dof();
  if (dof < 2) return "";
  std::string position = taken.contains("q") ? "q" : "";
  std::vector<std::string> choices;
  std::vector<std::string> measured_first = cells;
  // The one of std::ranges does not compile with clang 14.
  std::stable_partition(measured_first.begin(), measured_first.end(), std::not_fn(is_asked_for));
  for (const std::string& cell : measured_first) {
    const bool can_be_written = cell.find_first_of(",=\"{}") == std::string::npos;
    if (cell.empty() || !can_be_written) continue;
    if (is_time_name(cell) && taken.insert("t").second) {
      choices.insert(choices.begin(), "t=" + cell);
    }
    std::optional<std::string> pattern = numbered(cell, cells, dof);
    if (!pattern) pattern = named(cell, cells, robot);
    const std::string_view quantity = likely_quantity(cell, position);
    if (!pattern || quantity.empty() || is_per_cent(cell) || !taken.insert(quantity).second)
      continue;
    if (quantity == "q") position = letters_of(cell);
    choices.push_back(fmt::format("{}={}", quantity, *pattern));
  }
  return fmt::format("{}", fmt::join(choices, ","));
}

}  // namespace armdyn
