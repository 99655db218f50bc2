#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

/// Knows ASCII, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] inline std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), small_letter);
  return text;
}

/// The parts before, between and behind separators: one more than there are of these.
[[nodiscard]] inline std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace armdyn
