// What the joints carry if nothing cancels, by hand.

#include <gtest/gtest.h>
#include <armdyn/robot.hpp>

#include <cmath>
#include <vector>

#include "dynamics/compare.hpp"

namespace armdyn {
namespace {

TEST(GrossLoads, AreThoseOfEachJointsOwnLink) {
  // A slide of 1 kg carries an arm that turns about its axis: 2 kg at 0.5 m, 3 kg·m² about it.
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {};
  robot.joints.resize(2);
  robot.joints[0].type = JointType::prismatic;
  robot.joints[0].body.mass = 1.0;
  robot.joints[1].body = {2.0, {0.5, 0.0, 0.0}, {3.0, 3.0, 3.0, 0.0, 0.0, 0.0}};
  const Arm arm = normalize(robot);
  const std::vector<double> q{0.3, 0.4}, qd{0.0, 0.0}, qdd{4.0, 5.0};
  const std::vector<double> loads = gross_loads(arm, {q, qd, qdd}, {});
  // F = 1 · 4 along the slide; of the arm 2 · (4 along the slide, 5 · 0.5 across).
  const double F = 2.0 * std::hypot(4.0, 2.5);
  EXPECT_NEAR(loads[0], 4.0 + F, 1e-12);
  EXPECT_NEAR(loads[1], 0.5 * F + 3.0 * 5.0, 1e-12);
}

}  // namespace
}  // namespace armdyn
