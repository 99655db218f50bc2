#include "math/hypotenuse.hpp"

#include <algorithm>
#include <cmath>

namespace armdyn {
namespace {

// C. F. Borges, An improved algorithm for hypot(a, b), arXiv:1904.09481: the square root, and from it
// one step of Newton's method with the residual in parts that hardly round.
double corrected_root(double longer, double shorter) {
  const double root = std::sqrt(longer * longer + shorter * shorter);
  const bool far_apart = root > 2.0 * shorter;
  const double rest = root - (far_apart ? longer : shorter);
  const double residual =
      far_apart
          ? 2.0 * rest * (longer - 2.0 * shorter) + ((4.0 * rest - shorter) * shorter + rest * rest)
          : longer * (2.0 * rest - longer) + (rest - 2.0 * (longer - shorter)) * rest;
  return root - residual / (2.0 * root);
}

}  // namespace

double hypotenuse(double x, double y) noexcept {
  const double a = std::abs(x), b = std::abs(y);
  const auto [shorter, longer] = std::minmax(a, b);
  if (shorter <= longer * 0x1p-54) return longer + shorter;
  const bool squares_fit = longer <= 0x1p511 && shorter >= 0x1p-459;
  if (squares_fit) return corrected_root(longer, shorter);
  if (std::isnan(x) || std::isnan(y)) return std::hypot(x, y);  // ∞ beside ∞
  const double scale = longer > 0x1p511 ? 0x1p-700 : 0x1p700;   // neither is far from the other
  return corrected_root(longer * scale, shorter * scale) / scale;
}

}  // namespace armdyn
