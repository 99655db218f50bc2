#pragma once

// Doubles from decimal digits and back: std::from_chars and std::to_chars, faster where numbers are
// like those of motions.

#include <charconv>
#include <cstddef>

namespace armdyn {

/// The result of std::from_chars and what it leaves in `number`, for every text.
std::from_chars_result read_decimal(const char* begin, const char* end, double& number);

/// Characters of the longest number, -2.2250738585072014e-308, and room for what `print_decimal`
/// writes behind it.
inline constexpr std::size_t room_for_decimal = 32;

/// Writes the very characters of std::to_chars, of every number: the shortest that read back as the
/// same double. Returns their end; all the room may be written to.
char* print_decimal(char* to, double number);

}  // namespace armdyn
