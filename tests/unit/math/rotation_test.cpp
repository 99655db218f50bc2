#include "math/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/rigid.hpp"

namespace armdyn {
namespace {

double largest_difference(const Mat3& A, const Mat3& B) {
  double largest = 0.0;
  for (const Vec3& d : {A.row_x - B.row_x, A.row_y - B.row_y, A.row_z - B.row_z}) {
    for (const double entry : {d.x, d.y, d.z}) largest = std::max(largest, std::abs(entry));
  }
  return largest;
}

TEST(Rotation, AboutAnAxisOfTheFrameIsTheFamiliarMatrix) {
  const double s = std::sin(0.3), c = std::cos(0.3);
  EXPECT_LT(largest_difference(rotation_about({0, 0, 0.3}), {{c, -s, 0}, {s, c, 0}, {0, 0, 1}}),
            1e-16);
  EXPECT_LT(largest_difference(rotation_about({0.3, 0, 0}), {{1, 0, 0}, {0, c, -s}, {0, s, c}}),
            1e-16);
  EXPECT_EQ(rotation_about({}), Mat3{});
}

TEST(Rotation, AndItsVectorAreInverse) {
  const Vec3 axis = (1.0 / std::sqrt(0.09 + 0.25 + 0.04)) * Vec3{0.3, -0.5, 0.2};
  for (const double angle :
       {1e-20, 1e-9, 1e-3, 0.7, 1.5, 2.0, 2.09, 2.1, 3.0, 3.1415, 3.14159265, std::numbers::pi}) {
    for (const Vec3& phi : {angle * axis, -angle * axis, angle * Vec3{0, 1, 0}}) {
      const Vec3 found = rotation_vector(rotation_about(phi));
      EXPECT_LT(largest_difference(rotation_about(found), rotation_about(phi)), 1e-15) << angle;
      if (angle == std::numbers::pi) continue;  // half a turn either way is the same
      const Vec3 off = found - phi;
      EXPECT_LT(std::sqrt(dot(off, off)), 1e-15 + 4e-16 * angle) << angle;
    }
  }
}

TEST(Rotation, OfRightAnglesHasExactVectors) {
  EXPECT_EQ(rotation_vector({{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}),
            (Vec3{0, 0, std::numbers::pi / 2}));
  EXPECT_EQ(rotation_vector({{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}), (Vec3{std::numbers::pi, 0, 0}));
  EXPECT_EQ(rotation_vector(Mat3{}), Vec3{});
}

TEST(Rotation, AngleOfATurnIsThatOfItsSineAndCosine) {
  for (int k = -314; k <= 314; ++k) {
    const double angle = k / 100.0;
    for (const double length : {1e-9, 1.0, 1e9}) {
      EXPECT_NEAR(angle_of_turn(length * std::sin(angle), length * std::cos(angle)), angle,
                  4e-16 * 4);
    }
  }
  EXPECT_EQ(angle_of_turn(0.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(angle_of_turn(1e-12, 1.0), 1e-12);
  EXPECT_EQ(nearly_right(1.5708, 1e-5), std::numbers::pi / 2);
  EXPECT_EQ(nearly_right(1.5708, 1e-6), 1.5708);
}

}  // namespace
}  // namespace armdyn
