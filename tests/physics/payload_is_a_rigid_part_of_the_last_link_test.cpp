#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cmath>

#include "math/rigid.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

TEST(Payload, EqualsAFurtherLinkOnAJointThatDoesNotMove) {
  // A seventh, still joint carries the payload: the first six torques must be the same.
  Robot held = read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot;
  held.tool = {{0.05, -0.02, 0.1}, {0.3, -0.5, 0.9}};
  Robot jointed = held;
  held.payload = {2.5, {0.01, 0.02, 0.05}, {0.01, 0.02, 0.015, 0.001, -0.002, 0.003}};

  const Transform tool = normalize(jointed).tool;
  jointed.tool = {};
  Joint still;
  still.body = {held.payload.mass, tool * held.payload.com, rotated(tool.R, held.payload.inertia)};
  jointed.joints.push_back(still);
  const Arm arm = normalize(jointed);
  const Arm with_tool = normalize(held);

  const std::vector<double> q{0.3, -0.7, 1.1, 0.4, -0.9, 2.0};
  const std::vector<double> qd{0.5, -0.2, 0.8, 1.0, -0.4, 0.3};
  const std::vector<double> qdd{1.0, 0.6, -2.0, 0.1, 3.0, -1.0};
  auto q7 = q, qd7 = qd, qdd7 = qdd;
  q7.push_back(0);
  qd7.push_back(0);
  qdd7.push_back(0);
  const auto expected = torque(arm, {q7, qd7, qdd7});
  const auto found = torque(with_tool, {q, qd, qdd});
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12 * 100);
}

TEST(Payload, AddsToTheLastLinkAndDoesNotReplaceIt) {
  Robot robot = read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot;
  const double own = robot.joints.back().body.mass;
  robot.payload.mass = 2.0;
  EXPECT_DOUBLE_EQ(normalize(robot).links.back().body.mass, own + 2.0);
}

TEST(Payload, MatchesAHandWrenchOfItsWeightAtRest) {
  Robot robot = read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot;
  const std::vector<double> zero(6, 0.0);
  const std::vector<double> upright{0, 0.4, 0.3, 0, 0.2, 0};
  const auto without = torque(normalize(robot), {upright, zero, zero});
  robot.payload.mass = 3.0;
  const auto with = torque(normalize(robot), {upright, zero, zero});
  // Weight of the payload on the TCP, in TCP axes: the last frame is turned about y alone.
  robot.payload.mass = 0.0;
  const double lean = 0.4 + 0.3 + 0.2;
  // Standard table of the PUMA at q1 = q4 = q6 = 0: x6 = (cos, 0, sin), z6 = (−sin, 0, cos) of
  // lean.
  const double weight = 3.0 * 9.81;
  const Wrench pull{{-weight * std::sin(lean), 0, -weight * std::cos(lean)}, {}};
  const Wrench push{{weight * std::sin(lean), 0, weight * std::cos(lean)}, {}};
  const auto pulled = torque(normalize(robot), {upright, zero, zero}, pull);
  const auto pushed = torque(normalize(robot), {upright, zero, zero}, push);
  for (std::size_t i = 0; i < 6; ++i) {
    const double change = with[i] - without[i];
    // What hangs on the tool is what the tool pushes up against, with the other sign.
    EXPECT_NEAR(change, pushed[i] - without[i], 1e-12 * 100) << "joint " << i + 1;
    EXPECT_NEAR(change, without[i] - pulled[i], 1e-12 * 100) << "joint " << i + 1;
  }
}

}  // namespace
}  // namespace armdyn::testing
