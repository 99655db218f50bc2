#include "io/text/stamp_text.hpp"

#include <limits>

namespace armdyn {
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

}  // namespace

std::optional<std::int64_t> stamp_nanoseconds(std::string_view text, int decimals) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  int missing = nano_decimals - decimals;  // digits until nanoseconds
  bool is_fraction = false;
  bool has_digit = false;
  for (const char c : text) {
    if ((c == '.' || c == ',') && !is_fraction) {
      is_fraction = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    has_digit = true;
    if (is_fraction && missing == 0) continue;
    if (!append_digit(number, c - '0')) return std::nullopt;
    if (is_fraction) --missing;
  }
  for (; missing > 0; --missing) {
    if (!append_digit(number, 0)) return std::nullopt;
  }
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
