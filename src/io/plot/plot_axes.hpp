#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"

// What the axes of a panel reach, and which of its limits they show.

namespace armdyn {

struct AxisRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  double span() const { return high - low; }
  double largest() const { return empty() ? 0 : std::max(std::abs(low), std::abs(high)); }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// All that reaches gnuplot is divided by 10^exponent, so that it never meets extreme numbers; the
/// range is scaled already.
struct Axis {
  AxisRange range;
  int exponent = 0;

  double scaled(double value) const { return value / std::pow(10.0, exponent); }
  /// τ [10³ N·m]
  std::string text(const std::string& label, const std::string& unit) const;
};

/// Whether the i-th point is not in a gap. Gnuplot could not add numbers beyond 1e305.
[[nodiscard]] bool is_drawn(const Curve& curve, std::size_t i);
[[nodiscard]] std::size_t length(const Curve& curve);
[[nodiscard]] std::size_t drawn_points(const Curve& curve);

/// One for all panels.
[[nodiscard]] Axis x_axis(const Figure& figure);

/// What the curves of a panel of the figure reach. Flat curves get a range around them; what is
/// rounding noise beside the other panels of the same unit gets a range in which it is zero.
[[nodiscard]] AxisRange y_range(const Figure& figure, const Panel& panel);

/// With room for the limits that are shown.
[[nodiscard]] Axis y_axis(const AxisRange& curves, const std::vector<double>& shown_limits);

/// The limits of a panel that are near enough to its curves for a line.
[[nodiscard]] std::vector<double> near_limits(const Panel& panel, const AxisRange& curves);

/// limit ±186 N·m for a pair, limits −0.8 to 3.9 rad for a range, limit 3 N·m for one; empty where
/// there is none.
[[nodiscard]] std::string limit_note(const Panel& panel);

}  // namespace armdyn
