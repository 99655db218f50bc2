#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/error.hpp>

#include <cmath>
#include <numbers>

#include "support/near.hpp"
#include "support/random_states.hpp"

namespace armdyn::testing {
namespace {

using std::numbers::pi;

/// Two point masses on rods in a vertical plane, q1 = 0 pointing to the side.
Robot double_pendulum() {
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {0.0, -9.81, 0.0};
  robot.joints.resize(2);
  robot.joints[1].dh.a = 0.5;
  robot.joints[0].body = {2.0, {0.5, 0.0, 0.0}, {}};
  robot.joints[1].body = {1.0, {0.4, 0.0, 0.0}, {}};
  return robot;
}

Equilibrium from(const Robot& robot, const std::vector<double>& start) {
  return find_equilibrium(normalize(robot), start);
}

TEST(Equilibrium, IsTheOneNearTheStart) {
  const Equilibrium hanging = from(double_pendulum(), {-1.5, 0.1});
  expect_near(hanging.q, {-pi / 2, 0.0}, 1e-14, "hanging");
  EXPECT_EQ(hanging.falling_directions, 0);
  const Equilibrium upright = from(double_pendulum(), {1.5, 0.1});
  expect_near(upright.q, {pi / 2, 0.0}, 1e-14, "upright");
  EXPECT_EQ(upright.falling_directions, 2);
  const Equilibrium folded = from(double_pendulum(), {-1.5, 3.0});
  expect_near(folded.q, {-pi / 2, pi}, 1e-14, "folded");
  EXPECT_EQ(folded.falling_directions, 1);
  EXPECT_LE(folded.iterations, 6);
}

TEST(Equilibrium, StableOneIsFoundFromThoseThatAreNot) {
  const Arm arm = normalize(double_pendulum());
  for (const std::vector<double>& start :
       {std::vector{pi / 2, 0.0}, {1.5, 0.1}, {-pi / 2, pi}, {pi / 2, pi}, {0.3, -2.0}}) {
    const Equilibrium found = find_equilibrium(arm, start, EquilibriumKind::stable);
    EXPECT_EQ(found.falling_directions, 0);
    EXPECT_NEAR(std::remainder(found.q[0], 2 * pi), -pi / 2, 1e-13);
    EXPECT_NEAR(std::remainder(found.q[1], 2 * pi), 0.0, 1e-13);
  }
}

TEST(Equilibrium, StableOneOfRevoluteArmsIsAlwaysFound) {
  for_random_states([](const RandomState& x) {
    Robot robot = x.robot;
    for (Joint& joint : robot.joints) joint.type = JointType::revolute;
    const Arm arm = normalize(robot);
    const Equilibrium found = find_equilibrium(arm, x.q, EquilibriumKind::stable);
    EXPECT_EQ(found.falling_directions, 0);
    // Falling anywhere near takes no energy out of it.
    const double lowest = potential_energy(arm, found.q);
    for (std::size_t i = 0; i < x.q.size(); ++i) {
      for (const double step : {-0.01, 0.01}) {
        std::vector<double> beside = found.q;
        beside[i] += step;
        EXPECT_GE(potential_energy(arm, beside), lowest - 1e-9);
      }
    }
  });
}

TEST(Equilibrium, IsFoundFromWhereGravityHasNoSlope) {
  const Equilibrium found = from(double_pendulum(), {0.0, 0.0});  // |G| is largest
  EXPECT_LT(found.residual, 1e-13);
  EXPECT_EQ(found.falling_directions, 0);
}

TEST(Equilibrium, LeavesJointsThatGravityDoesNotFeel) {
  Robot robot = double_pendulum();
  robot.gravity = {0.0, 0.0, -9.81};
  robot.joints[1].dh.alpha = pi / 2;
  const Equilibrium found = from(robot, {0.7, -1.2});
  EXPECT_EQ(found.q[0], 0.7);
  EXPECT_NEAR(found.q[1], -pi / 2, 1e-14);
  EXPECT_EQ(found.neutral_directions, 1);
}

TEST(Equilibrium, IsEverywhereWithoutGravity) {
  Robot robot = double_pendulum();
  robot.gravity = {};
  const Equilibrium found = from(robot, {0.7, -1.2});
  EXPECT_EQ(found.q, (std::vector<double>{0.7, -1.2}));
  EXPECT_EQ(found.neutral_directions, 2);
}

TEST(Equilibrium, OfAVerticalSliderThereIsNone) {
  Robot robot;
  robot.joints.resize(1);
  robot.joints[0].type = JointType::prismatic;
  robot.joints[0].body.mass = 2.0;
  try {
    (void)from(robot, {0.0});
    FAIL() << "no error";
  } catch (const NumericsError& error) {
    EXPECT_STREQ(
        error.what(),
        "no equilibrium found from this start: the gravity torque of joint 1 is still 19.62 after "
        "100 steps. Start nearer to one, or check that the arm has one");
  }
}

TEST(Equilibrium, OfRevoluteArmsIsAlwaysFound) {
  for_random_states([](const RandomState& x) {
    Robot robot = x.robot;
    for (Joint& joint : robot.joints) joint.type = JointType::revolute;
    const Arm arm = normalize(robot);
    const Equilibrium found = find_equilibrium(arm, x.q);
    const std::vector<double> rest(x.q.size(), 0.0);
    EXPECT_LT(largest(equations(arm, found.q, rest).G), 1e-9);
  });
}

}  // namespace
}  // namespace armdyn::testing
