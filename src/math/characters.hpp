#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace armdyn {

/// Reads ASCII, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_letter_or_digit(char c) {
  return is_letter(c) || is_digit(c);
}
/// Tests whether a byte of UTF-8 is not the first of its character.
[[nodiscard]] constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}
[[nodiscard]] constexpr char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] inline std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), small_letter);
  return text;
}

/// The text without these characters at its ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
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
