#include "math/statistics.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/math/distributions/normal.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <set>

namespace armdyn {
namespace {

using Digits = boost::multiprecision::cpp_bin_float_50;

double relative_error(double found, const Digits& truth) {
  return std::abs(static_cast<double>((Digits(found) - truth) / truth));
}

// The known answers that Random123 publishes (kat_vectors, philox4x32 10).
TEST(Variates, StandOnPhiloxWithItsPublishedVectors) {
  using Four = std::array<std::uint32_t, 4>;
  struct Known {
    Four counter;
    std::array<std::uint32_t, 2> key;
    Four found;
  };
  const Known known[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                         {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                          {0xffffffff, 0xffffffff},
                          {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                         {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                          {0xa4093822, 0x299f31d0},
                          {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const auto& [counter, key, expected] : known) {
    const r123::Philox4x32::ctr_type words =
        r123::Philox4x32()({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(words[i], expected[i]);
  }
  // Of the first vector, 52 bits of its first two words and of its last two.
  EXPECT_EQ(uniform_variate(0, 0, 0), (0xe169c58d6627ep0 + 0.5) * 0x1p-52);
  EXPECT_EQ(uniform_variate(0, 0, 1), (0x9b00dbd8bc57ap0 + 0.5) * 0x1p-52);
}

TEST(Variates, DifferByPlaceSampleAndSeed) {
  std::set<double> seen;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40U}) {
    for (const std::uint64_t sample :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40U}) {
      for (std::uint32_t place = 0; place < 100; ++place) {
        seen.insert(uniform_variate(seed, sample, place));
      }
    }
  }
  EXPECT_EQ(seen.size(), 900U);
  EXPECT_GT(*seen.begin(), 0.0);
  EXPECT_LT(*seen.rbegin(), 1.0);
}

TEST(Variates, LogarithmIsRightInItsDigits) {
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    EXPECT_LT(relative_error(natural_logarithm(x), log(Digits(x))), 4e-16) << x;
  }
  for (double x = 0.9; x < 1.1; x += 0.00037) {
    EXPECT_LT(relative_error(natural_logarithm(x), log(Digits(x))), 4e-16) << x;
  }
  EXPECT_EQ(natural_logarithm(1.0), 0.0);
}

TEST(Variates, NormalQuantileIsRightInItsDigits) {
  const boost::math::normal_distribution<Digits> normal;
  for (int k = 1; k < 400; ++k) {
    const double p = k / 400.0;
    if (p == 0.5) continue;
    EXPECT_LT(relative_error(normal_quantile(p), quantile(normal, Digits(p))), 1e-15) << p;
  }
  for (double p = 0.01; p > 1e-10; p /= 3) {
    EXPECT_LT(relative_error(normal_quantile(p), quantile(normal, Digits(p))), 1e-15) << p;
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

TEST(Variates, CutNormalHasTheDistributionOfOne) {
  const boost::math::normal_distribution<> normal;
  const double below = cdf(normal, -3.0);
  for (int k = 1; k < 100; ++k) {
    const double u = k / 100.0, x = cut_normal(u);
    EXPECT_NEAR((cdf(normal, 3 * x) - below) / (1 - 2 * below), u, 1e-15);
  }
  EXPECT_LT(cut_normal(1 - 0x1p-53), 1.0);
  EXPECT_GT(cut_normal(0x1p-53), -1.0);
}

}  // namespace
}  // namespace armdyn
