#include "report/text_table.hpp"

#include <algorithm>

namespace armdyn {

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// The first column to the left, the others as asked.
std::string aligned(const Rows& rows, bool others_to_the_left) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], character_count(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - character_count(row[i]), ' ');
      line += i == 0 ? "" : "  ";
      line += i == 0 || others_to_the_left ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::size_t character_count(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string text_table(const Rows& rows) {
  return aligned(rows, false);
}

std::string text_list(const Rows& rows) {
  return aligned(rows, true);
}

std::string wrapped(const std::string& first, const std::string& words) {
  constexpr std::size_t width = 100;
  const std::string indent(character_count(first), ' ');
  std::string text, line = first;
  bool line_is_empty = true;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (!line_is_empty && character_count(line) + 1 + character_count(word) > width) {
      text += line + "\n";
      line = indent;
      line_is_empty = true;
    }
    line += (line_is_empty ? "" : " ") + word;
    line_is_empty = false;
    at = end + 1;
  }
  return text + line + "\n";
}

}  // namespace armdyn
