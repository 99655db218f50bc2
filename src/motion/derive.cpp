#include "motion/derive.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/each.hpp"
#include "math/finite.hpp"
#include "math/statistics.hpp"

namespace armdyn {

std::optional<LocalFit::EvenStamps> LocalFit::even_stamps(std::span<const double> t, double at,
                                                          std::size_t last) {
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() *
                          std::max(std::abs(t.front()), std::abs(t.back()));
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  const auto row = static_cast<std::size_t>(std::ranges::lower_bound(t, at) - t.begin());
  bool is_even = row < t.size() && t[row] == at;
  for (std::size_t k = 0; k < t.size(); ++k) {
    is_even &= std::abs(t[k] - (t.front() + static_cast<double>(k) * step)) <= rounding;
  }
  return is_even ? std::optional(EvenStamps{t.size(), row, last}) : std::nullopt;
}

void LocalFit::place(std::span<const double> t, double at, std::size_t last) {
  const std::size_t n = t.size();
  const double scale = (t.back() - t.front()) / 2.0;
  const std::optional<EvenStamps> even = even_stamps(t, at, last);
  if (!even || even != made_for_) {
    x_.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      x_[k] = even ? (static_cast<double>(k) - static_cast<double>(even->at)) * 2.0 /
                         static_cast<double>(n - 1)
                   : (t[k] - at) / scale;
    }
    last_ = last;
    orthogonalize();
  }
  made_for_ = even;
  steepness_[0] = basis_[0][0];
  for (std::size_t j = 0; j <= last; ++j) {  // derivatives over x become those over t
    const auto& [value, slope, curvature] = over_x_[j];
    at_zero_[j] = {value, slope / scale, curvature / (scale * scale)};
    if (j > 0) steepness_[j] = steepness_[j - 1] * static_cast<double>(j) / (norms_[j] * scale);
  }
}

// Stieltjes: p_{j+1}(x) = ((x − a_j) p_j(x) − b_j p_{j−1}(x)) / b_{j+1}, and so its derivatives.
void LocalFit::orthogonalize() {
  const std::size_t n = x_.size();
  basis_[0].assign(n, 1.0 / std::sqrt(static_cast<double>(n)));
  over_x_[0] = {basis_[0][0], 0.0, 0.0};
  norms_[0] = 0.0;
  for (std::size_t j = 0; j < last_; ++j) {
    basis_[j + 1].resize(n);
    const double *const x = x_.data(), *const p = basis_[j].data();
    const double* const previous = basis_[j == 0 ? 0 : j - 1].data();  // times b = 0 for j = 0
    double* const next = basis_[j + 1].data();
    double b = norms_[j];
    for (std::size_t k = 0; k < n; ++k) next[k] = x[k] * p[k];
    double a = 0.0;
    machine_->project(&next, 1, p, 0.0, n, &a);
    for (std::size_t k = 0; k < n; ++k) next[k] = (x[k] - a) * p[k] - b * previous[k];
    const std::array<double, 3> before = over_x_[j == 0 ? 0 : j - 1];
    const auto& [value, slope, curvature] = over_x_[j];
    over_x_[j + 1] = {-a * value - b * before[0], value - a * slope - b * before[1],
                      2.0 * slope - a * curvature - b * before[2]};
    machine_->project(&next, 1, next, 0.0, n, &b);
    b = std::sqrt(b);
    for (std::size_t k = 0; k < n; ++k) next[k] /= b;
    for (double& v : over_x_[j + 1]) v /= b;
    norms_[j + 1] = b;
  }
}

std::array<const double*, LocalFit::highest + 1> LocalFit::columns() const {
  std::array<const double*, highest + 1> columns{};
  std::ranges::transform(basis_, columns.begin(), [](const auto& p) { return p.data(); });
  return columns;
}

LocalFit::Curve LocalFit::to(std::span<const double> y) const {
  return {*this, y};
}

// The polynomials are orthonormal.
double LocalFit::noise_gain(std::size_t order) const {
  double gain = 0.0;
  for (std::size_t j = 0; j <= degree; ++j) gain += square(at_zero_[j][order]);
  return gain;
}

// Without the first sample nothing is lost to a large y.
LocalFit::Curve::Curve(const LocalFit& fit, std::span<const double> y) : fit_(fit), y_(y) {
  fit.machine_->project(fit.columns().data(), fit.last_ + 1, y.data(), y.front(), y.size(),
                        coefficients_.data());
}

