#include "math/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armdyn {
namespace {

/// P(lower ≤ X < upper) of a binomial X, summed up term by term.
double coverage(std::uint64_t n, double p, std::uint64_t lower, std::uint64_t upper) {
  const auto all = static_cast<double>(n);
  double sum = 0.0;
  for (std::uint64_t k = lower; k < upper; ++k) {
    const auto x = static_cast<double>(k);
    sum += std::exp(std::lgamma(all + 1) - std::lgamma(x + 1) - std::lgamma(all - x + 1) +
                    x * std::log(p) + (all - x) * std::log1p(-p));
  }
  return sum;
}

TEST(OrderStatistics, RanksCoverTheQuantileWith95PercentAndNoFewerDo) {
  for (const std::uint64_t n : {100U, 1000U, 7777U}) {
    for (const double p : {0.5, 0.95, 0.9}) {
      const QuantileRanks ranks = quantile_ranks(n, p);
      ASSERT_TRUE(ranks.lower && ranks.upper) << n << " " << p;
      EXPECT_LE(*ranks.lower, ranks.estimate);
      EXPECT_GE(*ranks.upper, ranks.estimate);
      EXPECT_GE(coverage(n, p, *ranks.lower, *ranks.upper), 0.95);
      EXPECT_GT(coverage(n, p, 0, *ranks.lower + 1), 0.025);
      EXPECT_LT(coverage(n, p, 0, *ranks.upper - 1), 0.975);
    }
  }
}

TEST(OrderStatistics, TooFewSamplesBoundNoQuantile) {
  EXPECT_FALSE(quantile_ranks(50, 0.99).upper);
  EXPECT_TRUE(quantile_ranks(50, 0.99).lower);
  EXPECT_FALSE(quantile_ranks(1, 0.5).lower);
  EXPECT_FALSE(quantile_ranks(1, 0.5).upper);
  EXPECT_EQ(quantile_ranks(1, 0.5).estimate, 1U);
  // The median of six lies between the first and the last with 1 − 2/64.
  EXPECT_EQ(quantile_ranks(6, 0.5).lower, 1U);
  EXPECT_EQ(quantile_ranks(6, 0.5).upper, 6U);
}

TEST(OrderStatistics, ShareHasTheIntervalOfClopperAndPearson) {
  const auto [lower, upper] = share_interval(10, 100);  // as tables have it
  EXPECT_NEAR(lower, 0.0490, 5e-5);
  EXPECT_NEAR(upper, 0.1762, 5e-5);
  EXPECT_EQ(share_interval(0, 30).first, 0.0);
  EXPECT_NEAR(share_interval(0, 30).second, 1 - std::pow(0.025, 1.0 / 30), 1e-12);
  EXPECT_EQ(share_interval(30, 30).second, 1.0);
}

}  // namespace
}  // namespace armdyn
