#pragma once

#include <string>
#include <vector>

#include "io/plot/plot.hpp"
#include "io/plot/plot_axes.hpp"

// The limits of a panel: those near its curves are lines, the others a note.

namespace armdyn {

struct ShownLimits {
  std::vector<LimitLine> lines;  // each with its whole text as its label
  std::string note;              // empty: none
};

[[nodiscard]] ShownLimits shown_limits(const Panel& panel, const AxisRange& curves);

/// In fractions of a panel's width and height, from its left lower corner.
struct Place {
  double left, bottom, width, height;
};

/// The place moved along its row, to where it is in the way of the panel's curves least.
[[nodiscard]] Place freest_in_row(Place place, const Panel& panel, const Axis& x, const Axis& y);

}  // namespace armdyn
