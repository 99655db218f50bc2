#include "math/statistics.hpp"

#include <Random123/philox.h>
#include <boost/math/distributions/binomial.hpp>

#include <numbers>

namespace armdyn {

namespace {

std::uint32_t low(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits);
}
std::uint32_t high(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits >> 32U);
}

/// The coefficients from the constant on.
double polynomial(std::span<const double> coefficients, double x) {
  double value = 0.0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) value = value * x + *c;
  return value;
}

// AS 241, PPND16: the middle, and the tails from 0.075 to 1e-11.
constexpr std::array middle_over{3.3871328727963666080e0,  1.3314166789178437745e+2,
                                 1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                 3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr std::array middle_under{1.0,
                                  4.2313330701600911252e+1,
                                  6.8718700749205790830e+2,
                                  5.3941960214247511077e+3,
                                  2.1213794301586595867e+4,
                                  3.9307895800092710610e+4,
                                  2.8729085735721942674e+4,
                                  5.2264952788528545610e+3};
constexpr std::array tail_over{1.42343711074968357734e0,  4.63033784615654529590e0,
                               5.76949722146069140550e0,  3.64784832476320460504e0,
                               1.27045825245236838258e0,  2.41780725177450611770e-1,
                               2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr std::array tail_under{1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};

}  // namespace

double uniform_variate(std::uint64_t seed, std::uint64_t sample, std::uint32_t place) {
  r123::Philox4x32 philox;
  const r123::Philox4x32::ctr_type bits =
      philox({{low(sample), high(sample), place / 2, 0}}, {{low(seed), high(seed)}});
  const std::size_t half = 2 * (place % 2);
  const std::uint64_t word = (std::uint64_t{bits[half + 1]} << 32U) | bits[half];
  return (static_cast<double>(word >> 12U) + 0.5) * 0x1p-52;  // (24.1)
}

double natural_logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  double series = 0.0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 1.0 / k) * (s * s);
  constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
  return exponent * ln2_high + (exponent * ln2_low + 2 * s * (1 + series));
}

double normal_quantile(double p) {
  constexpr double half_width = 0.425;
  const double q = p - 0.5;
  if (std::abs(q) <= half_width) {
    const double r = half_width * half_width - q * q;
    return q * polynomial(middle_over, r) / polynomial(middle_under, r);
  }
  const double r = std::sqrt(-natural_logarithm(q < 0 ? p : 1 - p)) - 1.6;
  const double x = polynomial(tail_over, r) / polynomial(tail_under, r);
  return q < 0 ? -x : x;
}

double cut_normal(double u) {
  constexpr double below = 0.0013498980316300945;  // Φ(−3)
  return normal_quantile(below + u * (1 - 2 * below)) / 3;
}

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
