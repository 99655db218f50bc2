#include "dynamics/friction.hpp"

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/fifty_digits.hpp"

namespace armdyn {
namespace {

Drive full_drive() {
  return {
      .friction = {.viscous = 0.5,
                   .coulomb = {1.0, 2.0},
                   .breakaway = TwoSided{1.5, 2.75},
                   .stribeck_velocity = 0.1,
                   .ripple = {.amplitude = 0.2, .harmonic = 3.0, .phase = 0.6}},
      .motor = {.rotor_inertia = 0.01, .gear_ratio = -2.0, .viscous = 0.25, .coulomb = {0.1, 0.3}}};
}

TEST(Friction, AndTheRotorAreAllThatADriveTakes) {
  const Drive drive = full_drive();
  for (const double qd : {0.03, -0.7}) {
    const int direction = direction_of(qd);
    EXPECT_NEAR(loss_torque(drive, 0.3, qd, direction) + rotor_torque(drive.motor, 4.0),
                drive_torque(drive, 0.3, qd, 4.0, direction), 1e-15);
    EXPECT_NEAR(torque_after_friction(10.0, drive, 0.3, qd),
                10.0 - loss_torque(drive, 0.3, qd, direction), 1e-14);
  }
  EXPECT_EQ(rotor_torque(drive.motor, 4.0), 4.0 * (0.01 * 4.0));
}

TEST(Friction, IsSeenInEachOfItsParts) {
  EXPECT_FALSE(has_friction({}));
  const auto with = [](auto set) {
    Drive drive;
    set(drive);
    return drive;
  };
  const Drive viscous = with([](Drive& d) { d.friction.viscous = 1.0; });
  const Drive turning = with([](Drive& d) { d.motor.viscous = 1.0; });
  for (const Drive& drive : {viscous, turning}) {
    EXPECT_TRUE(has_friction(drive));
    EXPECT_FALSE(has_dry_friction(drive));
  }
  const Drive one_way = with([](Drive& d) { d.friction.coulomb.negative = 1.0; });
  const Drive at_rest = with([](Drive& d) { d.friction.breakaway = TwoSided{1.0, 1.0}; });
  const Drive geared = with([](Drive& d) { d.motor.coulomb.positive = 1.0; });
  for (const Drive& drive : {one_way, at_rest, geared}) {
    EXPECT_TRUE(has_friction(drive));
    EXPECT_TRUE(has_dry_friction(drive));
  }
}

TEST(Friction, IsTakenAwayWholeAndLeavesTheRotor) {
  const Drive drive = full_drive();
  Joint joint;
  joint.friction = drive.friction;
  joint.motor = drive.motor;
  remove_friction(joint);
  EXPECT_FALSE(has_friction({joint.friction, joint.motor}));
  EXPECT_EQ(joint.motor, (Motor{.rotor_inertia = 0.01, .gear_ratio = -2.0, .coulomb = {}}));

  joint.friction = drive.friction;
  joint.motor = drive.motor;
  remove_rotor(joint);
  EXPECT_EQ(rotor_torque(joint.motor, 1.0), 0.0);
  EXPECT_EQ(loss_torque({joint.friction, joint.motor}, 0.3, 0.7, 1),
            loss_torque(drive, 0.3, 0.7, 1));
}

TEST(WidestBreakaway, IsThatOfTheRipplesCrest) {
  Robot robot;
  robot.joints.resize(1);
  robot.joints[0].friction = full_drive().friction;
  robot.joints[0].motor = full_drive().motor;
  const TwoSided widest = widest_breakaway(friction_contacts(normalize(robot)), 0);
  EXPECT_NEAR(widest.positive, 1.2 * 1.5 + 2.0 * 0.1, 1e-15);
  EXPECT_NEAR(widest.negative, 1.2 * 2.75 + 2.0 * 0.3, 1e-14);
}

TEST(SteepestFriction, BoundsTheSlopeOfFrictionNearThatSpeed) {
  const Drive drive = full_drive();
  for (const double qd : {0.0, 0.05, 0.1, 0.2, 0.29, 0.5, 3.0}) {
    const double step = 1e-6;
    const double slope =
        (loss_torque(drive, 0.3, qd + step, 1) - loss_torque(drive, 0.3, qd - step, 1)) /
        (2 * step);
    EXPECT_LE(std::abs(slope), steepest_friction(drive, qd)) << qd;
  }
  EXPECT_EQ(steepest_friction(drive, 0.5), 0.5 + 4.0 * 0.25);  // beyond the Stribeck curve
}

TEST(RangeOfFriction, IsOfEachDirectionAloneOrOfBoth) {
  Friction friction = full_drive().friction;
  friction.sigmoid = {2.0, 10.0, 0.1};
  const auto expect = [](const Range& found, double lower, double upper) {
    EXPECT_DOUBLE_EQ(found.lower, lower);
    EXPECT_DOUBLE_EQ(found.upper, upper);
  };
  expect(dry_range(friction, 1), 1.0, 1.5);
  expect(dry_range(friction, -1), -2.75, -2.0);
  expect(dry_range(friction, 0), -2.75, 1.5);
  const Motor motor = full_drive().motor;
  expect(dry_range(motor, 1), 0.1, 0.1);
  expect(dry_range(motor, -1), -0.3, -0.3);
  expect(dry_range(motor, 0), -0.3, 0.1);
  const double at_rest = 1.0 / (1.0 + std::exp(-1.0));
  expect(smooth_range(friction, 1), 0.0, 2.0 * (1.0 - at_rest));
  expect(smooth_range(friction, -1), -2.0 * at_rest, 0.0);
  expect(smooth_range(friction, 0), -2.0 * at_rest, 2.0 * (1.0 - at_rest));
  friction.stribeck_velocity = 0.0;  // static friction holds at rest alone
  expect(dry_range(friction, 1), 1.0, 1.0);
  expect(dry_range(friction, -1), -2.0, -2.0);
  expect(dry_range(friction, 0), -2.75, 1.5);
  friction.breakaway.reset();
  expect(dry_range(friction, 0), -2.0, 1.0);
}

TEST(CurveTime, IsInfiniteWithoutACurve) {
  Drive drive = full_drive();
  EXPECT_EQ(stribeck_velocity(drive), 0.1);
  EXPECT_NEAR(curve_time(drive, 0.0, 2.0), 0.1 / 2.0, 1e-16);
  EXPECT_NEAR(curve_time(drive, -1.4, 2.0), (0.5 + 0.1) / 2.0, 1e-15);
  drive.friction.breakaway.reset();
  EXPECT_EQ(stribeck_velocity(drive), std::nullopt);
  EXPECT_EQ(curve_time(drive, 1.0, 1.0), std::numeric_limits<double>::infinity());
  drive.friction.sigmoid = {.amplitude = 2.0, .slope = 4.0, .offset = -0.5};
  EXPECT_NEAR(curve_time(drive, 4.5, 2.0), (1.0 + 0.25) / 2.0, 1e-15);
}

TEST(TorqueTerms, HaveAllFrictionInOneAndTheRotorAloneInAnother) {
  Robot robot;
  robot.joints.resize(1);
  robot.joints[0].friction = full_drive().friction;
  robot.joints[0].motor = full_drive().motor;
  InverseDynamics inverse(normalize(robot));
  const std::vector<double> q{0.3}, qd{0.7}, qdd{4.0};
  std::vector<double> other(1), friction(1), rotor(1);
  inverse.terms({q, qd, qdd}, {}, {other, other, other, friction, rotor, other});
  EXPECT_EQ(friction[0], loss_torque(full_drive(), 0.3, 0.7, 1));
  EXPECT_EQ(rotor[0], 4.0 * (0.01 * 4.0));
}

TEST(Ripple, KeepsItsPhaseAfterAnyNumberOfTurns) {
  using testing::Fifty;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int k = 0; k < 400; ++k) {
    const double q = any(random) * std::pow(10.0, k / 25.0);  // up to 1e16 rad
    const Ripple ripple{0.3, 40.0 * any(random), 7.0 * any(random)};
    const Fifty angle = Fifty(ripple.phase) + Fifty(ripple.harmonic) * q;
    const Fifty exact = 1 + Fifty(0.3) * cos(angle);
    EXPECT_LE(abs(exact - ripple_factor(ripple, q)), 4e-16) << q;
  }
}

}  // namespace
}  // namespace armdyn
