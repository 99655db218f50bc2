#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace armdyn {

/// The cubic on [0, 1] with these values and slopes at its ends (docs/derivation.md eq. 8.8).
struct Hermite {
  double start, slope_at_start, end, slope_at_end;

  [[nodiscard]] double at(double s) const {
    return start + s * (slope_at_start + s * (square() + s * cube()));
  }

  /// Where in [0, 1] it is smallest.
  [[nodiscard]] double lowest() const {
    double best = end < start ? 1.0 : 0.0;
    // Zeros of slope_at_start + 2 square s + 3 cube s².
    const double discriminant = square() * square() - 3.0 * cube() * slope_at_start;
    if (discriminant < 0.0) return best;
    const double k = -(square() + std::copysign(std::sqrt(discriminant), square()));
    for (const double s : {k / (3.0 * cube()), slope_at_start / k}) {
      if (s > 0.0 && s < 1.0 && at(s) < at(best)) best = s;
    }
    return best;
  }

 private:
  [[nodiscard]] double square() const {
    return 3.0 * (end - start) - 2.0 * slope_at_start - slope_at_end;
  }
  [[nodiscard]] double cube() const { return slope_at_start + slope_at_end - 2.0 * (end - start); }
};

/// Where in [0, 1] a value that is positive at 0 is found to have become negative: at the end, or
/// where it is lowest if it has come back.
inline std::optional<double> below_zero(const Hermite& value) {
  if (value.end < 0.0) return 1.0;
  if (value.slope_at_start < 0.0 && value.slope_at_end > 0.0) {
    const double s = value.lowest();
    if (value.at(s) < 0.0) return s;
  }
  return {};
}

/// The same for a value that is known at the start, in the middle and at the end, by the parabola
/// through the three.
inline std::optional<double> below_zero(double start, double middle, double end) {
  if (end < 0.0) return 1.0;
  const double curvature = 2.0 * (start - 2.0 * middle + end);
  const double slope = 4.0 * middle - 3.0 * start - end;
  if (slope >= 0.0 || curvature <= 0.0 || slope + 2.0 * curvature <= 0.0) return {};
  const double s = -slope / (2.0 * curvature);
  if (start + s * (slope + s * curvature) < 0.0) return s;
  return {};
}

}  // namespace armdyn
