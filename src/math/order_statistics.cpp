#include "math/order_statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace armdyn {

namespace {

using Binomial = boost::math::binomial_distribution<double>;
constexpr double tail = 0.025;  // on each side of 95 %

/// The least k of 0..n with P(X ≤ k) above the threshold.
std::uint64_t first_above(const Binomial& x, std::uint64_t n, double threshold) {
  std::uint64_t low = 0, high = n;
  while (low < high) {
    const std::uint64_t k = low + (high - low) / 2;
    if (cdf(x, static_cast<double>(k)) > threshold) {
      high = k;
    } else {
      low = k + 1;
    }
  }
  return low;
}

}  // namespace

QuantileRanks quantile_ranks(std::uint64_t n, double p) {
  const auto samples = static_cast<double>(n);
  const Binomial below(samples, p);  // samples below the quantile
  QuantileRanks ranks;
  ranks.estimate = static_cast<std::uint64_t>(std::clamp(std::ceil(samples * p), 1.0, samples));
  const std::uint64_t lower = first_above(below, n, tail);  // P(X < lower) ≤ tail
  const std::uint64_t upper = first_above(below, n, 1 - tail) + 1;
  if (lower >= 1) ranks.lower = lower;
  if (upper <= n) ranks.upper = upper;
  return ranks;
}

std::pair<double, double> share_interval(std::uint64_t count, std::uint64_t n) {
  const auto trials = static_cast<double>(n), successes = static_cast<double>(count);
  return {count == 0 ? 0.0 : Binomial::find_lower_bound_on_p(trials, successes, tail),
          count == n ? 1.0 : Binomial::find_upper_bound_on_p(trials, successes, tail)};
}

}  // namespace armdyn
