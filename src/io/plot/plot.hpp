#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Pictures of curves over time as SVG, PNG or PDF, drawn by gnuplot. All text is taken literally.

namespace armdyn {

/// A value that is not finite is a gap. Curves with the same label look the same in every panel;
/// the first label is drawn as a thin black line, the second as a wide grey one behind it, so that
/// both can be seen where they coincide.
struct Curve {
  std::string label;  // shown in the legend; empty: not shown
  std::vector<double> x;
  std::vector<double> y;
};

struct Panel {
  std::string title;
  std::string y_label;
  std::string unit;  // of y: N·m
  std::vector<Curve> curves;
  /// Noted above the panel; a dashed line where it is near enough to the curves.
  std::vector<double> limits;
};

struct Figure {
  std::string title;
  std::string subtitle;
  std::vector<Panel> panels;
  std::string x_label = "t";
  std::string x_unit = "s";
  std::size_t columns = 0;  // of panels; 0: one or two, as many as fit well
};

/// Throws an Error when the path does not end in .svg, .png or .pdf, and a FileError when gnuplot
/// or the folder is missing. For use before a long computation.
void check_plot_target(const std::string& path);

/// Draws the figure; the file appears when it is complete. A PDF has as many pages as it takes for
/// panels to be read. Throws as check_plot_target does, and a FileError when gnuplot fails or the
/// file cannot be written.
void write_figure(const Figure& figure, const std::string& path);

enum class PlotFormat { svg, png, pdf };

/// What write_figure hands to gnuplot.
[[nodiscard]] std::string plot_script(const Figure& figure, PlotFormat format);

}  // namespace armdyn
