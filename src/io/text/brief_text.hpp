#pragma once

// Numbers as a sentence for people has them.

#include <cstdint>
#include <string>

namespace armdyn {

/// "warning" or "warnings".
[[nodiscard]] std::string noun(std::uint64_t count, const std::string& singular);

/// "1 warning", "2 warnings".
[[nodiscard]] std::string counted(std::uint64_t count, const std::string& singular);

/// Four significant digits; the sign of -0 is kept.
[[nodiscard]] std::string short_number(double value);

/// "t = 0.5 s", six significant digits.
[[nodiscard]] std::string time_text(double t);

}  // namespace armdyn
