#include <gtest/gtest.h>
#include <armdyn/inertia.hpp>

#include <cmath>

#include "math/rigid.hpp"

namespace armdyn {
namespace {

TEST(Inertia, AboutTheCentreOfMassIsLessByThePointMass) {
  // 2 kg at (1, 2, 3): 2·(4+9), 2·(1+9), 2·(1+4) on the diagonal, −2·1·2 and so on beside it.
  EXPECT_EQ(about_com({27, 23, 14, -3, -11, -5}, 2.0, {1, 2, 3}), (SymMat3{1, 3, 4, 1, 1, 1}));
}

TEST(Inertia, PrincipalMomentsAreInOrder) {
  const Vec3 moments = principal_moments({3, 1, 2, 0, 0, 0});
  EXPECT_DOUBLE_EQ(moments.x, 1.0);
  EXPECT_DOUBLE_EQ(moments.y, 2.0);
  EXPECT_DOUBLE_EQ(moments.z, 3.0);
}

TEST(Inertia, AboutTheOriginIsMoreByThePointMass) {
  EXPECT_EQ(about_origin({2.0, {1, 2, 3}, {1, 3, 4, 1, 1, 1}}), (SymMat3{27, 23, 14, -3, -11, -5}));
}

void expect_near(const Vec3& found, const Vec3& expected) {
  EXPECT_NEAR(found.x, expected.x, 1e-14);
  EXPECT_NEAR(found.y, expected.y, 1e-14);
  EXPECT_NEAR(found.z, expected.z, 1e-14);
}

TEST(Inertia, PrincipalAxesTurnTheTensorIntoItsMoments) {
  const SymMat3 tensor{3, 1.5, 2, -0.4, 0.3, 0.2};
  const auto [moments, axes] = principal_inertia(tensor);
  const SymMat3 turned = rotated(axes, tensor);
  expect_near({turned.xx, turned.yy, turned.zz}, moments);
  expect_near({turned.xy, turned.yz, turned.xz}, {0, 0, 0});
  expect_near(cross(axes.row_x, axes.row_y), axes.row_z);
}

TEST(Inertia, PrincipalAxesOfADiagonalTensorAreTheFrames) {
  const auto [moments, axes] = principal_inertia({3, 1, 2});
  expect_near(moments, {1, 2, 3});
  expect_near(axes.row_x, {0, 1, 0});
  expect_near(axes.row_y, {0, 0, 1});
  expect_near(axes.row_z, {1, 0, 0});
}

/// A uniform box of that mass with edges along its axes.
SymMat3 box(double mass, const Vec3& edge) {
  const double x = edge.x * edge.x, y = edge.y * edge.y, z = edge.z * edge.z;
  return {mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12};
}

TEST(Inertia, ABoxIsItsOwnEquivalent) {
  expect_near(equivalent_box({3.0, {}, box(3.0, {0.1, 0.5, 0.2})}), {0.5, 0.2, 0.1});
}

TEST(Inertia, RodsAndPointsAreBoxesWithoutWidth) {
  expect_near(equivalent_box({3.0, {}, box(3.0, {0.0, 0.7, 0.0})}), {0.7, 0, 0});
  expect_near(equivalent_box({3.0, {}, {}}), {0, 0, 0});
}

TEST(Inertia, SecondMomentsAreLargestAlongTheAxisOfTheSmallestMoment) {
  expect_near(second_moments({1, 2, 2.5}), {1.75, 0.75, 0.25});
}

TEST(Inertia, ABodyIsPossibleIfItHasMassAndNoNegativeSecondMoment) {
  EXPECT_TRUE(is_possible({1.0, {5, 0, 0}, {1, 1, 1}}));
  EXPECT_TRUE(is_possible({1.0, {}, {0, 1, 1}}));          // a rod
  EXPECT_TRUE(is_possible({1.0, {}, {1, 1, 2 + 1e-10}}));  // rounded
  EXPECT_TRUE(is_possible({}));                            // nothing
  EXPECT_FALSE(is_possible({1.0, {}, {1, 1, 2.001}}));
  EXPECT_FALSE(is_possible({1.0, {}, {-1, 1, 1}}));
  EXPECT_FALSE(is_possible({-1.0, {}, {1, 1, 1}}));
  EXPECT_FALSE(is_possible({0.0, {}, {1, 1, 1}}));
}

}  // namespace
}  // namespace armdyn
