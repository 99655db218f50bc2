#include "io/plot/plot.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/file/output_file.hpp"
#include "io/plot/gnuplot.hpp"
#include "io/plot/plot_script.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

ThinnedSeries::ThinnedSeries(std::size_t buckets)
    : bucket_count_(std::max<std::size_t>(buckets, 1)) {}

void ThinnedSeries::append(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) {
    return;
  }
  if (count_ > 0 && x < last_x_) {
    throw InputError("a picture needs time to increase: " + number_text(x) + " comes after " +
                     number_text(last_x_));
  }
  last_x_ = x;
  const Sample sample{x, y, count_++, stretch_};
  if (width_ > 0) {
    put_in_bucket(sample);
    return;
  }
  samples_.push_back(sample);
  if (samples_.size() > 2 * bucket_count_) {
    start_buckets();
  }
}

void ThinnedSeries::append(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    throw std::invalid_argument("ThinnedSeries: x and y differ in length");
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    append(x[i], y[i]);
  }
}

void ThinnedSeries::start_buckets() {
  const double extent = samples_.back().x - samples_.front().x;
  width_ = std::clamp(extent / static_cast<double>(bucket_count_),
                      std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  const std::vector<Sample> exact = std::exchange(samples_, {samples_.front()});
  for (const Sample& sample : exact) {
    put_in_bucket(sample);
  }
}

void ThinnedSeries::put_in_bucket(const Sample& sample) {
  const std::size_t index = bucket_of(sample.x);
  if (buckets_.empty() || buckets_.back().index != index) {
    buckets_.push_back({index, sample, sample, sample, sample});
    return;
  }
  Bucket& bucket = buckets_.back();
  if (sample.y < bucket.lowest.y) {
    bucket.lowest = sample;
  }
  if (sample.y > bucket.highest.y) {
    bucket.highest = sample;
  }
  bucket.last = sample;
}

std::size_t ThinnedSeries::bucket_of(double x) {
  const double distance = x - samples_.front().x;
  const auto count = static_cast<double>(bucket_count_);
  unsigned doublings = 0;
  while (distance / width_ >= count && std::isfinite(2 * width_)) {
    width_ *= 2;
    ++doublings;
  }
  if (doublings > 0) {
    halve_indices(doublings);
  }
  const double position = std::floor(distance / width_);
  return position < count ? static_cast<std::size_t>(position) : bucket_count_ - 1;
}

void ThinnedSeries::halve_indices(unsigned times) {
  const unsigned shift = std::min(times, 63U);
  std::vector<Bucket> merged;
  for (Bucket bucket : buckets_) {
    bucket.index >>= shift;
    if (merged.empty() || merged.back().index != bucket.index) {
      merged.push_back(bucket);
      continue;
    }
    Bucket& before = merged.back();
    if (bucket.lowest.y < before.lowest.y) {
      before.lowest = bucket.lowest;
    }
    if (bucket.highest.y > before.highest.y) {
      before.highest = bucket.highest;
    }
    before.last = bucket.last;
  }
  buckets_ = std::move(merged);
}

ThinnedSeries::Points ThinnedSeries::points() const {
  Points points;
  std::uint64_t stretch = count_ == 0 ? 0 : samples_.front().stretch;
  const auto add = [&](const Sample& sample) {
    if (sample.stretch != std::exchange(stretch, sample.stretch)) {
      points.x.push_back(sample.x);
      points.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    points.x.push_back(sample.x);
    points.y.push_back(sample.y);
  };
  if (buckets_.empty()) {
    std::for_each(samples_.begin(), samples_.end(), add);
    return points;
  }
  const auto earlier = [](const Sample& a, const Sample& b) { return a.order < b.order; };
  const auto same = [](const Sample& a, const Sample& b) { return a.order == b.order; };
  for (const Bucket& bucket : buckets_) {
    std::array kept{bucket.first, bucket.lowest, bucket.highest, bucket.last};
    std::sort(kept.begin(), kept.end(), earlier);
    std::for_each(kept.begin(), std::unique(kept.begin(), kept.end(), same), add);
  }
  return points;
}

namespace {

namespace fs = std::filesystem;

std::optional<PlotFormat> format_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".svg") return PlotFormat::svg;
  if (ending == ".png") return PlotFormat::png;
  if (ending == ".pdf") return PlotFormat::pdf;
  return std::nullopt;
}

std::string_view end_mark(PlotFormat format) {
  return format == PlotFormat::svg ? "</svg>" : format == PlotFormat::png ? "IEND" : "%%EOF";
}

}  // namespace

void check_plot_target(const std::string& path) {
  if (!format_of(path)) {
    throw Error("--plot: '" + in_one_line(path) + "' must end in .svg, .png or .pdf");
  }
  if (!gnuplot_is_installed()) {
    throw FileError(
        "gnuplot is needed for --plot; install it (apt install gnuplot-nox) or leave --plot out");
  }
}

void write_figure(const Figure& figure, OutputFile& file) {
  check_plot_target(file.name());
  const PlotFormat format = *format_of(file.name());
  const std::string script = plot_script(figure, format);
  const bool has_own_fonts = format == PlotFormat::svg;
  file.write(
      run_gnuplot(has_own_fonts ? script : without_missing_glyphs(script), end_mark(format)));
}

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
