#include "figure/figure.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

// --- Series

ThinnedSeries::ThinnedSeries(std::size_t buckets)
    : bucket_count_(std::max<std::size_t>(buckets, 1)) {}

void ThinnedSeries::append(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  if (count_ > 0 && x < last_x_) {
    throw InputError("a picture needs time to increase: " + number_text(x) + " comes after " +
                     number_text(last_x_));
  }
  last_x_ = x;
  const Sample sample{x, y, count_++, stretch_};
  if (width_ > 0) {
    put(sample);
    return;
  }
  samples_.push_back(sample);
  if (samples_.size() > 2 * bucket_count_) start_buckets();
}

void ThinnedSeries::append(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw std::invalid_argument("ThinnedSeries: x and y differ in length");
  for (std::size_t i = 0; i < x.size(); ++i) {
    i += append_to_last_bucket(x.subspan(i), y.subspan(i));
    if (i < x.size()) append(x[i], y[i]);
  }
}

std::size_t ThinnedSeries::append_to_last_bucket(std::span<const double> x,
                                                 std::span<const double> y) {
  if (buckets_.empty()) return 0;
  Bucket& bucket = buckets_.back();
  const double begin = samples_.front().x;
  double before = last_x_, low = bucket.lowest.y, high = bucket.highest.y;
  std::size_t taken = 0, lowest = x.size(), highest = x.size();
  for (; taken < x.size(); ++taken) {
    const double value = y[taken];
    if (!(x[taken] >= before && x[taken] - begin < end_ && std::isfinite(value))) break;
    before = x[taken];
    if (value < low) {
      low = value;
      lowest = taken;
    }
    if (value > high) {
      high = value;
      highest = taken;
    }
  }
  const auto take = [&](std::size_t k, Sample& into) {
    if (k < taken) into = {x[k], y[k], count_ + k, stretch_};
  };
  take(lowest, bucket.lowest);
  take(highest, bucket.highest);
  if (taken > 0) take(taken - 1, bucket.last);
  last_x_ = before;
  count_ += taken;
  return taken;
}

void ThinnedSeries::start_buckets() {
  const double extent = samples_.back().x - samples_.front().x;
  width_ = std::clamp(extent / static_cast<double>(bucket_count_),
                      std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  const std::vector<Sample> exact = std::exchange(samples_, {samples_.front()});
  for (const Sample& sample : exact) put(sample);
}

void ThinnedSeries::put(const Sample& sample) {
  const bool is_beyond = !(sample.x - samples_.front().x < end_);
  const std::size_t index = is_beyond ? bucket_of(sample.x) : buckets_.back().index;
  if (is_beyond) end_ = static_cast<double>(index + 1) * width_;
  add({index, sample, sample, sample, sample});
}

/// Joins the last bucket if it has that index, else follows it.
void ThinnedSeries::add(const Bucket& bucket) {
  if (buckets_.empty() || buckets_.back().index != bucket.index) {
    buckets_.push_back(bucket);
    return;
  }
  Bucket& last = buckets_.back();
  if (bucket.lowest.y < last.lowest.y) last.lowest = bucket.lowest;
  if (bucket.highest.y > last.highest.y) last.highest = bucket.highest;
  last.last = bucket.last;
}

std::size_t ThinnedSeries::bucket_of(double x) {
  const double distance = x - samples_.front().x;
  const auto count = static_cast<double>(bucket_count_);
  unsigned doublings = 0;
  while (distance / width_ >= count && std::isfinite(2 * width_)) {
    width_ *= 2;
    ++doublings;
  }
  if (doublings > 0) halve_indices(doublings);
  const double position = std::floor(distance / width_);
  return position < count ? static_cast<std::size_t>(position) : bucket_count_ - 1;
}

void ThinnedSeries::halve_indices(unsigned times) {
  for (Bucket bucket : std::exchange(buckets_, {})) {
    bucket.index >>= std::min(times, 63U);
    add(bucket);
  }
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

std::vector<std::size_t> rows_with_extremes(const std::vector<std::span<const double>>& columns,
                                            std::size_t most) {
  std::set<std::size_t> rows;
  std::size_t stretches = most;
  do {
    stretches = std::max<std::size_t>(1, stretches / 2);
    rows.clear();
    for (const std::span<const double> column : columns) {
      ThinnedSeries series(stretches);
      double row = 0.0;
      for (const double value : column) series.append(row++, value);
      for (const double kept : series.points().x) rows.insert(static_cast<std::size_t>(kept));
    }
  } while (rows.size() > most && stretches > 1);
  return {rows.begin(), rows.end()};
}

// --- Figures

std::string brief_number(double value) {
  const bool is_whole = std::abs(value) >= 1e3 && std::abs(value) < 1e6;
  const std::string text = fmt::format(fmt::runtime(is_whole ? "{:.0f}" : "{:.4g}"), value + 0.0);
  const std::size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.front() == '-') mantissa.replace(0, 1, "−");
  if (e == std::string::npos) return mantissa;
  return mantissa + "·" + "10" + superscript(std::atoi(text.c_str() + e + 1));
}

bool is_drawn(const Curve& curve, std::size_t i) {
  return std::abs(curve.x[i]) <= 1e305 && std::abs(curve.y[i]) <= 1e305;
}

AxisRange range_of_curves(const Panel& panel, std::vector<double> Curve::*coordinate) {
  AxisRange range;
  for (const Curve& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (is_drawn(curve, i)) range.include((curve.*coordinate)[i]);
    }
  }
  return range;
}

AxisRange y_range(const Figure& figure, const Panel& panel) {
  constexpr double noise = 1e-10;
  constexpr double flat = 1e-6;
  AxisRange range = range_of_curves(panel, &Curve::y);
  if (panel.has_zero) range.include(0.0);
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

std::vector<double> near_limits(const Figure& figure, const Panel& panel) {
  const AxisRange curves = y_range(figure, panel);
  const double reach = 0.75 * curves.span();
  std::vector<double> near = panel.limits;
  if (near.empty()) return near;
  const auto [lower, upper] = std::ranges::minmax(near);
  std::erase_if(near, [&, lower = lower, upper = upper](double limit) {
    const bool is_exceeded = (limit == upper && curves.low > upper) ||
                             (limit == lower && lower < upper && curves.high < lower);
    return !is_exceeded && !(limit >= curves.low - reach && limit <= curves.high + reach);
  });
  return near;
}

std::vector<std::string> labels_of(const Figure& figure) {
  std::vector<std::string> labels;
  for (const Panel& panel : figure.panels) {
    for (const Curve& curve : panel.curves) {
      const bool is_new = std::ranges::find(labels, curve.label) == labels.end();
      if (!curve.label.empty() && is_new) labels.push_back(curve.label);
    }
  }
  return labels;
}

std::size_t style_number(const std::vector<std::string>& labels, const Panel& panel,
                         std::size_t curve) {
  const auto found = std::ranges::find(labels, panel.curves[curve].label);
  return found == labels.end() ? curve : static_cast<std::size_t>(found - labels.begin());
}

bool begins_band(const Panel& panel, std::size_t curve) {
  const std::vector<Curve>& all = panel.curves;
  return curve + 1 < all.size() && !all[curve].label.empty() &&
         all[curve].label == all[curve + 1].label;
}

}  // namespace armdyn
