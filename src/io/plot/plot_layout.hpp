#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "io/plot/plot.hpp"
#include "io/plot/plot_axes.hpp"
#include "io/plot/plot_limits.hpp"

// Where everything in a picture stands. The origin is the left lower corner; lengths are in pixels
// of the SVG.

namespace armdyn {

constexpr double edge = 14;
constexpr double title_row = 30;
constexpr double legend_row = 22;
constexpr double legend_sample = 34;
constexpr double tick_row = 26;  // tick labels below a panel
constexpr double label_row = 20;

struct Box {
  double left, bottom, right, top;
  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

struct PanelView {
  const Panel* panel = nullptr;  // of the figure
  std::string title;
  std::vector<std::size_t> styles;  // the number of each curve's
  Axis y;
  ShownLimits limits;
  Box box{};
  bool lowest = false;  // of its column
};

struct LegendEntry {
  std::string label;
  double left;  // from the first panel's left edge; its place in the list is its style
};

struct Sheet {
  double width = 0;
  double height = 0;
  double left_room = 0;   // of a panel, for y label and tick labels
  double legend_top = 0;  // below the title
  std::vector<LegendEntry> legend;
  std::vector<PanelView> panels;
  Axis x;
};

/// The figure, which has a panel, must outlive the sheet.
[[nodiscard]] Sheet lay_out(const Figure& figure);

}  // namespace armdyn
