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
#include "io/plot/plot_script.hpp"
#include "io/text/number_text.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

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
    put_in_bucket(sample);
    return;
  }
  samples_.push_back(sample);
  if (samples_.size() > 2 * bucket_count_) start_buckets();
}

void ThinnedSeries::append(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) throw std::invalid_argument("ThinnedSeries: x and y differ in length");
  for (std::size_t i = 0; i < x.size(); ++i) append(x[i], y[i]);
}

void ThinnedSeries::start_buckets() {
  const double extent = samples_.back().x - samples_.front().x;
  width_ = std::clamp(extent / static_cast<double>(bucket_count_),
                      std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  const std::vector<Sample> exact = std::exchange(samples_, {samples_.front()});
  for (const Sample& sample : exact) put_in_bucket(sample);
}

void ThinnedSeries::put_in_bucket(const Sample& sample) {
  if (!(sample.x - samples_.front().x < end_)) {
    const std::size_t index = bucket_of(sample.x);
    end_ = static_cast<double>(index + 1) * width_;
    if (buckets_.empty() || buckets_.back().index != index) {
      buckets_.push_back({index, sample, sample, sample, sample});
      return;
    }
  }
  Bucket& bucket = buckets_.back();
  if (sample.y < bucket.lowest.y) bucket.lowest = sample;
  if (sample.y > bucket.highest.y) bucket.highest = sample;
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
  if (doublings > 0) halve_indices(doublings);
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
    if (bucket.lowest.y < before.lowest.y) before.lowest = bucket.lowest;
    if (bucket.highest.y > before.highest.y) before.highest = bucket.highest;
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
        "gnuplot is needed for --plot; install it (apt install gnuplot-nox, dnf install gnuplot, "
        "pacman -S gnuplot) or leave --plot out");
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

}  // namespace armdyn
