#include "sizing/sizing.hpp"

#include <gtest/gtest.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "math/each.hpp"
#include "support/more_samples.hpp"
#include "support/random_arm.hpp"
#include "support/smooth_cycle.hpp"

// Bounds that hold for all arms, held against closed forms and against arms by chance.

namespace armdyn::testing {
namespace {

Robot geared_arm(std::uint64_t seed) {
  Robot robot = RandomArm(seed).robot(3);
  for (Joint& joint : robot.joints) {
    joint.friction.viscous = 0.3;
    joint.friction.coulomb = {0.4, 0.5};
    joint.motor = {.rotor_inertia = 3e-5,
                   .gear_ratio = seed % 2 == 0 ? 80.0 : -80.0,
                   .viscous = 1e-5,
                   .coulomb = {0.002, 0.002},
                   .efficiency = {0.85, 0.75}};
  }
  if (robot.payload.mass == 0.0) robot.payload = {1.5, {0.0, 0.1, 0.05}, {0.01, 0.01, 0.015}};
  return robot;
}

const Uncertainty of_masses{.mass = 0.1, .inertia = 0.2, .friction = 0.3, .payload = 0.15};

/// Calls `hold(bounds, torque, peak, rms)` for the torques of arms by chance.
void for_arms_by_chance(const Robot& robot, const RobotSampler& draws, const Cycle& cycle,
                        int samples, const auto& hold) {
  const std::vector<GuaranteedNeed> bounds = guaranteed_needs(draws, robot, cycle);
  for (int sample = 1; sample <= samples; ++sample) {
    const Sizing found = size(draws(static_cast<std::uint64_t>(sample)).robot, cycle);
    for (std::size_t i = 0; i < robot.dof(); ++i) {
      const DriveNeed& need = found.drives[i];
      hold(bounds[i].joint, need.torque.value, need.rms);
      hold(bounds[i].motor, need.motor_torque.value, need.motor_rms);
    }
  }
}

/// Sets a wrench whose components all differ.
void set_hand(Cycle& cycle) {
  cycle.wrench.clear();
  for (int k = 0; k < 6; ++k) {
    cycle.wrench.push_back(
        each(cycle.t, [k](double t) { return (k + 3.0) * std::sin(k + 1.0 + 2.0 * t); }));
  }
}

TEST(Guarantees, HoldForArmsByChance) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Robot robot = geared_arm(seed);
    Cycle cycle = smooth_cycle(3, 24, 0.6, 0.0);
    if (seed % 3 == 0) {
      set_hand(cycle);
    }
    Uncertainty uncertainty = of_masses;
    uncertainty.com = 0.02;
    for (const Distribution distribution : {Distribution::uniform, Distribution::normal}) {
      uncertainty.distribution = distribution;
      const RobotSampler draws(robot, uncertainty, seed);
      for_arms_by_chance(robot, draws, cycle, samples(100),
                         [](const GuaranteedTorque& bound, double peak, double rms) {
                           EXPECT_LE(peak, bound.peak.upper * (1 + 1e-12));
                           EXPECT_GE(peak, bound.peak.lower * (1 - 1e-12));
                           EXPECT_LE(rms, bound.rms * (1 + 1e-12));
                         });
    }
  }
}

// τ is linear in them, so that an arm at corners of what may be has the bound.
TEST(Guarantees, AreAttainedWhereMassesInertiasAndFrictionVary) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Robot robot = geared_arm(seed);
    const RobotSampler draws(robot, of_masses, 1);
    Cycle cycle = smooth_cycle(3, 24, 0.6, 0.0);
    if (seed % 3 == 0) set_hand(cycle);
    for (const auto& [joint, motor] : guaranteed_needs(draws, robot, cycle)) {
      for (const GuaranteedTorque& bound : {joint, motor}) {
        EXPECT_NEAR(bound.found_peak.value, bound.peak.upper, 1e-8 * bound.peak.upper) << seed;
        EXPECT_LE(bound.found_rms, bound.rms);
        EXPECT_GE(bound.found_rms, 0.8 * bound.rms) << seed;
      }
    }
  }
}

