// Torques with which joints and coupled motors set out from rest: closed forms.

#include "dynamics/setting_out.hpp"

#include <gtest/gtest.h>

#include "support/limited_arm.hpp"

namespace armdyn::testing {
namespace {

using Row = std::vector<double>;

/// Friction that holds 5 N·m forwards and 3 back, and brakes 2 and 1.
Robot sticking_pendulum() {
  Robot robot = pendulum();
  robot.joints[0].friction = {.coulomb = {2.0, 1.0}, .breakaway = TwoSided{5.0, 3.0}};
  return robot;
}

/// Torque with which one joint sets out at q = 0 with that acceleration, by the speed that follows.
std::optional<double> set_out(const Robot& robot, double qdd, double next_qd) {
  const Row q{0.0}, qd{0.0}, acceleration{qdd};
  const Row tau = torque(normalize(robot), {q, qd, acceleration});
  const auto start = SettingOut(robot).find({q, qd, acceleration}, tau, Row{next_qd});
  if (!start) return {};
  EXPECT_NEAR(start->load[0], 9.81, 1e-12);
  EXPECT_EQ(start->directions[0], next_qd > 0.0 ? 1 : -1);
  return start->torque[0];
}

TEST(SettingOut, TakesGravityAndStaticFrictionInTheDirectionOfTheMotionThatFollows) {
  const Robot robot = sticking_pendulum();
  EXPECT_NEAR(*set_out(robot, 0.0, 1e-9), 9.81 + 5.0, 1e-12);
  EXPECT_NEAR(*set_out(robot, 0.0, -1e-9), 9.81 - 3.0, 1e-12);
  EXPECT_FALSE(set_out(robot, 0.0, 0.0));
}

TEST(SettingOut, IsNotThatOfAJointThatMoves) {
  const Robot robot = sticking_pendulum();
  const Row q{0.0}, qd{1e-9}, qdd{0.0};
  EXPECT_FALSE(SettingOut(robot).find({q, qd, qdd}, Row{9.81}, Row{1.0}));
}

TEST(SettingOut, TakesNoStaticFrictionWhereItsAccelerationTakesMore) {
  Robot robot = sticking_pendulum();
  EXPECT_NEAR(*set_out(robot, 1.0, 1.0), 9.81 + 5.0, 1e-12);  // not 1 + 2
  EXPECT_NEAR(*set_out(robot, 4.0, 1.0), 9.81 + 4.0 + 2.0, 1e-12);
  EXPECT_NEAR(*set_out(robot, -1.5, -1.0), 9.81 - 3.0, 1e-12);
  EXPECT_NEAR(*set_out(robot, -4.0, -1.0), 9.81 - 4.0 - 1.0, 1e-12);
  // With a Stribeck velocity it slides off with what held it.
  robot.joints[0].friction.stribeck_velocity = 0.1;
  EXPECT_NEAR(*set_out(robot, 4.0, 1.0), 9.81 + 4.0 + 5.0, 1e-12);
  EXPECT_NEAR(*set_out(robot, 0.0, 1.0), 9.81 + 5.0, 1e-12);
}

TEST(SettingOut, TakesWhatMotorAndRippleHoldThere) {
  Robot robot = sticking_pendulum();
  robot.joints[0].motor = {.rotor_inertia = 0.01, .gear_ratio = -10.0, .coulomb = {0.1, 0.2}};
  robot.joints[0].friction.ripple = {0.5, 3.0, 0.4};
  const double ripple = 1.0 + 0.5 * std::cos(0.4);
  EXPECT_NEAR(*set_out(robot, 0.0, 1.0), 9.81 + 5.0 * ripple + 1.0, 1e-12);
  EXPECT_NEAR(*set_out(robot, -1.0, -1.0), 9.81 - 3.0 * ripple - 2.0, 1e-12);
  // 1 kg·m² of the bar, and of the rotor as much
  EXPECT_NEAR(*set_out(robot, -3.0, -1.0), 9.81 - 6.0 - 1.0 * ripple - 2.0, 1e-12);
}

// Two joints without gravity, motors by A = (2 1; −1 3): of q̇ = (1, −2) the first stands still, the
// second turns back. Of q̇ = 0 and then (1, 0) they turn by (2, −1).
TEST(SettingOut, OfCoupledMotorsIsByTheirOwnSpeeds) {
  Robot robot = pendulum();
  robot.gravity = {};
  robot.joints.push_back(robot.joints[0]);
  robot.joints[1].name = "tip";
  robot.joints[0].motor.coulomb = {0.3, 0.4};
  robot.joints[1].motor.coulomb = {0.5, 0.7};
  robot.couplings.push_back({{0, 1}, {2.0, 1.0, -1.0, 3.0}, {0.0, 0.0}});
  SettingOut setting_out(robot);
  const Row zero{0.0, 0.0};
  const auto both = setting_out.find({zero, zero, zero}, zero, Row{1.0, 0.0});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->directions, (std::vector{1, -1}));
  EXPECT_NEAR(both->torque[0], 2.0 * 0.3 - 1.0 * -0.7, 1e-15);
  EXPECT_NEAR(both->torque[1], 1.0 * 0.3 + 3.0 * -0.7, 1e-15);
  EXPECT_EQ(both->has_part, (std::vector{true, true}));

  const auto first = setting_out.find({zero, Row{1.0, -2.0}, zero}, zero, Row{1.0, -1.9});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->directions, (std::vector{1, 0}));
  EXPECT_NEAR(first->torque[0], 2.0 * 0.3, 1e-15);
  EXPECT_NEAR(first->torque[1], 0.3, 1e-15);
  EXPECT_FALSE(setting_out.find({zero, Row{1.0, 0.0}, zero}, zero, Row{1.0, 0.0}));
}

TEST(SettingOut, OfOneJointLeavesTheOthersAlone) {
  Robot robot = sticking_pendulum();
  robot.gravity = {};
  robot.joints.push_back(robot.joints[0]);
  robot.joints[1].name = "tip";
  const Row zero{0.0, 0.0}, tau{7.0, 8.0};
  const auto start = SettingOut(robot).find({zero, zero, zero}, tau, Row{0.0, -1.0});
  ASSERT_TRUE(start);
  EXPECT_EQ(start->torque, (Row{7.0, 5.0}));
  EXPECT_EQ(start->has_part, (std::vector{false, true}));
}

}  // namespace
}  // namespace armdyn::testing
