#include "motion/derive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armdyn {
namespace {

constexpr double tolerance = 1e-6;  // of a window: stamps at its very edge are within

double span_of(std::span<const double> t) {
  return t.back() - t.front();
}

std::span<const double> part(std::span<const double> all, std::size_t begin, std::size_t end) {
  return all.subspan(begin, end - begin);
}

struct Rows {
  std::size_t begin = 0, end = 0;
  [[nodiscard]] std::size_t count() const { return end - begin; }
};

// Those from `from` to `to`, of increasing t.
Rows rows_within(std::span<const double> t, double from, double to) {
  const double slack = tolerance * (to - from);
  const auto begin = std::lower_bound(t.begin(), t.end(), from - slack);
  const auto end = std::upper_bound(begin, t.end(), to + slack);
  return {static_cast<std::size_t>(begin - t.begin()), static_cast<std::size_t>(end - t.begin())};
}

double square(double x) {
  return x * x;
}

}  // namespace

// --- FitQuality

void FitQuality::add(const Places& places, const std::vector<std::span<const double>>& q) {
  wide_.place(places.t, places.at);
  narrow_.place(places.t.subspan(places.first, places.count), places.at);
  const double ratio = span_of(places.t.subspan(places.first, places.count)) / span_of(places.t);
  const double seen = 1.0 - square(square(ratio));  // of the bias, by the narrow window
  for (std::size_t order = 1; order <= 2; ++order) {
    const double gain = wide_.noise_gain(order);
    gain_[order] += gain;
    gain_excess_[order] += (narrow_.noise_gain(order) - gain) / square(seen);
  }
  add_noise(places.t, q);
  for (std::size_t j = 0; j < q.size(); ++j) {
    const std::span<const double> within = q[j].subspan(places.first, places.count);
    for (std::size_t order = 1; order <= 2; ++order) {
      const double difference = wide_.derivative(order, q[j]) - narrow_.derivative(order, within);
      joints_[j].differences[order] += square(difference / seen);
    }
  }
  ++samples_;
}

// A few samples at a time, which a polynomial follows however bent the motion is.
void FitQuality::add_noise(std::span<const double> t,
                           const std::vector<std::span<const double>>& q) {
  constexpr std::size_t few = LocalFit::fewest_points + 2;
  const std::size_t count = std::min(few, t.size());
  for (std::size_t begin = 0; begin + count <= t.size(); begin += count) {
    few_.place(t.subspan(begin, count), t[begin + count / 2]);
    for (std::size_t j = 0; j < q.size(); ++j) {
      joints_[j].misfit += few_.misfit(q[j].subspan(begin, count));
    }
    freedom_ += static_cast<double>(count - LocalFit::degree - 1);
  }
}

double FitQuality::noise(std::size_t joint) const {
  return samples_ == 0 ? 0.0 : std::sqrt(joints_[joint].misfit / freedom_);
}

double FitQuality::variance(std::size_t order, double noise) const {
  return samples_ == 0 ? 0.0 : square(noise) * gain_[order] / static_cast<double>(samples_);
}

double FitQuality::squared_bias(std::size_t order, std::size_t joint, double noise) const {
  if (samples_ == 0) return 0.0;
  const double seen = joints_[joint].differences[order] - square(noise) * gain_excess_[order];
  return std::max(0.0, seen) / static_cast<double>(samples_);
}

// The mean of a square over n windows is known to √(2/n); samples overlap by half.
double FitQuality::hidden_bias(std::size_t order, double noise) const {
  if (samples_ == 0) return 0.0;
  const auto samples = static_cast<double>(samples_);
  return square(noise) * gain_excess_[order] / samples * std::sqrt(4.0 / samples);
}

double FitQuality::uncertainty(std::size_t order, std::size_t joint) const {
  const double sigma = noise(joint);
  return std::sqrt(variance(order, sigma) +
                   std::max(squared_bias(order, joint, sigma), hidden_bias(order, sigma)));
}

// --- Deriver

Deriver::Deriver(std::size_t joints, double window)
    : window_(window), rows_(1 + joints), quality_(joints) {}

void Deriver::append(std::span<const double> row) {
  rows_.append(row);
}

// False: rows that it needs have not come yet.
bool Deriver::find_window(Window& window) const {
  const std::span<const double> t = rows_.column(0);
  const double at = t[next_];
  double from = at - window_ / 2.0;
  double to = at + window_ / 2.0;
  window.is_central = true;
  if (from < t.front() && !is_begun_) {
    from = t.front();
    to = from + window_;
    window.is_central = false;
  }
  if (to > t.back() + tolerance * window_) {
    if (!is_ended_) return false;
    to = t.back();
    from = to - window_;
    window.is_central = false;
  }
  const Rows rows = rows_within(t, from, to);
  window.begin = rows.begin;
  window.end = rows.end;
  while (window.end - window.begin < LocalFit::fewest_points) {
    const bool has_left = window.begin > 0;
    const bool has_right = window.end < t.size();
    if (!has_right && !is_ended_) return false;
    if (!has_right && !has_left) break;
    const bool left_is_nearer =
        has_left && (!has_right || at - t[window.begin - 1] <= t[window.end] - at);
    if (left_is_nearer) {
      --window.begin;
    } else {
      ++window.end;
    }
  }
  return true;
}