TEST(Guarantees, NameNoNumberThatDoesNothingAtTheJoint) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Robot robot = geared_arm(seed);
    for (const std::size_t other : {1U, 2U}) {
      robot.joints[other].friction = {};
      robot.joints[other].motor.viscous = 0.0;
      robot.joints[other].motor.coulomb = {};
    }
    const RobotSampler draws(robot, {.friction = 0.3, .payload = 0.15}, 1);
    const std::vector<GuaranteedNeed> bounds =
        guaranteed_needs(draws, robot, smooth_cycle(3, 24, 0.6, 0.0));
    for (const auto& [place, name] : draws.sampled_numbers()) {
      if (name != "friction of " + robot.joints[0].name) continue;
      for (std::size_t i = 0; i < robot.dof(); ++i) {
        EXPECT_EQ(bounds[i].joint.arm.places[place] != 0.0, i == 0) << seed << ", " << i;
        EXPECT_EQ(bounds[i].motor.arm.places[place] != 0.0, i == 0) << seed << ", " << i;
      }
    }
  }
}

TEST(Guarantees, AreNearlyAttainedWhereCentersOfMassVary) {
  const Robot robot = geared_arm(4);
  const RobotSampler draws(robot, {.mass = 0.05, .com = 0.005, .inertia = 0.1}, 1);
  for (const auto& [joint, motor] : guaranteed_needs(draws, robot, smooth_cycle(3, 24, 0.6, 0.0))) {
    EXPECT_GE(joint.found_peak.value, 0.99 * joint.peak.upper);
    EXPECT_GE(motor.found_peak.value, 0.99 * motor.peak.upper);
  }
}

/// A link that turns about z in the horizontal plane.
Robot turntable(const MassProperties& body) {
  Robot robot;
  robot.name = "turntable";
  robot.convention = Convention::modified;
  robot.joints.resize(1);
  robot.joints[0].name = "joint";
  robot.joints[0].body = body;
  return robot;
}

// (m c² + J) q̈ with the largest q̈, 5 rad/s²; its RMS by √(½).
TEST(Guarantees, OfATurntableAreItsClosedForm) {
  const Robot robot = turntable({4.0, {0.3, 0.0, 0.0}, {0.02, 0.02, 0.03, 0.0, 0.0, 0.0}});
  const Cycle cycle = smooth_cycle(1, 400, 5.0 / (std::numbers::pi * std::numbers::pi));
  const RobotSampler draws(robot, {.mass = 0.1, .inertia = 0.2}, 1);
  const GuaranteedTorque found = guaranteed_needs(draws, robot, cycle)[0].joint;
  const double most = (4.4 * 0.09 + 0.036) * 5.0, least = (3.6 * 0.09 + 0.024) * 5.0;
  EXPECT_NEAR(found.peak.upper, most, 1e-8 * most);
  EXPECT_NEAR(found.peak.lower, least, 1e-8 * least);
  EXPECT_NEAR(found.rms, most * std::sqrt(0.5), 1e-8 * most);
  EXPECT_NEAR(found.found_rms, found.rms, 1e-8 * most);
  EXPECT_EQ(found.found_peak.t, 0.5);
}

