#include "report/series_panel.hpp"

namespace armdyn {

Panel series_panel(const std::string& title, const std::string& y_label, const std::string& unit,
                   const ThinnedSeries& series) {
  Panel panel;
  panel.title = title;
  panel.y_label = y_label;
  panel.unit = unit;
  const ThinnedSeries::Points points = series.points();
  panel.curves.push_back({"", points.x, points.y});
  return panel;
}

}  // namespace armdyn
