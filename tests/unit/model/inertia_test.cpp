#include <gtest/gtest.h>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <cmath>

#include "math/rigid.hpp"

namespace armdyn {
namespace {

TEST(Inertia, AboutTheCenterOfMassIsLessByThePointMass) {
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

// The first two have a positive largest component, whichever it is.
TEST(Inertia, PrincipalAxesPointUp) {
  for (const double angle : {0.2, 0.7, 1.0, 1.4, 2.0, 2.6, 3.0, 3.8, 4.4, 5.0, 5.6}) {
    const double s = std::sin(angle), c = std::cos(angle);
    const Mat3 turns[] = {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}},
                          {{1, 0, 0}, {0, c, s}, {0, -s, c}},
                          {{c, 0, -s}, {0, 1, 0}, {s, 0, c}}};
    for (const Mat3& turn : turns) {
      const auto [moments, axes] = principal_inertia(rotated(transposed(turn), SymMat3{1, 2, 2.5}));
      expect_near(moments, {1, 2, 2.5});
      for (const Vec3& axis : {axes.row_x, axes.row_y}) {
        EXPECT_GT(std::max({axis.x, axis.y, axis.z}), -std::min({axis.x, axis.y, axis.z}) + 1e-3)
            << angle;
      }
    }
  }
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
  EXPECT_TRUE(is_physically_consistent({1.0, {5, 0, 0}, {1, 1, 1}}));
  EXPECT_TRUE(is_physically_consistent({1.0, {}, {0, 1, 1}}));          // a rod
  EXPECT_TRUE(is_physically_consistent({1.0, {}, {1, 1, 2 + 1e-10}}));  // rounded
  EXPECT_TRUE(is_physically_consistent({}));                            // nothing
  EXPECT_FALSE(is_physically_consistent({1.0, {}, {1, 1, 2.001}}));
  EXPECT_FALSE(is_physically_consistent({1.0, {}, {-1, 1, 1}}));
  EXPECT_FALSE(is_physically_consistent({-1.0, {}, {1, 1, 1}}));
  EXPECT_FALSE(is_physically_consistent({0.0, {}, {1, 1, 1}}));
}

/// ∫ (rᵀr E − r rᵗ) ρ dV of paper 000 over cells of 1/80 of a body's size; by the midpoint rule each
/// cell lacks the moments of a box of its own size, 1/80² of the body's, and a curved edge more.
template <class IsInside>
SymMat3 integrated(double mass, const Vec3& edges, IsInside is_inside) {
  constexpr int cells = 80;
  SymMat3 sum;
  int count = 0;
  const auto middle = [](int i, double edge) { return edge * ((i + 0.5) / cells - 0.5); };
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) {
        const Vec3 r{middle(i, edges.x), middle(j, edges.y), middle(k, edges.z)};
        if (!is_inside(r)) continue;
        sum = sum + point_inertia(1.0, r);
        ++count;
      }
    }
  }
  const double share = mass / count;
  return {share * sum.xx, share * sum.yy, share * sum.zz,
          share * sum.xy, share * sum.yz, share * sum.xz};
}

void expect_near(const SymMat3& found, const SymMat3& expected, double tolerance) {
  const double size = tolerance * (expected.xx + expected.yy + expected.zz);
  EXPECT_NEAR(found.xx, expected.xx, size);
  EXPECT_NEAR(found.yy, expected.yy, size);
  EXPECT_NEAR(found.zz, expected.zz, size);
  EXPECT_NEAR(found.xy, expected.xy, size);
  EXPECT_NEAR(found.yz, expected.yz, size);
  EXPECT_NEAR(found.xz, expected.xz, size);
}

TEST(Inertia, OfUniformBodiesIsThatOfTheirIntegrals) {
  const double m = 2.7;
  const Vec3 box{0.4, 0.3, 0.1};
  expect_near(integrated(m, box, [](const Vec3&) { return true; }), box_inertia(m, box), 2e-4);
  const double r = 0.2, l = 0.7;
  expect_near(integrated(m, {2 * r, 2 * r, l},
                         [&](const Vec3& p) { return p.x * p.x + p.y * p.y < r * r; }),
              cylinder_inertia(m, r, l), 2e-3);
  expect_near(
      integrated(m, {2 * r, 2 * r, 2 * r}, [&](const Vec3& p) { return dot(p, p) < r * r; }),
      sphere_inertia(m, r), 2e-3);
  expect_near(box_inertia(m, {0, 0, l}), cylinder_inertia(m, 0.0, l), 1e-15);  // a rod
}

/// The example of Craig's chapter, paper 000's source: a box with edges w, l, h along x, y, z about
/// its corner has m/3 (l² + h²) on the diagonal and −m/4 w l beside it.
TEST(Inertia, OfABoxAboutItsCornerIsTheBooks) {
  const double m = 3.0, w = 0.2, l = 0.5, h = 0.3;
  const MassProperties body{m, {w / 2, l / 2, h / 2}, box_inertia(m, {w, l, h})};
  expect_near(inertia_in({}, body),
              {m / 3 * (l * l + h * h), m / 3 * (w * w + h * h), m / 3 * (l * l + w * w),
               -m / 4 * w * l, -m / 4 * h * l, -m / 4 * h * w},
              1e-15);
  // About an edge, along z through the origin; and the diagonal of the box, through its middle.
  EXPECT_NEAR(moment_about({}, {0, 0, 2}, body), m / 3 * (l * l + w * w), 1e-16);
  for (const double size : {5e-324, 1e-170, 1e200}) {
    EXPECT_NEAR(moment_about({}, {0, 0, size}, body), m / 3 * (l * l + w * w), 1e-16) << size;
  }
  EXPECT_NEAR(moment_about({}, {w, l, h}, body),
              m / 6 * (w * w * l * l + l * l * h * h + w * w * h * h) / (w * w + l * l + h * h),
              1e-16);
  // About another corner, with x where y was: the same box with l and w exchanged.
  const Transform turned{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, {w, 0, 0}};
  expect_near(inertia_in(turned, body),
              {m / 3 * (w * w + h * h), m / 3 * (l * l + h * h), m / 3 * (l * l + w * w),
               -m / 4 * w * l, -m / 4 * h * w, -m / 4 * h * l},
              1e-15);
}

}  // namespace
}  // namespace armdyn
