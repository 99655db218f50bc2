#include "log/column_hint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace armdyn {

namespace {

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool has_word(const std::string& name, std::string_view word) {
  return in_lower_case(name).find(word) != std::string::npos;
}

/// What the columns of that name may hold; nothing if it is none of what is read.
std::string_view likely_quantity(const std::string& name) {
  constexpr std::array words{
      std::pair{"cur", ""},      std::pair{"volt", ""},     std::pair{"temp", ""},
      std::pair{"acc", "qdd"},   std::pair{"ddq", "qdd"},   std::pair{"qdd", "qdd"},
      std::pair{"vel", "qd"},    std::pair{"speed", "qd"},  std::pair{"spd", "qd"},
      std::pair{"dq", "qd"},     std::pair{"qd", "qd"},     std::pair{"omega", "qd"},
      std::pair{"pos", "q"},     std::pair{"ang", "q"},     std::pair{"tor", "tau"},
      std::pair{"tau", "tau"},   std::pair{"trq", "tau"},   std::pair{"eff", "tau"},
      std::pair{"force", "tau"}, std::pair{"moment", "tau"}};
  for (const auto& [word, quantity] : words) {
    if (has_word(name, word)) return quantity;
  }
  return "q";
}

bool is_digit(char c) {
  return '0' <= c && c <= '9';
}

/// "Joint{1..6} Pos" where Joint1 Pos to Joint6 Pos are there, counted from 0 or 1.
std::optional<std::string> numbered(const std::string& name, const std::vector<std::string>& cells,
                                    std::size_t dof) {
  for (std::size_t begin = 0; begin < name.size(); ++begin) {
    if (!is_digit(name[begin])) continue;
    const std::size_t end = static_cast<std::size_t>(
        std::find_if_not(name.begin() + static_cast<std::ptrdiff_t>(begin), name.end(), is_digit) -
        name.begin());
    const std::string before = name.substr(0, begin), after = name.substr(end);
    for (const std::size_t first : {1U, 0U}) {
      std::size_t count = 0;
      while (std::ranges::count(cells, fmt::format("{}{}{}", before, first + count, after)) == 1) {
        ++count;
      }
      if (count == dof) return fmt::format("{}{{{}..{}}}{}", before, first, first + dof - 1, after);
    }
    begin = end;
  }
  return std::nullopt;
}

}  // namespace

std::string columns_hint(const std::vector<std::string>& cells, std::size_t dof) {
  if (dof < 2) return "";
  std::string groups, time;
  std::set<std::string_view> taken;
  for (const std::string& cell : cells) {
    const bool can_be_written = cell.find_first_of(",=\"{}") == std::string::npos;
    if (cell.empty() || !can_be_written) continue;
    const bool is_time =
        has_word(cell, "time") || has_word(cell, "stamp") || has_word(cell, "clock");
    if (time.empty() && is_time) time = "t=" + cell;
    const std::optional<std::string> pattern = numbered(cell, cells, dof);
    const std::string_view quantity = likely_quantity(cell);
    if (!pattern || quantity.empty() || !taken.insert(quantity).second) continue;
    groups += fmt::format("{}{}={}", groups.empty() ? "" : ",", quantity, *pattern);
  }
  if (groups.empty() || time.empty()) return groups;
  return time + "," + groups;
}

}  // namespace armdyn
