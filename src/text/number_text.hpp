#pragma once

// Numbers as text, independent of locale.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace armdyn {

/// The finite number that the whole text is, as in 1, -2.5, +.5 or 1e-3. Nothing for anything
/// else, surrounding blanks, nan, inf, hexadecimal and numbers too large for a double among it. A
/// number too small for a double is zero.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Tests whether a cell of a table is empty or NaN.
[[nodiscard]] bool is_no_measurement(std::string_view cell);

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

/// Six significant digits of a time in s, or more, down to ms.
[[nodiscard]] std::string moment_text(double t);

/// "t = 0.5 s", digits as of `moment_text`.
[[nodiscard]] std::string time_text(double t);

/// The nanoseconds of a stamp in units of 10^−decimals s, as "1600000000.123456789" with 0
/// decimals; a comma is as good as a point. What is shorter than 1 ns is cut off. Of a date and
/// time as ISO 8601 has it, "2024-05-31T13:05:00.25+02:00", those since 1970 (without a zone as if
/// it were universal time). Of a duration with its unit, "0.02 sec", or as a clock has it,
/// "00:00:00.020", those of it. Nothing for other texts, and beyond the 292 years that 64 bits hold.
[[nodiscard]] std::optional<std::int64_t> stamp_nanoseconds(std::string_view text, int decimals);

/// The nanoseconds of a stamp from an origin on, summed up from one part or several.
class StampSum {
 public:
  explicit StampSum(std::int64_t origin) : sum_(-origin) {}
  /// False if there is no part, or 64 bits do not hold the sum.
  [[nodiscard]] bool add(std::optional<std::int64_t> part);
  [[nodiscard]] double seconds() const { return static_cast<double>(sum_) / 1e9; }

 private:
  std::int64_t sum_;
};

/// Decimals of the unit of a stamp without one: seconds, unless it would be centuries after 1970
/// and 64 bits could hold it.
[[nodiscard]] int likely_decimals(double stamp);

/// Tests whether a stamp counts from 1970 rather than from a start of its own.
[[nodiscard]] bool is_epoch(std::int64_t nanoseconds);

}  // namespace armdyn
