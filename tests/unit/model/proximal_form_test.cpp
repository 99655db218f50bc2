// An arm's constants read with 50 digits: what the doubles of `normalize` have lost.

#include "model/proximal_form.hpp"

#include <gtest/gtest.h>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/digits50.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

/// The largest error of the doubles held against 50 digits, over the size of what they are.
class Rounding {
 public:
  void add(double found, const Digits50& exact, double size) {
    const double error = (Digits50(found) - exact).number().convert_to<double>();
    largest_ = std::max(largest_, std::abs(error) / size);
  }
  void add(const Vec3& found, const Vec<Digits50>& exact, double size) {
    add(found.x, exact.x, size);
    add(found.y, exact.y, size);
    add(found.z, exact.z, size);
  }
  void add(const Transform& found, const Frame<Digits50>& exact, double length) {
    add(found.R.row_x, exact.R.row_x, 1.0);
    add(found.R.row_y, exact.R.row_y, 1.0);
    add(found.R.row_z, exact.R.row_z, 1.0);
    add(found.p, exact.p, length);
  }
  void add(const SymMat3& found, const SymMat<Digits50>& exact, double size) {
    add(Vec3{found.xx, found.yy, found.zz}, {exact.xx, exact.yy, exact.zz}, size);
    add(Vec3{found.xy, found.yz, found.xz}, {exact.xy, exact.yz, exact.xz}, size);
  }
  [[nodiscard]] double largest() const { return largest_; }

 private:
  double largest_ = 0.0;
};

// An entry of three rotations' product has 6 factors with errors of one rounding each, 4 products
// and 4 sums, and the sum of its terms' magnitudes is below 2: 28 roundings of half an epsilon. A
// tensor is turned by two such matrices, and moved twice by a square of lengths.
constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();

TEST(ProximalForm, InDoublesIsThatOfFiftyDigitsToRounding) {
  double largest = 0.0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Robot robot = RandomArm(seed).robot(4);
    const Arm arm = normalize(robot);
    const ArmOf<Digits50> exact = proximal_form<Digits50>(robot);
    const double length = 2.0;          // m: of a link, the tool and a body's center together
    const double inertia = 15.0 * 4.0;  // kg·m²: the largest body's and payload's, so far away
    Rounding rounding;
    rounding.add(arm.base, exact.base, length);
    rounding.add(arm.tool, exact.tool, length);
    rounding.add(arm.v_dot_0, exact.v_dot_0, 9.81);
    for (std::size_t i = 0; i < arm.dof(); ++i) {
      const Link& link = arm.links[i];
      const LinkOf<Digits50>& x = exact.links[i];
      rounding.add(link.a, x.a, length);
      rounding.add(link.d, x.d, length);
      rounding.add(link.cos_alpha, x.cos_alpha, 1.0);
      rounding.add(link.sin_alpha, x.sin_alpha, 1.0);
      rounding.add(link.cos_theta, x.cos_theta, 1.0);
      rounding.add(link.sin_theta, x.sin_theta, 1.0);
      rounding.add(link.body.mass, x.body.mass, link.body.mass);
      rounding.add(link.body.com, x.body.com, length);
      rounding.add(link.body.inertia, x.body.inertia, inertia);
      rounding.add(arm.user_frame[i], exact.user_frame[i], length);
    }
    EXPECT_LE(rounding.largest(), roundings) << "seed " << seed;
    largest = std::max(largest, rounding.largest());
  }
  EXPECT_GT(largest, 0.0);  // the 50 digits are no doubles
}

TEST(ProximalForm, IsExactAtRightAnglesWithAnyScalar) {
  Robot robot;
  robot.joints.resize(1);
  robot.joints[0].dh.alpha = 1.5707963267948966;  // π/2 as a double, which is below π/2
  const ArmOf<Digits50> exact = proximal_form<Digits50>(robot);
  EXPECT_EQ(exact.tool.R.row_y.y.number(), 0);
  EXPECT_EQ(exact.tool.R.row_z.y.number(), 1);
}

}  // namespace
}  // namespace armdyn::testing
