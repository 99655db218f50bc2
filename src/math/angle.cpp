#include "math/angle.hpp"

#include <cmath>
#include <numbers>

namespace armdyn {

std::optional<SinCos> right_angle(double radians) noexcept {
  constexpr double quarter_turn = std::numbers::pi / 2;
  // 3π/2 from text, from 270°, or as 3·(π/2) differ by an ulp or two; the next sensible angle is
  // much farther away.
  constexpr double rounding = 4.5e-16;
  const double quarters = std::nearbyint(radians / quarter_turn);
  if (std::abs(radians - quarters * quarter_turn) > rounding * std::abs(radians)) {
    return std::nullopt;
  }
  const double turn = quarters - 4.0 * std::floor(quarters / 4.0);
  if (turn == 0.0) return SinCos{0.0, 1.0};
  if (turn == 1.0) return SinCos{1.0, 0.0};
  if (turn == 2.0) return SinCos{0.0, -1.0};
  return SinCos{-1.0, 0.0};
}

}  // namespace armdyn
