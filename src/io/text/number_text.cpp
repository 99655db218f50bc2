#include "io/text/number_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace armdyn {

namespace {

/// Whether a number that no double holds is too small for one rather than too large: the decimal
/// place of its first digit that is not zero, plus its exponent.
bool is_tiny(std::string_view text) {
  const std::size_t end_of_digits = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, end_of_digits);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  auto place = static_cast<long long>(point) - static_cast<long long>(first);

  if (end_of_digits < text.size()) {
    std::string_view exponent = text.substr(end_of_digits + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    int value = 0;
    const auto result = std::from_chars(exponent.begin(), exponent.end(), value);
    if (result.ec == std::errc::result_out_of_range) return exponent.starts_with('-');
    place += value;
  }
  return place < 0;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range && is_tiny(text)) {
    return text.starts_with('-') ? -0.0 : 0.0;
  }
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  return number;
}

void append_number(std::string& out, double number) {
  std::array<char, 32> text;  // the longest is 24 characters: -2.2250738585072014e-308
  const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
  out.append(text.data(), result.ptr);
}

std::string number_text(double number) {
  std::string text;
  append_number(text, number);
  return text;
}

}  // namespace armdyn
