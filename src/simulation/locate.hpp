#pragma once

#include <algorithm>

namespace armdyn {

/// The first time in (0, end] at which `gauge` is negative, as a function that is positive before:
/// the upper end of a bracket `resolution` wide. gauge(0) = `at_zero` ≥ 0, gauge(end) = `at_end` <
/// 0. Regula falsi after Illinois, with bisections in between that keep it from stalling.
template <class Gauge>
double locate(const Gauge& gauge, double at_zero, double end, double at_end, double resolution) {
  double low = 0.0, high = end;
  double g_low = at_zero, g_high = at_end;
  int kept = 0;  // how often in a row the same end has stayed: 1, 2.. the lower, -1, -2.. the upper
  for (int pass = 1; high - low > resolution; ++pass) {
    const bool bisect = (low == 0.0 && g_low <= 0.0) || pass % 4 == 0;
    const double guess = low + (high - low) * (bisect ? 0.5 : g_low / (g_low - g_high));
    const double middle = std::clamp(guess, low + 0.5 * resolution, high - 0.5 * resolution);
    const double g = gauge(middle);
    if (g < 0.0) {
      high = middle;
      g_high = g;
      kept = std::max(kept, 0) + 1;
      if (kept > 1) g_low *= 0.5;
    } else {
      low = middle;
      g_low = g;
      kept = std::min(kept, 0) - 1;
      if (kept < -1) g_high *= 0.5;
    }
  }
  return high;
}

}  // namespace armdyn
