#include "text/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <system_error>

#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "text/decimal.hpp"

namespace armdyn {

namespace {

/// Tests whether a number that no double holds is too small for one rather than too large: the
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
  const auto [end, error] = read_decimal(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range && is_tiny(text)) {
    return text.starts_with('-') ? -0.0 : 0.0;
  }
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  return number;
}

bool is_no_measurement(std::string_view cell) {
  return cell.empty() || in_small_letters(std::string(cell)) == "nan";
}

void append_number(std::string& out, double number) {
  std::array<char, room_for_decimal> text;
  out.append(text.data(), print_decimal(text.data(), number));
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
  const std::string_view before = text.substr(0, pi), behind = text.substr(pi + 2);
  double angle = std::numbers::pi;
  if (!before.empty()) {
    const auto factor = parse_factor(before.substr(0, before.size() - 1));
    if (!factor || before.back() != '*') return std::nullopt;
    angle *= *factor;
  }
  if (!behind.empty()) {
    const auto divisor = parse_factor(behind.substr(1));
    if (!divisor || behind.front() != '/') return std::nullopt;
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

std::string moment_text(double t) {
  const double to_ms = std::floor(std::log10(std::max(1.0, std::abs(t)))) + 4.0;
  return fmt::format("{:.{}g}", t, static_cast<int>(std::clamp(to_ms, 6.0, 15.0)));
}

std::string time_text(double t) {
  return fmt::format("t = {} s", moment_text(t));
}

namespace {

constexpr int nano_decimals = 9;
constexpr std::int64_t epoch_begins =
    100'000'000'000'000'000;  // ns: three years, longer than a log

bool append_digit(std::int64_t& number, int digit) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (number > (most - digit) / 10) return false;
  number = number * 10 + digit;
  return true;
}

/// Takes this many digits off a text; nothing if others stand there.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds that "Z", "+02:00", "-0530", "+01" or nothing puts before universal time, s.
std::optional<std::int64_t> zone_seconds(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") return 0;
  const bool is_behind = text.front() == '-';
  if (!take(text, "+-")) return std::nullopt;
  const auto hours = take_digits(text, 2);
  const bool has_minutes = take(text, ":") || !text.empty();
  const auto minutes = has_minutes ? take_digits(text, 2) : std::optional(0);
  if (!hours || !minutes || !text.empty()) return std::nullopt;
  const std::int64_t seconds = 3600 * *hours + 60 * *minutes;
  return is_behind ? -seconds : seconds;
}

/// The exponent of "e+09"; 0 without one, nothing of more than 3 digits.
std::optional<int> exponent_of(std::string_view text) {
  if (text.empty()) return 0;
  text.remove_prefix(1);
  const bool is_negative = text.starts_with('-');
  take(text, "+-");
  if (text.empty() || text.size() > 3) return std::nullopt;
  const auto digits = take_digits(text, text.size());
  return digits && is_negative ? -*digits : digits;
}

/// ISO 8601: date, "T" or a blank, time, decimals, zone.
std::optional<std::int64_t> iso_nanoseconds(std::string_view text) {
  const auto year = take_digits(text, 4);
  take(text, "-");
  const auto month = take_digits(text, 2);
  take(text, "-");
  const auto day = take_digits(text, 2);
  if (!year || !month || !day || !take(text, "Tt ")) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  const auto hour = take_digits(text, 2);
  const bool has_minute = take(text, ":");
  const auto minute = take_digits(text, 2);
  const bool has_second = take(text, ":");
  const auto second = take_digits(text, 2);
  if (!date.ok() || !hour || !minute || !second || !has_minute || !has_second) return std::nullopt;
  if (*hour > 24 || *minute > 59 || *second > 60) return std::nullopt;
  std::int64_t nanoseconds = 0;
  if (take(text, ".,")) {
    const std::string_view fraction = text.substr(0, text.find_first_not_of("0123456789"));
    const auto found = stamp_nanoseconds("0." + std::string(fraction), 0);
    if (fraction.empty() || !found) return std::nullopt;
    nanoseconds = *found;
    text.remove_prefix(fraction.size());
  }
  const auto zone = zone_seconds(text);
  if (!zone) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = 86400 * days + 3600 * *hour + 60 * *minute + *second - *zone;
  std::int64_t whole = 0;  // beyond 64 bits before 1677 and after 2262
  if (__builtin_mul_overflow(std::int64_t{1'000'000'000}, seconds, &whole) ||
      __builtin_add_overflow(whole, nanoseconds, &whole)) {
    return std::nullopt;
  }
  return whole;
}

/// "00:00:00.020", also with days before, as MATLAB (1:00:00:00) and Python (1 day, 0:00:00) have it.
std::optional<std::int64_t> clock_nanoseconds(std::string_view text) {
  std::string clock(text);
  for (const char* const days : {" days, ", " days ", " day, ", " day "})
    replace_all(clock, days, ":");
  std::vector<std::string> parts = split_at(clock, ':');
  if (parts.size() == 3) parts.insert(parts.begin(), "0");
  if (parts.size() != 4) return std::nullopt;
  const auto seconds = stamp_nanoseconds(parts.back(), 0);
  std::int64_t minutes = 0;
  constexpr std::array minutes_of{1440, 60, 1};
  for (std::size_t i = 0; i < minutes_of.size(); ++i) {
    std::string_view part = parts[i];
    const bool is_possible = !part.empty() && part.size() <= 4;
    const auto number = is_possible ? take_digits(part, part.size()) : std::nullopt;
    if (!number) return std::nullopt;
    minutes += std::int64_t{*number} * minutes_of.at(i);
  }
  std::int64_t sum = 0;
  if (!seconds || *seconds < 0 ||
      __builtin_add_overflow(minutes * 60'000'000'000, *seconds, &sum)) {
    return std::nullopt;
  }
  return sum;
}

/// Decimals of the unit behind a number, "0.02 sec".
std::optional<int> decimals_of(std::string_view unit) {
  if (unit == "sec" || unit == "s") return 0;
  if (unit == "ms") return 3;
  if (unit == "us") return 6;
  return unit == "ns" ? std::optional(9) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> stamp_nanoseconds(std::string_view text, int decimals) {
  if (text.size() >= 19 && text[4] == '-' && text[7] == '-') return iso_nanoseconds(text);
  if (text.find(':') != text.npos) return clock_nanoseconds(text);
  if (const std::size_t blank = text.find(' '); blank != text.npos) {
    const auto of_unit = decimals_of(text.substr(blank + 1));
    return of_unit ? stamp_nanoseconds(text.substr(0, blank), *of_unit) : std::nullopt;
  }
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  const auto exponent = exponent_of(text.substr(e));
  if (!exponent) return std::nullopt;
  text = text.substr(0, e);
  std::int64_t number = 0;
  int missing = nano_decimals - decimals + *exponent;  // digits until nanoseconds
  bool is_fraction = false;
  bool has_digit = false;
  for (const char c : text) {
    if ((c == '.' || c == ',') && !is_fraction) {
      is_fraction = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    has_digit = true;
    if (is_fraction && missing <= 0) continue;
    if (!append_digit(number, c - '0')) return std::nullopt;
    if (is_fraction) --missing;
  }
  for (; missing > 0; --missing) {
    if (!append_digit(number, 0)) return std::nullopt;
  }
  for (; missing < 0 && number > 0; ++missing) number /= 10;
  if (!has_digit) return std::nullopt;
  return is_negative ? -number : number;
}

bool StampSum::add(std::optional<std::int64_t> part) {
  return part && !__builtin_add_overflow(sum_, *part, &sum_);
}

int likely_decimals(double stamp) {
  if (stamp > 9.3e18) return 0;  // what no 64 bits hold counts no nanoseconds
  if (stamp >= 1e17) return 9;
  if (stamp >= 1e14) return 6;
  if (stamp >= 1e11) return 3;
  return 0;
}

bool is_epoch(std::int64_t nanoseconds) {
  return nanoseconds >= epoch_begins;
}

}  // namespace armdyn
