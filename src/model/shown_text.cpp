#include "model/shown_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "math/rotation.hpp"
#include "model/joint_kind.hpp"

namespace armdyn {

namespace {

struct CodeRange {
  std::uint32_t first, last;
};

constexpr CodeRange not_shown[] = {{0x00, 0x1F},     {0x7F, 0x9F},      {0x61C, 0x61C},
                                   {0x200B, 0x200B}, {0x200E, 0x200F},  {0x2028, 0x202E},
                                   {0x2060, 0x206F}, {0xFDD0, 0xFDEF},  {0xFEFF, 0xFEFF},
                                   {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

std::string escaped(const CodePoint& point) {
  if (point.code == '\n') return "\\n";
  if (point.code == '\t') return "\\t";
  if (point.length <= 1) return fmt::format("\\x{:02x}", point.code);
  return point.code > 0xFFFF ? fmt::format("\\U{:08x}", point.code)
                             : fmt::format("\\u{:04x}", point.code);
}

std::string escaped_text(std::string_view text, std::string_view kept) {
  std::string shown;
  for_each_code_point(text, [&](const CodePoint& point, std::string_view bytes) {
    const bool is_kept = kept.find(bytes) != std::string_view::npos;
    const bool is_plain = point.length > 0 && (is_kept || is_shown_as_itself(point.code));
    shown += is_plain ? std::string(bytes) : escaped(point);
  });
  return shown;
}

}  // namespace

std::string quarter_turns_text(double quarters) {
  const std::string sign = quarters < 0.0 ? "-" : "";
  const auto count = static_cast<long>(std::abs(quarters));
  const bool halves = count % 2 != 0;
  const long factor = halves ? count : count / 2;
  return sign + (factor == 1 ? "" : fmt::format("{}*", factor)) + "pi" + (halves ? "/2" : "");
}

bool is_shown_as_itself(std::uint32_t code_point) {
  return (code_point & 0xFFFEU) != 0xFFFEU &&
         std::ranges::none_of(not_shown, [code_point](const CodeRange& range) {
           return range.first <= code_point && code_point <= range.last;
         });
}

std::string in_one_line(std::string_view text) {
  return escaped_text(text, "");
}

std::string in_lines(std::string_view text) {
  return escaped_text(text, "\n\t");
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

std::string shown_text(std::string_view text) {
  std::size_t size = std::min<std::size_t>(text.size(), 60);
  while (size > 0 && size < text.size() && continues_character(text[size])) --size;
  return "\"" + in_one_line(text.substr(0, size)) + (size < text.size() ? "...\"" : "\"");
}

namespace {

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
}

bool between(unsigned value, unsigned low, unsigned high) {
  return low <= value && value <= high;
}

/// Length of the character that starts at i, 0 if none does (Unicode Standard, table 3-7: no
/// overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t character_length(std::string_view bytes, std::size_t i) {
  const unsigned first = byte_at(bytes, i);
  if (first < 0x80U) return 1;
  const std::size_t length = between(first, 0xC2, 0xDF)   ? 2
                             : between(first, 0xE0, 0xEF) ? 3
                             : between(first, 0xF0, 0xF4) ? 4
                                                          : 0;
  const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (!between(byte_at(bytes, i + 1), low, high)) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if (!between(byte_at(bytes, i + k), 0x80, 0xBF)) return 0;
  }
  return length;
}

}  // namespace

std::optional<std::size_t> first_not_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = character_length(bytes, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

CodePoint first_code_point(std::string_view text) {
  const std::size_t length = character_length(text, 0);
  std::uint32_t code = byte_at(text, 0);
  if (length > 1) code &= 0xFFU >> (length + 1);
  for (std::size_t i = 1; i < length; ++i) code = code << 6U | (byte_at(text, i) & 0x3FU);
  return {code, length};
}

std::string decimal_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string position_text(const Robot& robot, std::span<const double> q, int decimals) {
  std::string text;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const bool turns = is_turning(robot.joints[i].type);
    text += i == 0 ? "" : ",";
    text += turns ? decimal_text(degrees(q[i]), decimals) : decimal_text(q[i], decimals + 2);
  }
  return text + " deg";
}

std::string number_list(std::span<const double> values) {
  const auto texts = each(values, [](double value) { return fmt::format("{:.6g}", value); });
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string listed(std::span<const std::string> names, std::size_t most) {
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.first(most), ", "), names.size() - most);
}

std::string markup_text(std::string_view text) {
  constexpr std::string_view special = "&<>\"'";
  constexpr std::array<std::string_view, 5> entities{"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    const std::size_t at = special.find(c);
    safe += at == special.npos ? std::string_view(&c, 1) : entities.at(at);
  }
  return safe;
}

std::string_view word_behind(std::string_view word, std::string_view list) {
  for (bool is_key = true; !list.empty(); is_key = !is_key) {
    const std::size_t end = std::min(list.find(' '), list.size());
    const bool is_found = is_key && list.substr(0, end) == word;
    list.remove_prefix(std::min(end + 1, list.size()));
    if (is_found) return list.substr(0, list.find(' '));
  }
  return {};
}

std::string superscript(int exponent) {
  std::string text;
  for (const char c : std::to_string(exponent)) {
    text += word_behind({&c, 1}, "- ⁻ 0 ⁰ 1 ¹ 2 ² 3 ³ 4 ⁴ 5 ⁵ 6 ⁶ 7 ⁷ 8 ⁸ 9 ⁹");
  }
  return text;
}

}  // namespace armdyn
