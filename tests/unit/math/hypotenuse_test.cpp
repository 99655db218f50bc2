#include "math/hypotenuse.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "math/digits50.hpp"

namespace armdyn {
namespace {

TEST(Hypotenuse, IsWithinAnUlpOfFiftyDigits) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-2.0, 2.0);
  std::uniform_int_distribution<int> exponent(-30, 30);
  for (int k = 0; k < 5000; ++k) {
    const double x = mantissa(random), y = std::ldexp(mantissa(random), exponent(random));
    const double found = hypotenuse(x, y);
    const auto square = [](double value) { return Digits50(value) * Digits50(value); };
    const double ulp = std::nextafter(found, std::numeric_limits<double>::infinity()) - found;
    const Digits50 excess = square(found) - square(x) - square(y);
    EXPECT_LE(std::abs(excess.number().convert_to<double>()), 2.0 * found * ulp) << x << ", " << y;
  }
}

TEST(Hypotenuse, IsExactWhereItIsANumberAndBeyondWhatSquaresHold) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double scale : {1.0, 0x1p-30, 0x1p600, 0x1p-600, 0x1p1000, 0x1p-1000}) {
    EXPECT_EQ(hypotenuse(3.0 * scale, -4.0 * scale), 5.0 * scale);
    EXPECT_EQ(hypotenuse(-12.0 * scale, 5.0 * scale), 13.0 * scale);
    EXPECT_EQ(hypotenuse(0.0, -scale), scale);
  }
  EXPECT_EQ(hypotenuse(0.0, -0.0), 0.0);
  EXPECT_EQ(hypotenuse(-infinity, 1.0), infinity);
  EXPECT_TRUE(std::isnan(hypotenuse(1.0, NAN)));
  EXPECT_TRUE(std::isnan(hypotenuse(NAN, 1.0)));
  EXPECT_EQ(hypotenuse(NAN, -infinity), infinity);
  EXPECT_EQ(hypotenuse(infinity, infinity), infinity);
  EXPECT_EQ(hypotenuse(0x1.8p1023, 0x1.8p1023), infinity);
  constexpr double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(hypotenuse(3.0 * least, 4.0 * least), 5.0 * least);
}

// Of numbers by integers alone, so that they are the same everywhere, too.
TEST(Hypotenuse, HasTheSameBitsOnEveryMachine) {
  std::uint64_t state = 1, digest = 0;
  const auto next = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (int k = 0; k < 10000; ++k) {
    const double x = next(), y = next();
    const double found = hypotenuse(x, y);
    digest = digest * 1099511628211U + std::bit_cast<std::uint64_t>(found);
    for (const double scale : {0x1p700, 0x1p-700}) {
      ASSERT_EQ(hypotenuse(x * scale, y * scale), found * scale) << x << ", " << y;
    }
  }
  EXPECT_EQ(digest, 8987522840302936999U);
}

}  // namespace
}  // namespace armdyn
