#include "text/quoted_word.hpp"

#include <fmt/format.h>

namespace armdyn {

std::string quoted_word(const std::string& text) {
  if (text.find_first_of("\"$\\`!") == text.npos) return fmt::format("\"{}\"", text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

}  // namespace armdyn
