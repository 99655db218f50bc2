#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"

// What the axes of a panel reach, and what is written beside them.

namespace armdyn {

struct AxisRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  double span() const { return high - low; }
  double largest() const { return empty() ? 0 : std::max(std::abs(low), std::abs(high)); }
  bool in_upper_half(double value) const { return value >= low + span() / 2; }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Tick {
  double at;
  std::string text;
};

/// All that reaches gnuplot is divided by 10^exponent, so that it never meets extreme numbers:
/// range and ticks are scaled already.
struct Axis {
  AxisRange range;
  int exponent = 0;
  std::vector<Tick> ticks;

  double scaled(double value) const { return value / std::pow(10.0, exponent); }
  /// 0 at the low end, 1 at the high end.
  double fraction(double scaled_value) const { return (scaled_value - range.low) / range.span(); }
  double widest_tick() const;
  /// τ [10³ N·m]
  std::string text(const std::string& label, const std::string& unit) const;
};

/// Whether the i-th point is not in a gap. Gnuplot could not add numbers beyond 1e305.
[[nodiscard]] bool is_drawn(const Curve& curve, std::size_t i);
[[nodiscard]] std::size_t length(const Curve& curve);
[[nodiscard]] std::size_t drawn_points(const Curve& curve);

/// One for all panels; as long as the width in pixels.
[[nodiscard]] Axis x_axis(const Figure& figure, double width);

/// What the curves of a panel of the figure reach. Flat curves get a range around them; what is
/// rounding noise beside the other panels of the same unit gets a range in which it is zero.
[[nodiscard]] AxisRange y_range(const Figure& figure, const Panel& panel);

/// With room for the limit lines, and for their texts; as long as the height in pixels.
[[nodiscard]] Axis y_axis(const AxisRange& curves, const std::vector<LimitLine>& limits,
                          double height);

}  // namespace armdyn
