#include "motion/friction_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armdyn {
namespace {

TEST(FrictionFit, FindsWhatWasPutIn) {
  FrictionFit fit;
  for (int k = 0; k < 1000; ++k) {
    const double qd = 2.0 * std::sin(0.01 * k);
    const double direction = qd > 0.0 ? 1.0 : qd < 0.0 ? -1.0 : 0.0;
    fit.add(qd, 0.3 + 1.5 * direction + 0.7 * qd);
  }
  const auto found = fit.solve();
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->offset, 0.3, 1e-12);
  EXPECT_NEAR(found->coulomb, 1.5, 1e-12);
  EXPECT_NEAR(found->viscous, 0.7, 1e-12);
  EXPECT_NEAR(found->rms_left, 0.0, 1e-6);
}

TEST(FrictionFit, SaysNothingWhereTheMotionCannotTell) {
  FrictionFit one_direction, one_speed, rest;
  for (int k = 0; k < 100; ++k) {
    one_direction.add(1.0 + 0.01 * k, 2.0);
    one_speed.add(k % 2 == 0 ? 0.5 : -0.5, 2.0);
    rest.add(0.0, 2.0);
  }
  EXPECT_FALSE(one_direction.solve());
  EXPECT_FALSE(one_speed.solve());
  EXPECT_FALSE(rest.solve());
  EXPECT_FALSE(FrictionFit().solve());
}

TEST(Correlation, IsThatOfPearson) {
  Correlation same, opposite, none, constant;
  for (int k = 0; k < 100; ++k) {
    const double x = 1e6 + k;
    same.add(x, 3.0 * x);
    opposite.add(x, -x);
    none.add(std::sin(k * 2 * 3.14159265358979 / 100), std::cos(k * 2 * 3.14159265358979 / 100));
    constant.add(x, 1.0);
  }
  EXPECT_NEAR(*same.value(), 1.0, 1e-12);
  EXPECT_NEAR(*opposite.value(), -1.0, 1e-12);
  EXPECT_NEAR(*none.value(), 0.0, 1e-12);
  EXPECT_FALSE(constant.value());
}

}  // namespace
}  // namespace armdyn