double LocalFit::Curve::derivative(std::size_t order) const {
  double found = 0.0;
  for (std::size_t j = 0; j <= degree; ++j) found += coefficients_[j] * fit_.at_zero_[j][order];
  return order == 0 ? y_.front() + found : found;
}

double LocalFit::Curve::misfit() const {
  return fit_.machine_->misfit(fit_.columns().data(), coefficients_.data(), degree + 1, y_.data(),
                               y_.size());
}

double LocalFit::Curve::slope_variance() const {
  return fit_.noise_gain(1) * misfit() / static_cast<double>(y_.size() - degree - 1);
}

namespace {

constexpr double tolerance = 1e-6;  // of a window: stamps at its very edge are within
constexpr std::size_t followed =
    LocalFit::degree + 1;  // of the terms beyond, where it is significant

double span_of(std::span<const double> t) {
  return t.back() - t.front();
}

// Finds the rows from `from` to `to`, of increasing t.
RowWindow rows_within(std::span<const double> t, double from, double to) {
  const double slack = tolerance * (to - from);
  const auto begin = std::lower_bound(t.begin(), t.end(), from - slack);
  const auto end = std::upper_bound(begin, t.end(), to + slack);
  return {static_cast<std::size_t>(begin - t.begin()), static_cast<std::size_t>(end - t.begin())};
}

// Adds neighbors until there are the fewest rows that a fit takes, if there are so many.
RowWindow with_the_nearest(std::span<const double> t, RowWindow rows, double at) {
  while (rows.count() < LocalFit::fewest_points) {
    const bool has_left = rows.begin > 0;
    const bool has_right = rows.end < t.size();
    if (!has_right && !has_left) break;
    const bool left_is_nearer =
        has_left && (!has_right || at - t[rows.begin - 1] <= t[rows.end] - at);
    left_is_nearer ? --rows.begin : ++rows.end;
  }
  return rows;
}

}  // namespace

// --- FitQuality

// Mean squares (10.16) weight a window by its response to the derivative, so that one of few or
// clustered rows does not outweigh the others.
void FitQuality::add(const LocalFit& fit, std::span<const double> t,
                     const std::vector<std::span<const double>>& q, bool is_central) {
  const auto curves = each(q, [&](std::span<const double> samples) { return fit.to(samples); });
  for (std::size_t i = 0; i < beyond; ++i) {
    const std::size_t degree = LocalFit::degree + 1 + i;
    const double steepness = square(fit.steepness(degree));
    noise_squares_[i] += 1.0 / steepness;
    weights_[i] += 1.0 / square(steepness);
    for (std::size_t j = 0; j < q.size(); ++j) {
      joints_[j].squares[i] += square(curves[j].coefficient(degree)) / steepness;
    }
    for (std::size_t order = 1; is_central && order <= 2; ++order) {
      const double share = square(fit.share(degree, order));
      shares_[order][i] += share;
      response_[order][i] += share / steepness;
    }
  }
  if (is_central) {
    for (std::size_t order = 1; order <= 2; ++order) gain_[order] += fit.noise_gain(order);
    ++central_;
  }
  add_noise(t, q);
  until_ = std::max(until_, t.back());
}

// Takes a few samples at a time, which a polynomial follows however curved the motion is.
void FitQuality::add_noise(std::span<const double> t,
                           const std::vector<std::span<const double>>& q) {
  constexpr std::size_t few = LocalFit::fewest_points + 1;
  const std::size_t count = std::min(few, t.size());
  for (std::size_t begin = 0; begin + count <= t.size(); begin += count) {
    few_.place(t.subspan(begin, count), t[begin + count / 2]);
    for (std::size_t j = 0; j < q.size(); ++j) {
      joints_[j].misfit += few_.to(q[j].subspan(begin, count)).misfit();
    }
    freedom_ += static_cast<double>(count - LocalFit::degree - 1);
  }
}

double FitQuality::noise(std::size_t joint) const {
  return freedom_ == 0.0 ? 0.0 : std::sqrt(joints_[joint].misfit / freedom_);
}

double FitQuality::squared_derivative(std::size_t order, std::size_t joint, double noise) const {
  const std::size_t i = order - LocalFit::degree - 1;
  if (weights_[i] == 0.0) return 0.0;
  const double seen = joints_[joint].squares[i] - square(noise) * noise_squares_[i];
  return std::max(0.0, seen) / weights_[i];
}