// Keeps what a window around a later row can need.
void Deriver::forget(std::size_t begin) {
  const std::size_t kept = next_ > LocalFit::fewest_points ? next_ - LocalFit::fewest_points : 0;
  const std::size_t gone = std::min(begin, kept);
  if (gone == 0) return;
  rows_.drop_front(gone);
  next_ -= gone;
  is_begun_ = true;
}

Deriver::Outcome Deriver::take(std::span<double> qd, std::span<double> qdd) {
  if (next_ == rows_.size()) {
    if (!is_ended_) return Outcome::not_yet;
    rows_.drop_front(rows_.size());
    next_ = 0;
    is_ended_ = is_begun_ = false;
    return Outcome::not_yet;
  }
  Window window;
  if (!find_window(window)) return Outcome::not_yet;
  if (window.end - window.begin < LocalFit::fewest_points) {
    ++next_;
    return Outcome::too_few;
  }
  fit_.place(part(rows_.column(0), window.begin, window.end), rows_.column(0)[next_]);
  for (std::size_t j = 0; j < qd.size(); ++j) {
    const auto q = part(rows_.column(1 + j), window.begin, window.end);
    qd[j] = fit_.derivative(1, q);
    qdd[j] = fit_.derivative(2, q);
  }
  if (window.is_central) {
    sample(window);
  } else {
    end_gain_ = std::max(end_gain_, std::sqrt(fit_.noise_gain(2)));
  }
  ++next_;
  if (window.is_central) forget(window.begin);
  return Outcome::derived;
}

// Now and then, so that the windows looked at overlap by half.
void Deriver::sample(const Window& window) {
  if (until_sample_ > 0) {
    --until_sample_;
    return;
  }
  const auto t = part(rows_.column(0), window.begin, window.end);
  const double at = rows_.column(0)[next_];
  const double half = FitQuality::narrower * window_ / 2.0;
  const Rows narrow = rows_within(t, at - half, at + half);
  if (narrow.count() < LocalFit::fewest_points || narrow.count() == t.size()) return;
  until_sample_ = t.size() / 2;
  std::vector<std::span<const double>> q;
  for (std::size_t j = 1; j < rows_.width(); ++j) {
    q.push_back(part(rows_.column(j), window.begin, window.end));
  }
  quality_.add({t, narrow.begin, narrow.count(), at}, q);
}

// --- choose_window

namespace {

double median_step(std::span<const double> t) {
  std::vector<double> steps;
  steps.reserve(t.size());
  for (std::size_t k = 1; k < t.size(); ++k) steps.push_back(t[k] - t[k - 1]);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

FitQuality try_window(std::span<const double> t, const std::vector<std::span<const double>>& q,
                      double window) {
  constexpr std::size_t most_places = 300;
  FitQuality quality(q.size());
  const std::size_t stride = std::max<std::size_t>(1, t.size() / most_places);
  for (std::size_t k = stride / 2; k < t.size(); k += stride) {
    const double half = window / 2.0;
    if (t[k] - half < t.front() || t[k] + half > t.back()) continue;
    const Rows wide = rows_within(t, t[k] - half, t[k] + half);
    const auto inside = part(t, wide.begin, wide.end);
    const double narrow_half = FitQuality::narrower * half;
    const Rows narrow = rows_within(inside, t[k] - narrow_half, t[k] + narrow_half);
    if (narrow.count() < LocalFit::fewest_points || narrow.count() == wide.count()) continue;
    std::vector<std::span<const double>> samples;
    samples.reserve(q.size());
    for (const auto& column : q) samples.push_back(part(column, wide.begin, wide.end));
    quality.add({inside, narrow.begin, narrow.count(), t[k]}, samples);
  }
  return quality;
}

double largest(std::span<const double> values) {
  double most = std::numeric_limits<double>::min();
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

double choose_window(std::span<const double> t, const std::vector<std::span<const double>>& q) {
  constexpr double growth = 1.2;
  constexpr double rounding = 1e-15;
  constexpr double hopeless = 20.0;  // times the least error seen: no wider window will be better
  const double step = median_step(t);
  const double shortest = 8.0 * step;  // whose narrower window still has the fewest points
  const double longest = std::min(span_of(t) / 3.0, 1000.0 * step);
  std::vector<double> noise;
  double best = shortest;
  double least = std::numeric_limits<double>::infinity();
  for (double window = shortest; window <= longest; window *= growth) {
    const FitQuality quality = try_window(t, q, window);
    if (quality.samples() == 0) continue;
    if (noise.empty()) {
      for (std::size_t j = 0; j < q.size(); ++j) {
        noise.push_back(std::max(quality.noise(j), rounding * largest(q[j])));
      }
    }
    double error = 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) {
      error +=
          (quality.variance(2, noise[j]) + quality.squared_bias(2, j, noise[j])) / square(noise[j]);
    }
    if (error < least) {
      least = error;
      best = window;
    }
    if (error > hopeless * least) break;
  }
  return best;
}

}  // namespace armdyn
