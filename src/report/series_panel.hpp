#pragma once

#include <string>

#include "io/plot/plot.hpp"
#include "io/plot/thinned_series.hpp"

namespace armdyn {

/// A panel with one curve.
[[nodiscard]] Panel series_panel(const std::string& title, const std::string& y_label,
                                 const std::string& unit, const ThinnedSeries& series);

}  // namespace armdyn
