#pragma once

#include <armdyn/robot.hpp>

#include <cstdint>
#include <string_view>

namespace armdyn {

// Text of files, and their names, as messages show it.

/// Tests whether a terminal or a picture shows a character as itself: it is no control (C0, DEL, C1),
/// does not turn the direction of writing, and is a character of Unicode.
[[nodiscard]] bool is_shown_as_itself(std::uint32_t code_point);

/// Escapes characters that are not shown as themselves: \n, \t, \x1b, \u202e; and bytes that are not
/// UTF-8: \xff.
[[nodiscard]] std::string in_one_line(std::string_view text);

/// Likewise, but keeps line ends and tabs.
[[nodiscard]] std::string in_lines(std::string_view text);

/// The text in one line, in double quotes; of a longer one the first 60 bytes at most.
[[nodiscard]] std::string shown_text(std::string_view text);

/// "a, b, c and 7 more".
[[nodiscard]] std::string listed(std::span<const std::string> names,
                                 std::size_t most = std::string::npos);

/// Replaces all occurrences of a word by another.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Escapes a text for elements and attributes of XML and HTML.
[[nodiscard]] std::string markup_text(std::string_view text);

/// Quarter turns, not 0, in the words of a robot file: "-pi/2", "pi", "3*pi/2".
[[nodiscard]] std::string quarter_turns_text(double quarters);

/// Place of the first byte that does not belong to well-formed UTF-8; nothing if all do.
[[nodiscard]] std::optional<std::size_t> first_not_utf8(std::string_view bytes);

/// Text of an enumeration's value, by the texts of all its values in their order.
template <class Value, std::size_t count>
constexpr const char* text_of_value(Value value, const char* const (&texts)[count]) {
  return std::span(texts)[static_cast<std::size_t>(value)];
}

struct CodePoint {
  std::uint32_t code;
  std::size_t length;  ///< in bytes; 0: the first byte does not belong to well-formed UTF-8
};

/// First code point of a text that is not empty.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

/// Calls `use` with each code point of a text and its bytes; what is not UTF-8 byte by byte.
template <class Use>
void for_each_code_point(std::string_view text, Use use) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::string_view bytes = text.substr(0, point.length > 0 ? point.length : 1);
    text.remove_prefix(bytes.size());
    use(point, bytes);
  }
}

/// Number with at most that many decimals: "0.5".
[[nodiscard]] std::string decimal_text(double value, int decimals);

/// Superscript of an exponent: "⁻³".
[[nodiscard]] std::string superscript(int exponent);

/// Greek letters, of two bytes each, and their words.
inline constexpr std::string_view greek_letters = "αβγδεζηθκλμνξρστφψω";
inline constexpr std::array<std::string_view, 19> greek_words{
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda",
    "mu",    "nu",   "xi",    "rho",   "sigma",   "tau",  "phi", "psi",   "omega"};

/// Value of a key in a list "KEY VALUE KEY VALUE"; empty where it is no key.
[[nodiscard]] std::string_view word_behind(std::string_view word, std::string_view list);

/// Numbers in six digits, with commas between.
[[nodiscard]] std::string number_list(std::span<const double> values);

/// Positions as the command line takes them, "0,90,0.5 deg": revolute joints in degrees with at most
/// that many decimals, prismatic ones in m with two more.
[[nodiscard]] std::string position_text(const Robot& robot, std::span<const double> q,
                                        int decimals = 4);

}  // namespace armdyn
