#pragma once

#include <optional>
#include <string>
#include <string_view>

// Numbers as text, independent of locale.

namespace armdyn {

/// The finite number that the whole text says, as in 1, -2.5, +.5 or 1e-3. Nothing for anything
/// else, surrounding blanks, nan, inf, hexadecimal and numbers too large for a double among it. A
/// number too small for a double is zero.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// The shortest text that reads back as the same double; the sign of −0 is kept.
[[nodiscard]] std::string number_text(double number);
void append_number(std::string& out, double number);

}  // namespace armdyn
