#include "math/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace armdyn {
namespace {

using std::numbers::pi;

TEST(ConstantAngle, IsExactAtMultiplesOfARightAngleHoweverTheyWereRounded) {
  for (int k = -8; k <= 8; ++k) {
    const double sines[] = {0, 1, 0, -1};
    const double cosines[] = {1, 0, -1, 0};
    const auto turn = static_cast<std::size_t>(((k % 4) + 4) % 4);
    for (const double angle : {k * (pi / 2), k * pi / 2, (k * 90.0) / 180.0 * pi,
                               static_cast<double>(k * (std::numbers::pi_v<long double> / 2))}) {
      EXPECT_EQ(constant_angle(angle).sin, sines[turn]) << k;
      EXPECT_EQ(constant_angle(angle).cos, cosines[turn]) << k;
    }
  }
}

TEST(ConstantAngle, TakesRoundedTextAtItsWord) {
  EXPECT_EQ(constant_angle(1.5708).cos, sin_cos(1.5708).cos);
  EXPECT_NE(constant_angle(1.5708).cos, 0.0);
  EXPECT_NE(constant_angle(1.570796326).cos, 0.0);
  EXPECT_NE(constant_angle(1e-300).sin, 0.0);
}

TEST(ConstantAngle, IsTheOrdinarySineElsewhere) {
  for (const double angle : {0.1, -0.7, 1.0, 2.5, -3.0, 100.0}) {
    EXPECT_EQ(constant_angle(angle).sin, sin_cos(angle).sin);
    EXPECT_EQ(constant_angle(angle).cos, sin_cos(angle).cos);
  }
}

}  // namespace
}  // namespace armdyn
