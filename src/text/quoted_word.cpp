#include "text/quoted_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "math/characters.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

std::string quoted_word(const std::string& text) {
  if (text.find_first_of("\"$\\`!") == text.npos) return fmt::format("\"{}\"", text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string yaml_quoted(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return "\"" + in_one_line(escaped) + "\"";
}

std::string yaml_text(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::array others{"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  const std::string lower = in_small_letters(std::string(text));
  // Numbers, dates and all signs of YAML have other characters.
  const bool is_word =
      !text.empty() && letters.find(lower[0]) != letters.npos &&
      lower.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") == lower.npos;
  const bool is_another = std::ranges::find(others, lower) != others.end();
  return is_word && !is_another ? std::string(text) : yaml_quoted(text);
}

}  // namespace armdyn
