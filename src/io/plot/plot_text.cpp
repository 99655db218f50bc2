#include "io/plot/plot_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "model/utf8.hpp"

namespace armdyn {

namespace {

double char_width(const CodePoint& point, double font) {
  const bool symbol = point.code >= 0x2000 && point.code < 0x2e80;
  const bool square = point.code >= 0x1100 && !symbol;  // Chinese, Japanese, Korean
  return (square ? 1.0 : 0.6) * font;
}

// Without −0.
std::string to_text(double value, std::chars_format format, int precision) {
  std::array<char, 64> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0, format, precision);
  return {buffer.data(), result.ptr};
}

}  // namespace

double text_width(std::string_view text, double font) {
  double width = 0;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    width += char_width(point, font);
    text.remove_prefix(std::max(point.length, std::size_t{1}));
  }
  return width;
}

std::string fitted(std::string_view text, double font, double room) {
  if (text_width(text, font) <= room) return std::string(text);
  std::size_t kept = 0;
  double width = font;  // of the ellipsis
  while (kept < text.size()) {
    const CodePoint point = first_code_point(text.substr(kept));
    width += char_width(point, font);
    if (width > room) break;
    kept += std::max(point.length, std::size_t{1});
  }
  return std::string(text.substr(0, kept)) + "…";
}

std::string script_number(double value) {
  return to_text(value, std::chars_format::general, 15);
}

std::string brief_number(double value) {
  const bool is_whole = std::abs(value) >= 1e3 && std::abs(value) < 1e6;
  const std::string text = is_whole ? to_text(value, std::chars_format::fixed, 0)
                                    : to_text(value, std::chars_format::general, 4);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.front() == '-') mantissa.replace(0, 1, "−");
  if (e == std::string::npos) return mantissa;
  return mantissa + "·" + power_of_ten(std::atoi(text.c_str() + e + 1));
}

std::string power_of_ten(int exponent) {
  static constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴",
                                                      "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result = "10";
  for (const char c : std::to_string(exponent)) {
    result += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  }
  return result;
}

}  // namespace armdyn
