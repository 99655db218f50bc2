#include "io/plot/plot_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "io/plot/plot_text.hpp"

namespace armdyn {

namespace {

constexpr double strip = 28;  // above a panel, for its title
constexpr double column_gap = 18;

using Labels = std::vector<std::string>;

// Each once.
Labels labels_of(const Figure& figure) {
  Labels labels;
  for (const Panel& panel : figure.panels) {
    for (const Curve& curve : panel.curves) {
      if (curve.label.empty()) continue;
      if (std::find(labels.begin(), labels.end(), curve.label) != labels.end()) continue;
      labels.push_back(curve.label);
    }
  }
  return labels;
}

std::size_t style_number(const Labels& legend, const Panel& panel, std::size_t curve) {
  const auto found = std::find(legend.begin(), legend.end(), panel.curves[curve].label);
  return found != legend.end() ? static_cast<std::size_t>(found - legend.begin()) : curve;
}

bool has_single_curves_only(const Figure& figure) {
  return std::all_of(figure.panels.begin(), figure.panels.end(),
                     [](const Panel& panel) { return panel.curves.size() <= 1; });
}

std::string title_with_label(const Panel& panel) {
  if (panel.curves.empty()) return panel.title;
  const std::string& label = panel.curves.front().label;
  return panel.title + (panel.title.empty() || label.empty() ? "" : " · ") + label;
}

std::vector<LegendEntry> place_legend(const Labels& labels) {
  std::vector<LegendEntry> legend;
  double left = 0;
  for (const std::string& label : labels) {
    legend.push_back({label, left});
    left += legend_sample + 8 + text_width(label, label_font) + 26;
  }
  return legend;
}

double panel_height(std::size_t rows) {
  static constexpr std::array<double, 5> heights{0, 360, 230, 185, 165};
  return rows < heights.size() ? heights[rows] : 150;
}

double left_room(const std::vector<PanelView>& panels) {
  double ticks = 0;
  for (const PanelView& view : panels) ticks = std::max(ticks, view.y.widest_tick());
  return std::min(ticks, 120.0) + label_row + 19;
}

}  // namespace

Sheet lay_out(const Figure& figure) {
  const std::size_t fitting = figure.panels.size() > 3 ? 2 : 1;
  const std::size_t columns = figure.columns > 0 ? figure.columns : fitting;
  const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
  const double panel_width = columns == 1 ? 720 : 400;
  const double height = panel_height(rows);

  Labels labels = labels_of(figure);
  const bool titles_tell_labels = labels.size() > 1 && has_single_curves_only(figure);
  if (titles_tell_labels) labels.clear();

  Sheet sheet;
  sheet.x = x_axis(figure, panel_width);
  sheet.legend = place_legend(labels);
  for (const Panel& panel : figure.panels) {
    PanelView view;
    view.panel = &panel;
    view.title = titles_tell_labels ? title_with_label(panel) : panel.title;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      view.styles.push_back(style_number(labels, panel, c));
    }
    const AxisRange curves = y_range(figure, panel);
    view.limits = shown_limits(panel, curves);
    view.y = y_axis(curves, view.limits.lines, height);
    sheet.panels.push_back(std::move(view));
  }
  sheet.left_room = left_room(sheet.panels);

  const double title = (figure.title.empty() ? 0 : title_row) + 4;
  const double header = title + (labels.empty() ? 0 : legend_row);
  const double column = sheet.left_room + panel_width + column_gap;
  const double row = strip + height + 8;
  const double right_room = std::max(column_gap + edge, sheet.x.widest_tick() / 2 + 4);
  sheet.width = std::round(static_cast<double>(columns) * column - column_gap + right_room);
  sheet.height = std::round(header + static_cast<double>(rows) * row + tick_row + label_row + 4);
  sheet.legend_top = sheet.height - title;
  for (std::size_t i = 0; i < sheet.panels.size(); ++i) {
    const double left = static_cast<double>(i % columns) * column + sheet.left_room;
    const std::size_t row_number = i / columns;
    const double top = sheet.height - header - static_cast<double>(row_number) * row - strip;
    sheet.panels[i].box = {left, top - height, left + panel_width, top};
    sheet.panels[i].lowest = i + columns >= sheet.panels.size();
  }
  return sheet;
}

}  // namespace armdyn
