#pragma once

#include <armdyn/robot.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace armdyn {

// Text that comes from files and their names, as messages show it.

/// Tells if a terminal or a picture shows a character as itself: none that controls it (C0, DEL,
/// C1), turns the direction of writing, or is no character at all.
[[nodiscard]] bool is_shown_as_itself(std::uint32_t code_point);

/// The text with what is not shown as itself escaped: \n, \t, \x1b, \u202e; bytes that are not
/// UTF-8 too: \xff.
[[nodiscard]] std::string in_one_line(std::string_view text);

/// The same of a text whose line ends and tabs are meant.
[[nodiscard]] std::string in_lines(std::string_view text);

/// The text in one line, in double quotes, shortened.
[[nodiscard]] std::string shown_text(std::string_view text);

/// "a, b, c and 7 more".
[[nodiscard]] std::string listed(std::span<const std::string> names,
                                 std::size_t most = std::string::npos);

/// Puts one word in place of another, wherever that stands.
void replace_all(std::string& text, std::string_view from, std::string_view to);

/// The text as XML and HTML have it in elements and attributes, where none of it is markup.
[[nodiscard]] std::string markup_text(std::string_view text);

/// "-pi/2", "pi", "3*pi/2": quarter turns, none of them 0, as a robot file says them.
[[nodiscard]] std::string quarter_turns_text(double quarters);
/// The first bytes, at most that many, no character cut.
[[nodiscard]] std::string_view beginning(std::string_view text, std::size_t size);

/// Place of the first byte that does not belong to well-formed UTF-8; nothing if all do.
[[nodiscard]] std::optional<std::size_t> first_not_utf8(std::string_view bytes);

/// The text of an enumeration's value, of those of all its values in their order.
template <class Value, std::size_t count>
constexpr const char* text_of_value(Value value, const char* const (&texts)[count]) {
  return std::span(texts)[static_cast<std::size_t>(value)];
}

struct CodePoint {
  std::uint32_t code;
  std::size_t length;  ///< in bytes; 0: the first byte does not belong to well-formed UTF-8
};

/// The first of a text that is not empty.
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

/// "⁻³": a number as an exponent.
[[nodiscard]] std::string superscript(int exponent);

/// Greek letters, of two bytes each, and their words.
inline constexpr std::string_view greek_letters = "αβγδεζηθκλμνξρστφψω";
inline constexpr std::array<std::string_view, 19> greek_words{
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda",
    "mu",    "nu",   "xi",    "rho",   "sigma",   "tau",  "phi", "psi",   "omega"};

/// Of a list "α alpha β beta", the word behind that one, which stands at an even place; empty where it
/// does not.
[[nodiscard]] std::string_view word_behind(std::string_view word, std::string_view list);

/// A position as it stands on the command line, "0,90,0.5 deg": revolute joints in degrees with at
/// most that many decimals, prismatic ones in m with two more.
[[nodiscard]] std::string position_text(const Robot& robot, std::span<const double> q,
                                        int decimals = 4);

}  // namespace armdyn
