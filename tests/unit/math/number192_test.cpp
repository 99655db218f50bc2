// Beside Digits50, on random numbers of all sizes, among them pairs that nearly cancel.

#include "math/number192.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace armdyn {
namespace {

using Boost50 = Digits50::Number;

/// Distance from the number that it should be, relative to `size`.
double distance_of(const Number192& found, const Digits50& expected, const Boost50& size) {
  const Boost50 off = abs(Boost50(found.digits50().number() - expected.number()));
  return off == 0 ? 0.0 : Boost50(off / size).convert_to<double>();
}

constexpr double of_168_bits = 0x1p-166;

TEST(Number192, AddsAndMultipliesAsDigits50) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> fraction(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-200, 200);
  for (int round = 0; round < 20'000; ++round) {
    const auto number = [&] {
      return Digits50(std::ldexp(fraction(random), round % 2 == 0 ? exponent(random) : 0)) +
             Digits50(std::ldexp(fraction(random), -60)) +
             Digits50(std::ldexp(fraction(random), -exponent(random)));
    };
    const Digits50 a = number();
    // Every third differs from −a by a few of its last bits, up to half of it.
    const Digits50 b =
        round % 3 == 0 ? -a + std::ldexp(fraction(random), -(round % 160)) * a : number();
    const Number192 x(a), y(b);
    const Boost50 larger = std::max(Boost50(abs(a.number())), Boost50(abs(b.number())));
    ASSERT_LE(distance_of(x + y, a + b, larger), of_168_bits) << round;
    ASSERT_LE(distance_of(x - y, a - b, larger), of_168_bits) << round;
    ASSERT_LE(distance_of(x * y, a * b, Boost50(abs((a * b).number()))), of_168_bits) << round;
    ASSERT_EQ(x.nearest(), a.number().convert_to<double>()) << round;
  }
}

TEST(Number192, CancelsExactly) {
  const Number192 x(1.0), y(0x1p-150), z(0x1p-180);
  EXPECT_EQ(((x + y) - x).nearest(), 0x1p-150);
  EXPECT_EQ(((x + z) - x).nearest(), 0x1p-180);
  EXPECT_EQ(((x - y) - x).nearest(), -0x1p-150);
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_EQ((x + Number192(0x1p-300)).nearest(), 1.0);
  EXPECT_EQ((x + Number192()).nearest(), 1.0);
  EXPECT_EQ((Number192() - x).nearest(), -1.0);
  EXPECT_TRUE((x * Number192()).is_zero());
}

TEST(Number192, IsRoundedToTheNearestDouble) {
  const Number192 tie = Number192(1.0) + Number192(0x1p-53);
  EXPECT_EQ(tie.nearest(), 1.0);
  EXPECT_EQ((tie + Number192(0x1p-170)).nearest(), 1.0 + 0x1p-52);
  EXPECT_EQ((tie - Number192(0x1p-170)).nearest(), 1.0);
  const double most = std::numeric_limits<double>::max(),
               least = std::numeric_limits<double>::denorm_min();
  for (const double x : {most, -most, least, 3 * least, 1e-310, -0.1}) {
    EXPECT_EQ(Number192(x).nearest(), x);
    EXPECT_EQ(Number192(x).digits50().number().convert_to<double>(), x);
  }
  EXPECT_EQ((Number192(most) + Number192(most)).nearest(), std::numeric_limits<double>::infinity());
}

TEST(Number192, HasTheSinesOfDigits50) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(-20.0, 20.0);
  for (int round = 0; round < 500; ++round) {
    const double x = round % 5 == 0 ? 1e6 * angle(random) : angle(random);
    const auto [s, c] = sin_cos(Number192(x));
    const auto [s50, c50] = sin_cos(Digits50(x));
    ASSERT_LE(distance_of(s, s50, 1), 1e-47 * (1.0 + std::abs(x))) << x;
    ASSERT_LE(distance_of(c, c50, 1), 1e-47 * (1.0 + std::abs(x))) << x;
  }
  EXPECT_TRUE(sin_cos(Number192()).sin.is_zero());
  EXPECT_EQ(sin_cos(Number192(1e300)).sin.nearest(),
            sin_cos(Digits50(1e300)).sin.number().convert_to<double>());
}

TEST(Number192, IsNoNumberAfterWhatIsNotFinite) {
  const Number192 bad(std::numeric_limits<double>::infinity()), good(2.0);
  for (const Number192& x : {bad, bad + good, good - bad, bad * good, sin_cos(bad).cos}) {
    EXPECT_TRUE(std::isnan(x.nearest()));
  }
}

}  // namespace
}  // namespace armdyn
