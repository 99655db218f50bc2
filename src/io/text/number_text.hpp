#pragma once

// Numbers as text, independent of locale.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace armdyn {

/// The finite number that the whole text says, as in 1, -2.5, +.5 or 1e-3. Nothing for anything
/// else, surrounding blanks, nan, inf, hexadecimal and numbers too large for a double among it. A
/// number too small for a double is zero.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// The shortest text that reads back as the same double; the sign of −0 is kept.
[[nodiscard]] std::string number_text(double number);
void append_number(std::string& out, double number);

/// Radians of [sign][number*]pi[/number], as in pi, -pi/2, 3*pi/4 or 0.5*pi; nothing for other
/// text.
[[nodiscard]] std::optional<double> parse_pi(std::string_view text);

// Numbers as a sentence for people has them.

/// "warning" or "warnings".
[[nodiscard]] std::string noun(std::uint64_t count, const std::string& singular);

/// "1 warning", "2 warnings".
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& singular);

/// Four significant digits; the sign of -0 is kept.
[[nodiscard]] std::string short_number(double value);

/// "3.6 µrad" of that many rad.
[[nodiscard]] std::string micro(double value, const std::string& unit);

/// "t = 0.5 s", six significant digits.
[[nodiscard]] std::string time_text(double t);

}  // namespace armdyn
