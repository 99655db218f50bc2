#pragma once

// Pictures of figures as SVG, PNG or PDF, drawn by gnuplot, with all text literally.

#include "figure/figure.hpp"

namespace armdyn {

class OutputFile;

/// Throws Error when the path does not end in .svg, .png or .pdf, and FileError when gnuplot is
/// missing; for use before a long computation.
void check_plot_target(const std::string& path);

/// Draws the figure into a file, which is not committed here. A PDF has as many pages as readable
/// panels need. Throws as check_plot_target does, and FileError when gnuplot fails or the file cannot
/// be written.
void write_figure(const Figure& figure, OutputFile& file);

enum class PlotFormat { svg, png, pdf };

/// Data and script that write_figure passes to gnuplot.
[[nodiscard]] std::string plot_script(const Figure& figure, PlotFormat format);

}  // namespace armdyn
