#include "io/plot/plot_axes.hpp"

#include "io/plot/plot_text.hpp"

namespace armdyn {

namespace {

// A power of a thousand; none for numbers that are easily read as they are, and none where they
// differ in their last digits only, as in 1700000002.
int readable_exponent(const AxisRange& range) {
  const double largest = range.largest();
  if (!(largest > 0) || (largest >= 1e-3 && largest < 1e5)) return 0;
  if (range.span() < 1e-3 * largest && largest > 1 && largest < 1e12) return 0;
  return std::clamp(3 * static_cast<int>(std::floor(std::log10(largest) / 3)), -300, 306);
}

Axis axis_over(const AxisRange& range) {
  Axis axis;
  axis.exponent = readable_exponent(range);
  axis.range = {axis.scaled(range.low), axis.scaled(range.high)};
  return axis;
}

AxisRange range_of_curves(const Panel& panel, std::vector<double> Curve::*coordinate) {
  AxisRange range;
  for (const Curve& curve : panel.curves) {
    for (std::size_t i = 0; i < length(curve); ++i) {
      if (is_drawn(curve, i)) range.include((curve.*coordinate)[i]);
    }
  }
  return range;
}

}  // namespace

std::string Axis::text(const std::string& label, const std::string& unit) const {
  const std::string factor = exponent == 0 ? "" : power_of_ten(exponent);
  const std::string gap = factor.empty() || unit.empty() ? "" : " ";
  const std::string scale = factor + gap + unit;
  if (scale.empty()) return label;
  return label + (label.empty() ? "[" : " [") + scale + "]";
}

std::size_t length(const Curve& curve) {
  return std::min(curve.x.size(), curve.y.size());
}

bool is_drawn(const Curve& curve, std::size_t i) {
  return std::abs(curve.x[i]) <= 1e305 && std::abs(curve.y[i]) <= 1e305;
}

std::size_t drawn_points(const Curve& curve) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < length(curve); ++i) {
    if (is_drawn(curve, i)) ++count;
  }
  return count;
}

Axis x_axis(const Figure& figure) {
  AxisRange range;
  for (const Panel& panel : figure.panels) {
    const AxisRange here = range_of_curves(panel, &Curve::x);
    range = {std::min(range.low, here.low), std::max(range.high, here.high)};
  }
  if (range.empty()) range = {0, 1};
  if (!(range.span() > 1e-13 * range.largest())) {  // 0.2 ms at the time of day, in seconds
    const double half = std::max(0.5, 1e-9 * range.largest());
    range = {range.low - half, range.high + half};
  }
  return axis_over(range);
}

AxisRange y_range(const Figure& figure, const Panel& panel) {
  constexpr double noise = 1e-10;
  constexpr double flat = 1e-6;
  const AxisRange range = range_of_curves(panel, &Curve::y);
  const double largest = range.largest();
  double beside = 0;
  for (const Panel& other : figure.panels) {
    if (other.unit != panel.unit) continue;
    beside = std::max(beside, range_of_curves(other, &Curve::y).largest());
  }
  if (largest <= noise * beside || largest < 1e-300) {
    const double half = beside >= 1e-300 ? std::min(1.0, beside) : 1.0;
    return {-half, half};
  }
  if (range.span() > flat * largest) return range;
  return {range.low - 0.1 * largest, range.high + 0.1 * largest};
}

Axis y_axis(const AxisRange& curves, const std::vector<double>& shown_limits) {
  Axis axis = axis_over(curves);
  for (const double limit : shown_limits) axis.range.include(axis.scaled(limit));
  const double margin = axis.range.span() * 0.06;
  axis.range = {axis.range.low - margin, axis.range.high + margin};
  return axis;
}

std::vector<double> near_limits(const Panel& panel, const AxisRange& curves) {
  const double reach = 0.75 * curves.span();
  std::vector<double> near = panel.limits;
  std::erase_if(near, [&](double limit) {
    return !(limit >= curves.low - reach && limit <= curves.high + reach);
  });
  return near;
}

std::string limit_note(const Panel& panel) {
  std::vector<double> limits = panel.limits;
  std::erase_if(limits, [](double limit) { return !std::isfinite(limit); });
  if (limits.empty()) return "";
  const auto [lower, upper] = std::ranges::minmax(limits);
  const std::string unit = (panel.unit.empty() ? "" : " ") + panel.unit;
  if (lower == upper) return "limit " + brief_number(upper) + unit;
  if (lower == -upper) return "limit ±" + brief_number(upper) + unit;
  return "limits " + brief_number(lower) + " to " + brief_number(upper) + unit;
}

}  // namespace armdyn
