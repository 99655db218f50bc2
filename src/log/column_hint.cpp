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

/// What the columns of that name may hold.
std::string_view likely_quantity(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> words{{{"vel", "qd"},
                                                                                {"speed", "qd"},
                                                                                {"acc", "qdd"},
                                                                                {"tor", "tau"},
                                                                                {"tau", "tau"},
                                                                                {"eff", "tau"},
                                                                                {"moment", "tau"}}};
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
    if (time.empty() && (has_word(cell, "time") || has_word(cell, "stamp"))) time = "t=" + cell;
    const std::optional<std::string> pattern = numbered(cell, cells, dof);
    if (!pattern || !taken.insert(likely_quantity(cell)).second) continue;
    groups += fmt::format("{}{}={}", groups.empty() ? "" : ",", likely_quantity(cell), *pattern);
  }
  if (groups.empty() || time.empty()) return groups;
  return time + "," + groups;
}

}  // namespace armdyn
