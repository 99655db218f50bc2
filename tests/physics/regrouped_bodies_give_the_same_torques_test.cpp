// Regrouped bodies have fewer numbers and the same torques, mass matrix and accelerations.

#include <gtest/gtest.h>

#include <vector>

#include "dynamics/mass_matrix.hpp"
#include "dynamics/regressor_columns.hpp"
#include "support/near.hpp"
#include "support/random_states.hpp"

namespace armdyn::testing {
namespace {

std::vector<double> torques(const InertialArm<double>& arm, const RandomState& x) {
  std::vector<ModifiedLinkState<double>> links(arm.dof());
  std::vector<double> tau(arm.dof());
  moment_newton_euler<double, double>(arm, x.q, x.qd, x.qdd, links, tau);
  return tau;
}

std::vector<double> lower(const InertialArm<double>& arm, const RandomState& x) {
  std::vector<double> M(arm.dof() * arm.dof());
  composite_body<double>(arm, joint_frames<double>(arm, x.q), M);
  return M;
}

TEST(RegroupedBodies, GiveTheSameTorques) {
  for_random_states([](RandomState& x) {
    for (Drive& drive : x.arm.drives) drive = {};
    const std::vector<double> expected = torque(x.arm, {x.q, x.qd, x.qdd});
    const InertialArm<double> bodies = inertial_arm(x.arm);
    expect_near(torques(bodies, x), expected, 1e-13, "moments");
    expect_near(torques(regrouped(bodies), x), expected, 1e-13, "regrouped");
    expect_near(lower(regrouped(bodies), x), lower(bodies, x), 1e-13, "M");
  });
}

TEST(RegroupedBodies, LeaveSevenNumbersToARevoluteLinkAndFourToASlide) {
  for_random_states(
      [](RandomState& x) {
        for (const InertialLink<double>& link : regrouped(inertial_arm(x.arm)).links) {
          const auto& [m, h, J] = link.body;
          if (link.joint == JointType::revolute) {
            EXPECT_EQ(m, 0.0);
            EXPECT_EQ(h.z, 0.0);
            EXPECT_EQ(J.yy, 0.0);
          } else {
            EXPECT_GT(m, 0.0);
            EXPECT_EQ(J, SymMat3{});
          }
        }
      },
      3);
}

}  // namespace
}  // namespace armdyn::testing
