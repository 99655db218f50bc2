#include "io/plot/plot_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "io/plot/plot_text.hpp"

namespace armdyn {

namespace {

bool within_reach(double limit, const AxisRange& curves) {
  const double reach = 0.75 * curves.span();
  return limit >= curves.low - reach && limit <= curves.high + reach;
}

std::string limit_text(const LimitLine& limit, const std::string& unit, const char* sign = "") {
  const std::string label = limit.label + (limit.label.empty() ? "" : " ");
  return label + sign + limit_number(limit.value) + (unit.empty() ? "" : " ") + unit;
}

bool are_a_range(const std::vector<LimitLine>& limits) {
  return limits.size() == 2 && limits[0].label == limits[1].label && !limits[0].label.empty() &&
         limits[0].value != -limits[1].value;
}

// limit ±186 N·m for a pair, limits −0.8 to 3.9 rad for a range, else one after another.
std::string note_on(std::vector<LimitLine> limits, const std::string& unit) {
  if (are_a_range(limits)) {
    const auto [lower, upper] = std::minmax(limits[0].value, limits[1].value);
    return limits[0].label + "s " + limit_number(lower) + " to " + limit_number(upper) +
           (unit.empty() ? "" : " ") + unit;
  }
  std::string note;
  while (!limits.empty()) {
    LimitLine limit = limits.front();
    limits.erase(limits.begin());
    const auto mirrored = std::find_if(limits.begin(), limits.end(), [&](const LimitLine& other) {
      return other.label == limit.label && other.value == -limit.value && limit.value != 0;
    });
    const char* sign = "";
    if (mirrored != limits.end()) {
      limits.erase(mirrored);
      limit.value = std::abs(limit.value);
      sign = "±";
    }
    note += (note.empty() ? "" : ", ") + limit_text(limit, unit, sign);
  }
  return note;
}

struct Point {
  double x, y;
};

bool crosses(const Place& place, Point a, Point b) {
  const double right = place.left + place.width;
  if (b.x < a.x) std::swap(a, b);
  if (b.x < place.left || a.x > right) return false;
  const double slope = b.x > a.x ? (b.y - a.y) / (b.x - a.x) : 0;
  const double y_in = a.x < place.left ? a.y + slope * (place.left - a.x) : a.y;
  const double y_out = b.x > right ? b.y - slope * (b.x - right) : b.y;
  return std::max(y_in, y_out) >= place.bottom &&
         std::min(y_in, y_out) <= place.bottom + place.height;
}

std::size_t count_crossings(const Place& place, const Panel& panel, const Axis& x, const Axis& y) {
  std::size_t count = 0;
  for (const Curve& curve : panel.curves) {
    std::optional<Point> before;
    for (std::size_t i = 0; i < length(curve); ++i) {
      if (!is_drawn(curve, i)) continue;
      const Point point{x.fraction(x.scaled(curve.x[i])), y.fraction(y.scaled(curve.y[i]))};
      if (crosses(place, before.value_or(point), point)) ++count;
      before = point;
    }
  }
  return count;
}

}  // namespace

ShownLimits shown_limits(const Panel& panel, const AxisRange& curves) {
  ShownLimits shown;
  std::vector<LimitLine> far;
  for (const LimitLine& limit : panel.limits) {
    if (!std::isfinite(limit.value)) continue;
    if (within_reach(limit.value, curves)) {
      shown.lines.push_back({limit.value, limit_text(limit, panel.unit)});
    } else {
      far.push_back(limit);
    }
  }
  shown.note = note_on(std::move(far), panel.unit);
  return shown;
}

Place freest_in_row(Place place, const Panel& panel, const Axis& x, const Axis& y) {
  const double width = place.width;
  Place best = place;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const double left :
       {0.99 - width, 0.01, 0.5 - width / 2, 0.75 - width / 2, 0.25 - width / 2}) {
    place.left = left;
    const std::size_t crossings = count_crossings(place, panel, x, y);
    if (crossings < least) {
      least = crossings;
      best = place;
    }
  }
  return best;
}

}  // namespace armdyn
