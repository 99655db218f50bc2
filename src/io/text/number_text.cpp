#include "io/text/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <system_error>

namespace armdyn {

namespace {

/// Tells whether a number that no double holds is too small for one rather than too large: the
/// decimal place of its first digit that is not zero, plus its exponent.
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

namespace {

/// A number without a sign.
std::optional<double> parse_factor(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) return std::nullopt;
  return parse_number(text);
}

}  // namespace

std::optional<double> parse_pi(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);

  const std::size_t pi = text.find("pi");
  if (pi == std::string_view::npos) return std::nullopt;
  std::string_view before = text.substr(0, pi);
  std::string_view behind = text.substr(pi + 2);

  double angle = std::numbers::pi;
  if (!before.empty()) {
    if (!before.ends_with('*')) return std::nullopt;
    before.remove_suffix(1);
    const auto factor = parse_factor(before);
    if (!factor) return std::nullopt;
    angle *= *factor;
  }
  if (!behind.empty()) {
    if (!behind.starts_with('/')) return std::nullopt;
    behind.remove_prefix(1);
    const auto divisor = parse_factor(behind);
    if (!divisor) return std::nullopt;
    angle /= *divisor;
  }
  if (!std::isfinite(angle)) return std::nullopt;
  return negative ? -angle : angle;
}

std::string noun(std::uint64_t count, const std::string& singular) {
  return count == 1 ? singular : singular + "s";
}

std::string counted(std::uint64_t count, const std::string& singular) {
  return fmt::format("{} {}", count, noun(count, singular));
}

std::string short_number(double value) {
  return fmt::format("{:.4g}", value);
}

std::string micro(double value, const std::string& unit) {
  return fmt::format("{} µ{}", short_number(value * 1e6), unit);
}

std::string time_text(double t) {
  return fmt::format("t = {:.6g} s", t);
}

}  // namespace armdyn