double FitQuality::variance(std::size_t order, double noise) const {
  return central_ == 0 ? 0.0 : square(noise) * gain_[order] / static_cast<double>(central_);
}

// The fifth derivative is followed where it stands out of the noise (10.17); its remainder counts.
double FitQuality::squared_bias(std::size_t order, double noise,
                                const auto& squared_derivative_beyond) const {
  double bias = 0.0;
  for (std::size_t i = 0; central_ > 0 && i < beyond; ++i) {
    const double all = squared_derivative_beyond(i) * response_[order][i];
    const double noise_of_it = square(noise) * shares_[order][i];
    const bool is_followed = LocalFit::degree + 1 + i == followed && all > 0.0;
    bias += is_followed ? all * noise_of_it / (all + noise_of_it) : all;
  }
  return central_ == 0 ? 0.0 : bias / static_cast<double>(central_);
}

double FitQuality::squared_bias(std::size_t order, std::size_t joint, double noise) const {
  return squared_bias(order, noise, [&](std::size_t i) {
    return squared_derivative(LocalFit::degree + 1 + i, joint, noise);
  });
}

// The weighted mean of squares of noise is known to √(2 / Σ weight) noise², or a little less well
// since windows overlap.
double FitQuality::hidden_bias(std::size_t order, double noise) const {
  return squared_bias(order, noise,
                      [&](std::size_t i) { return square(noise) * std::sqrt(2.0 / weights_[i]); });
}

double FitQuality::uncertainty(std::size_t order, std::size_t joint) const {
  const double sigma = noise(joint);
  return std::sqrt(variance(order, sigma) +
                   std::max(squared_bias(order, joint, sigma), hidden_bias(order, sigma)));
}

// --- Deriver

Deriver::Deriver(double window, FitQuality seen, std::size_t smoothed_columns, Slopes slopes)
    : window_(window),
      rows_(1 + seen.joints() + smoothed_columns),
      smoothed_columns_(smoothed_columns),
      slopes_(slopes),
      quality_(std::move(seen)),
      end_variances_(quality_.joints()) {}

// Returns nothing where it needs later rows.
std::optional<RowWindow> Deriver::find_window() const {
  const std::span<const double> t = rows_.column(0);
  const double at = t[next_];
  double from = at - window_ / 2.0;
  double to = at + window_ / 2.0;
  bool is_central = true;
  if (from < t.front() && !is_begun_) {
    from = t.front();
    to = from + window_;
    is_central = false;
  }
  if (to > t.back() + tolerance * window_) {
    if (!is_ended_) return {};
    to = t.back();
    from = to - window_;
    is_central = false;
  }
  RowWindow rows = rows_within(t, from, to);
  rows.is_central = is_central;
  const bool may_want_later_rows = rows.count() < LocalFit::fewest_points && !is_ended_;
  if (may_want_later_rows && t.size() - next_ <= LocalFit::fewest_points) return {};
  return with_the_nearest(t, rows, at);
}

// Drops rows before any window of a later row.
void Deriver::forget(std::size_t begin) {
  const std::size_t kept = next_ > LocalFit::fewest_points ? next_ - LocalFit::fewest_points : 0;
  const std::size_t gone = std::min(begin, kept);
  if (gone == 0) return;
  rows_.drop_front(gone);
  next_ -= gone;
  is_begun_ = true;
}

Deriver::Outcome Deriver::take(std::span<double> qd, std::span<double> qdd,
                               const Uncertainties& uncertainties) {
  if (next_ == rows_.size()) {
    if (!is_ended_) return Outcome::not_yet;
    rows_.drop_front(rows_.size());
    next_ = 0;
    is_ended_ = is_begun_ = false;
    return Outcome::not_yet;
  }
  const std::optional<RowWindow> found = find_window();
  if (!found) return Outcome::not_yet;
  const RowWindow& window = *found;
  if (window.count() < LocalFit::fewest_points) {
    ++next_;
    return Outcome::too_few;
  }
  const bool is_end = !window.is_central, has_room = !uncertainties.qd.empty();
  const std::size_t last = is_end || has_room ? LocalFit::highest : followed;
  fit_.place(window.of(rows_.column(0)), rows_.column(0)[next_], last);
  was_central_ = window.is_central;
  smoothed_.clear();
  smoothed_rates_.clear();
  rate_variances_.clear();
  for (std::size_t j = 0; j + 1 < rows_.width(); ++j) {
    const LocalFit::Curve curve = fit_.to(window.of(rows_.column(1 + j)));
    if (smoothed_columns_ > 0) smoothed_.push_back(curve.derivative(0));
    if (j >= quality_.joints()) {
      if (slopes_ == Slopes::left) continue;
      smoothed_rates_.push_back(curve.derivative(1));
      rate_variances_.push_back(curve.slope_variance());
      continue;
    }
    const auto [velocity, acceleration] = estimates(j, curve, last);
    qd[j] = velocity.value;
    qdd[j] = acceleration.value;
    if (is_end) {
      end_variances_[j][0] += velocity.variance;
      end_variances_[j][1] += acceleration.variance;
    }
    if (has_room) {
      uncertainties.qd[j] = std::sqrt(velocity.variance);
      uncertainties.qdd[j] = std::sqrt(acceleration.variance);
    }
  }
  if (is_end) {
    ++end_rows_;
  } else {
    sample(window);
  }
  ++next_;
  if (window.is_central) forget(window.begin);
  return Outcome::derived;
}

