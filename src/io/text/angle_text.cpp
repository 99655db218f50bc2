#include "io/text/angle_text.hpp"

#include <cmath>
#include <numbers>

#include "io/text/number_text.hpp"

namespace armdyn {

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
  std::string_view before = text.substr(0, pi);
  std::string_view behind = text.substr(pi + 2);

  double angle = std::numbers::pi;
  if (!before.empty()) {
    if (!before.ends_with('*')) return std::nullopt;
    before.remove_suffix(1);
    const auto factor = parse_factor(before);
    if (!factor) return std::nullopt;
    angle *= *factor;
  }
  if (!behind.empty()) {
    if (!behind.starts_with('/')) return std::nullopt;
    behind.remove_prefix(1);
    const auto divisor = parse_factor(behind);
    if (!divisor) return std::nullopt;
    angle /= *divisor;
  }
  if (!std::isfinite(angle)) return std::nullopt;
  return negative ? -angle : angle;
}

}  // namespace armdyn
