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

std::vector<Tick> make_ticks(const AxisRange& range, double about) {
  const double rough = range.span() / about;
  const double power = std::floor(std::log10(rough));
  const double lead = rough / std::pow(10.0, power);
  const double factor = lead < 1.41 ? 1 : lead < 3.16 ? 2 : lead < 7.07 ? 5 : 10;
  const double step = factor * std::pow(10.0, power);
  const int decimals = std::clamp(-static_cast<int>(power) - (factor == 10 ? 1 : 0), 0, 14);
  std::vector<Tick> ticks;
  for (double k = std::ceil(range.low / step - 1e-6); k <= range.high / step + 1e-6; k += 1) {
    ticks.push_back({k * step, fixed_number(k * step, decimals)});
  }
  return ticks;
}

// Without ticks.
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

double Axis::widest_tick() const {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.text, tick_font));
  return width;
}

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

Axis x_axis(const Figure& figure, double width) {
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
  Axis axis = axis_over(range);
  for (double about = width / 60; about > 1; about -= 1) {
    axis.ticks = make_ticks(axis.range, about);
    const double needed = axis.widest_tick() + 16;
    if (needed * static_cast<double>(axis.ticks.size()) < width) break;
  }
  return axis;
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

Axis y_axis(const AxisRange& curves, const std::vector<LimitLine>& limits, double height) {
  Axis axis = axis_over(curves);
  AxisRange range = axis.range;
  for (const LimitLine& limit : limits) range.include(axis.scaled(limit.value));
  const double margin = range.span() * 0.06;
  const double text_margin = range.span() * 1.4 * note_height / height;
  axis.range = {range.low - margin, range.high + margin};
  for (const LimitLine& limit : limits) {
    const double at = axis.scaled(limit.value);
    axis.range.include(range.in_upper_half(at) ? at + text_margin : at - text_margin);
  }
  axis.ticks = make_ticks(axis.range, std::max(3.6, height / 45));
  return axis;
}

}  // namespace armdyn