// Equations (10.17) and (10.18). A window may show more than those before it, as in a log that begins
// at rest.
std::array<Deriver::Estimate, 2> Deriver::estimates(std::size_t joint, const LocalFit::Curve& curve,
                                                    std::size_t last) const {
  const double noise = square(quality_.noise(joint));
  std::array<Estimate, 2> found;
  for (std::size_t order = 1; order <= 2; ++order) {
    found[order - 1] = {curve.derivative(order), noise * fit_.noise_gain(order)};
  }
  for (std::size_t degree = LocalFit::degree + 1; degree <= last; ++degree) {
    const double coefficient = curve.coefficient(degree);
    const double usual = quality_.squared_derivative(degree, joint, std::sqrt(noise)) /
                         square(fit_.steepness(degree));
    const double expected = std::max(usual, square(coefficient) - noise);
    const double part = degree == followed && usual > 0.0 ? usual / (usual + noise) : 0.0;
    const double left = square(1.0 - part) * expected + square(part) * noise;
    for (std::size_t order = 1; order <= 2; ++order) {
      const double share = fit_.share(degree, order);
      found[order - 1].value += part * coefficient * share;
      found[order - 1].variance += left * square(share);
    }
  }
  return found;
}

std::optional<double> Deriver::uncertainty_at_ends(std::size_t order, std::size_t joint) const {
  if (end_rows_ == 0) return std::nullopt;
  return std::sqrt(end_variances_[joint][order - 1] / static_cast<double>(end_rows_));
}

// Adds to the quality a window now and then, so that these overlap by half.
void Deriver::sample(const RowWindow& window) {
  const auto t = window.of(rows_.column(0));
  if (t.front() < quality_.until() && until_sample_ == 0) return;
  if (until_sample_ > 0) {
    --until_sample_;
    return;
  }
  until_sample_ = t.size() / 2;
  fit_.place(t, rows_.column(0)[next_], LocalFit::highest);
  const auto q = each(in_order(quality_.joints()),
                      [&](std::size_t j) { return window.of(rows_.column(1 + j)); });
  quality_.add(fit_, t, q, true);
}

// --- choose_window

namespace {

/// Calls call(fit, rows) for windows of that width all over the samples: a fit with
/// LocalFit::highest, and its rows.
template <class Call>
void for_places(std::span<const double> t, double window, Call call) {
  constexpr double most_places = 300.0;
  LocalFit fit;
  const double half = window / 2.0;
  const bool has_middle = span_of(t) > window;
  const double from = t.front() + (has_middle ? half : span_of(t) / 2.0);
  const double to = has_middle ? t.back() - half : from;
  const double steps = std::min(most_places, std::ceil((to - from) / half));
  for (double step = 0.0; step <= steps; step += 1.0) {
    const double middle = steps == 0.0 ? from : from + (to - from) * step / steps;
    const auto next = std::lower_bound(t.begin(), t.end() - 1, middle);
    const double at = *next;
    RowWindow rows = with_the_nearest(t, rows_within(t, at - half, at + half), at);
    rows.is_central = has_middle;
    fit.place(rows.of(t), at, LocalFit::highest);
    call(fit, rows);
  }
}

/// Share of noise in the squares of slopes of fits to torques, each joint's over its noise (29.5):
/// their median, which jumps of friction do not raise.
double noise_in_slopes(std::span<const double> t,
                       const std::vector<std::span<const double>>& torques, double window) {
  std::vector<std::vector<double>> noise(torques.size()), squares(torques.size());
  for_places(t, window, [&](const LocalFit& fit, const RowWindow& rows) {
    for (std::size_t j = 0; j < torques.size(); ++j) {
      const LocalFit::Curve curve = fit.to(rows.of(torques[j]));
      noise[j].push_back(curve.slope_variance());
      squares[j].push_back(square(curve.derivative(1)));
    }
  });
  double signal = 0.0;
  for (std::size_t j = 0; j < torques.size(); ++j) {
    const double all = std::reduce(squares[j].begin(), squares[j].end());
    signal += all / static_cast<double>(squares[j].size()) /
              std::max(median_of(noise[j]), std::numeric_limits<double>::min());
  }
  return static_cast<double>(torques.size()) / signal;
}

}  // namespace

