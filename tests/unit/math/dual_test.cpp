#include "math/dual.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armdyn::testing {
namespace {

TEST(Dual, CarriesTheDerivativeThroughItsWorkedExample) {
  const Dual q{2.0, 1.0};
  const Dual tau = 3.0 * sin_cos(q).cos + q * q;
  EXPECT_DOUBLE_EQ(tau.value, 3.0 * std::cos(2.0) + 4.0);
  EXPECT_DOUBLE_EQ(tau.slope, -3.0 * std::sin(2.0) + 4.0);
}

TEST(Dual, FollowsTheRulesOfDifferentiation) {
  const Dual x{0.7, 1.0};
  EXPECT_DOUBLE_EQ((x + 1.0).slope, 1.0);
  EXPECT_DOUBLE_EQ((1.0 - x).slope, -1.0);
  EXPECT_DOUBLE_EQ((-x).slope, -1.0);
  EXPECT_DOUBLE_EQ((x * x * x).slope, 3 * 0.7 * 0.7);
  EXPECT_DOUBLE_EQ((1.0 / x).slope, -1 / (0.7 * 0.7));
  EXPECT_DOUBLE_EQ((x / 2.0).slope, 0.5);
  EXPECT_DOUBLE_EQ(exp(x * x).slope, 1.4 * std::exp(0.49));
  EXPECT_DOUBLE_EQ(sin_cos(2.0 * x).sin.slope, 2 * std::cos(1.4));
}

TEST(Dual, SeedsChooseTheDirection) {
  const Dual x{2.0, 3.0}, y{5.0, -1.0};  // d/dt of x y with ẋ = 3, ẏ = −1
  EXPECT_EQ((x * y).slope, 3.0 * 5.0 - 1.0 * 2.0);
}

TEST(Dual, ComparesByValue) {
  EXPECT_TRUE((Dual{1.0, -9.0}) > 0.0);
  EXPECT_FALSE((Dual{0.0, 9.0}) > 0.0);
  EXPECT_TRUE((Dual{-1.0, 9.0}) < 0.0);
  EXPECT_FALSE((Dual{0.0, -9.0}) < 0.0);
}

}  // namespace
}  // namespace armdyn::testing
