#include "report/packed_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "math/each.hpp"

namespace armdyn {

namespace {

constexpr std::size_t highest_order = 5;

double divisor_of(std::span<const double> values) {
  double largest = 0.0;  // NaN is not larger
  for (const double value : values) largest = std::max(largest, std::abs(value));
  for (double divisor = 1.0; divisor <= 1e15 && largest * divisor < 0x1p52; divisor *= 10.0) {
    const auto is_decimal = [divisor](double value) {
      return std::isnan(value) || std::nearbyint(value * divisor) / divisor == value;
    };
    if (std::ranges::all_of(values, is_decimal)) return divisor;
  }
  return std::ldexp(1.0, std::min(1000, 47 - std::ilogb(largest)));
}

std::string digits_of(double whole) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (std::isnan(whole)) return "B";
  std::string text;
  auto rest = static_cast<std::uint64_t>(std::abs(whole)) << 1U | (whole < 0.0 ? 1U : 0U);
  do {
    const std::uint64_t digit = rest & 31U;
    rest >>= 5U;
    text += digits[digit | (rest > 0 ? 32U : 0U)];
  } while (rest > 0);
  return text;
}

/// Differences of this order as a text; nothing where one of them has no exact double.
std::string differences(std::span<const double> wholes, std::size_t order) {
  std::string text;
  std::vector<double> last(order + 1);  // of each order
  std::size_t before = 0;
  for (double value : wholes) {
    if (!std::isnan(value)) {
      const std::size_t own = std::min(before++, order);
      for (std::size_t k = 0; k < own; ++k) value -= std::exchange(last[k], value);
      last[own] = value;
      if (std::abs(value) >= 0x1p52) return "";  // the sign takes a bit
    }
    text += digits_of(value);
  }
  return text;
}

}  // namespace

Json packed(std::span<const double> values) {
  const double divisor = divisor_of(values);
  const std::vector<double> wholes = each(values, [divisor](double value) {
    const double whole = std::nearbyint(value * divisor);
    return whole == 0.0 && value != 0.0 ? std::copysign(1.0, value) : whole;  // its sign counts
  });
  std::string shortest = differences(wholes, 0);
  std::size_t best = 0;
  for (std::size_t order = 1; order <= highest_order; ++order) {
    std::string text = differences(wholes, order);
    if (text.empty() || text.size() >= shortest.size()) continue;
    shortest = std::move(text);
    best = order;
  }
  return Json::list(best, divisor, shortest);
}

}  // namespace armdyn