FitQuality look(std::span<const double> t, const std::vector<std::span<const double>>& q,
                double window) {
  FitQuality quality(q.size());
  for_places(t, window, [&](const LocalFit& fit, const RowWindow& rows) {
    const auto rows_of = [&](std::span<const double> column) { return rows.of(column); };
    quality.add(fit, rows.of(t), each(q, rows_of), rows.is_central);
  });
  return quality;
}

bool are_sparse(std::span<const double> t, const std::vector<std::span<const double>>& q,
                double step) {
  constexpr double rows = 32.0;                         // of a window, at least
  constexpr double windows = 150.0;                     // at most, so that each row is seen
  constexpr double growth = 3.0;                        // of noise it is 1, of motion up to 2⁵
  constexpr double tiny = 5e-5;                         // of the range
  std::vector<std::vector<double>> half(1 + q.size());  // t, q of every second row
  for (std::size_t row = 0; row < t.size(); row += 2) {
    half[0].push_back(t[row]);
    for (std::size_t j = 0; j < q.size(); ++j) half[1 + j].push_back(q[j][row]);
  }
  if (half[0].size() < LocalFit::fewest_points) return false;
  const std::vector<std::span<const double>> q_of_half(half.begin() + 1, half.end());
  const double window = std::max(rows * step, span_of(t) / windows);
  const FitQuality all = look(t, q, window), of_half = look(half[0], q_of_half, window);
  double range = 0.0;  // of the joint that moves most
  for (const std::span<const double> of_joint : q) {
    const auto [least, greatest] = std::ranges::minmax(of_joint);
    range = std::max(range, greatest - least);
  }
  return std::ranges::any_of(in_order(q.size()), [&](std::size_t j) {
    return all.noise(j) > tiny * range && of_half.noise(j) > growth * all.noise(j);
  });
}

double choose_window(std::span<const double> t, const std::vector<std::span<const double>>& q,
                     const std::vector<std::span<const double>>& torques) {
  constexpr double growth = 1.2;
  constexpr double last_bit = 1e-15;
  constexpr double hopeless = 20.0;  // times the least error: no wider window will be better
  std::vector<double> steps(t.size());
  std::adjacent_difference(t.begin(), t.end(), steps.begin());
  steps.erase(steps.begin());
  const double step = median_of(std::move(steps));
  const double shortest = 8.0 * step;
  const double longest = std::min(span_of(t) / 3.0, 1000.0 * step);
  std::vector<double> noise;
  double best = shortest;
  double least = std::numeric_limits<double>::infinity();
  for (double window = shortest; window <= longest; window *= growth) {
    const FitQuality quality = look(t, q, window);
    for (std::size_t j = noise.size(); j < q.size(); ++j) {
      noise.push_back(std::max(
          quality.noise(j),
          last_bit * std::max(std::numeric_limits<double>::min(), largest_magnitude(q[j]))));
    }
    double variance = 0.0;  // over the squared noise, and so the bias
    double bias = 0.0;
    for (std::size_t j = 0; j < q.size(); ++j) {
      variance += quality.variance(2, noise[j]) / square(noise[j]);
      bias += quality.squared_bias(2, j, noise[j]) / square(noise[j]);
    }
    if (variance + bias < least) {
      least = variance + bias;
      best = window;
    }
    // Where noise alone makes a window bad, a wider one may still be the best.
    if (bias > hopeless * least && bias > variance) break;
  }
  constexpr double most_noise = 0.05, widest = 8.0;
  for (double window = best; window <= std::min(widest * best, longest); window *= growth) {
    if (torques.empty() || noise_in_slopes(t, torques, window) <= most_noise) return window;
  }
  return best;
}

}  // namespace armdyn