// At rest the gear passes the torque in the sense of q̈: 5 rad/s² up, then 3 rad/s² down at rest.
TEST(Guarantees, PassTheGearByTheAccelerationAtRest) {
  Robot robot = turntable({4.0, {0.3, 0.0, 0.0}, {0.0, 0.0, 0.03, 0.0, 0.0, 0.0}});
  for (const double G : {10.0, -10.0}) {
    robot.joints[0].motor.gear_ratio = G;
    robot.joints[0].motor.efficiency = {0.8, 0.5};
    for (const double sign : {1.0, -1.0}) {
      Cycle cycle;
      cycle.t = {0.0, 0.1, 0.2};
      cycle.q = {{0.0, 0.0, 0.0}};
      cycle.qd = {{0.0, 0.0, 0.0}};
      cycle.qdd = {{5.0 * sign, 0.0, -3.0 * sign}};
      cycle.set_steps();
      const RobotSampler draws(robot, {.mass = 0.1}, 1);
      const GuaranteedTorque motor = guaranteed_needs(draws, robot, cycle)[0].motor;
      const double most = (4.4 * 0.09 + 0.03) * 5.0 / 0.8 / 10.0;
      EXPECT_NEAR(motor.peak.upper, most, 1e-8 * most);
      EXPECT_NEAR(motor.found_peak.value, most, 1e-8 * most);
      EXPECT_NEAR(motor.peak.lower, (3.6 * 0.09 + 0.03) * 5.0 / 0.8 / 10.0, 1e-8 * most);
    }
  }
}

// A plate's moment about its normal is the sum of the other two, and grows with both of them alone.
TEST(Guarantees, KnowThatMomentsAreThoseOfABody) {
  const Cycle cycle = smooth_cycle(1, 40, 5.0 / (std::numbers::pi * std::numbers::pi));
  const auto largest = [&](const SymMat3& inertia) {
    const Robot robot = turntable({1.0, {}, inertia});
    const RobotSampler draws(robot, {.inertia = 0.2}, 1);
    const GuaranteedTorque found = guaranteed_needs(draws, robot, cycle)[0].joint;
    EXPECT_NEAR(found.found_peak.value, found.peak.upper, 1e-8);
    return found.peak;
  };
  const Range plate = largest({0.01, 0.02, 0.03, 0.0, 0.0, 0.0});
  EXPECT_NEAR(plate.upper, 5.0 * 0.036, 1e-8);
  EXPECT_NEAR(plate.lower, 5.0 * 0.024, 1e-8);
  // A rod's two moments go together, as the third is none.
  const Range rod = largest({0.03, 0.0, 0.03, 0.0, 0.0, 0.0});
  EXPECT_NEAR(rod.upper, 5.0 * 0.036, 1e-8);
  EXPECT_NEAR(rod.lower, 5.0 * 0.024, 1e-8);
  // The axis of the rod: nothing.
  EXPECT_NEAR(largest({0.03, 0.03, 0.0, 0.0, 0.0, 0.0}).upper, 0.0, 1e-14);
}

TEST(Guarantees, HoldForCoupledMotors) {
  Robot robot = geared_arm(3);
  for (Joint& joint : robot.joints) joint.friction.coulomb = {};
  for (std::size_t i = 1; i < 3; ++i) {
    robot.joints[i].motor.gear_ratio = 1.0;
    robot.joints[i].motor.efficiency = {};
  }
  robot.couplings = {{{1, 2}, {40.0, 0.0, 20.0, 30.0}, {0.0, 0.0}, {}, {}}};
  const RobotSampler draws(robot, of_masses, 2);
  for (const auto& [joint, motor] : guaranteed_needs(draws, robot, smooth_cycle(3, 24, 0.6, 0.0))) {
    EXPECT_NEAR(joint.found_peak.value, joint.peak.upper, 1e-8 * joint.peak.upper);
    EXPECT_NEAR(motor.found_peak.value, motor.peak.upper, 1e-8 * motor.peak.upper);
  }
  for_arms_by_chance(robot, draws, smooth_cycle(3, 24, 0.6, 0.0), 100,
                     [](const GuaranteedTorque& bound, double peak, double rms) {
                       EXPECT_LE(peak, bound.peak.upper * (1 + 1e-12));
                       EXPECT_GE(peak, bound.peak.lower * (1 - 1e-12));
                       EXPECT_LE(rms, bound.rms * (1 + 1e-12));
                     });
}

}  // namespace
}  // namespace armdyn::testing
