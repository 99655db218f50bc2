// Joints at rest hold one another through the mass matrix.
//
// A carriage (m1) on rails and a block (m2) on the carriage, both moving along the same line; q2 is
// the block's way over the carriage, c1 and c2 what friction holds. M = [m1 + m2, m2; m2, m2]. From
// rest under drive forces τ1 on the carriage and τ2 between carriage and block:
//
//   both stick                    |τ1| ≤ c1, |τ2| ≤ c2
//   the carriage slides, the block rides on it: a1 = (τ1 − c1)/(m1 + m2), as long as m2 a1 ≤ c2 +
//   τ2 τ1 beyond that: the block slides back, m2 (a1 + a2) = τ2 + c2 and m1 a1 = τ1 − τ2 − c1 − c2
//   τ2 > c2 with τ1 = 0: the block slides, a2 = (τ2 − c2)/m2, and pushes the carriage back by τ2 −
//   c2: it holds up to τ2 = c1 + c2, though no torque of its own drive acts on it.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>

#include "simulation/plant.hpp"
#include "simulation/stick_slip.hpp"
#include "support/random_arm.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

constexpr double m1 = 3.0, m2 = 2.0, c1 = 4.0, c2 = 1.0;

Arm carriage_and_block() {
  Robot robot;
  robot.gravity = {};
  robot.joints.resize(2);
  const double masses[] = {m1, m2}, levels[] = {c1, c2};
  for (std::size_t i = 0; i < 2; ++i) {
    robot.joints[i].type = JointType::prismatic;
    robot.joints[i].body.mass = masses[i];
    robot.joints[i].friction.coulomb = {levels[i], levels[i]};
  }
  return normalize(robot);
}

/// Accelerations of the first row: from rest, under τ.
std::vector<double> from_rest(const std::vector<double>& tau) {
  SimulationOptions options;
  options.duration = 1e-3;
  const Simulated found = run_simulation(carriage_and_block(), {0, 0}, {0, 0}, tau, options);
  return found.rows.front().qdd;
}

void expect_accelerations(const std::vector<double>& tau, double a1, double a2) {
  const std::vector<double> qdd = from_rest(tau);
  EXPECT_NEAR(qdd[0], a1, 1e-14);
  EXPECT_NEAR(qdd[1], a2, 1e-14);
}

TEST(CarriageAndBlock, BothStick) {
  expect_accelerations({0, 0}, 0, 0);
  expect_accelerations({c1, 0}, 0, 0);
  expect_accelerations({-c1, -c2}, 0, 0);
}

TEST(CarriageAndBlock, TheBlockRidesUntilItsFrictionGivesWay) {
  const double most = c1 + (m1 + m2) * c2 / m2;  // of τ1, 6.5
  expect_accelerations({5.0, 0}, (5.0 - c1) / (m1 + m2), 0);
  expect_accelerations({most, 0}, c2 / m2, 0);
  const double tau1 = most + 1.0;
  const double a1 = (tau1 - c1 - c2) / m1;
  expect_accelerations({tau1, 0}, a1, c2 / m2 - a1);
  expect_accelerations({-tau1, 0}, -a1, a1 - c2 / m2);
}

TEST(CarriageAndBlock, TheBlockPushesTheCarriageOnlyBeyondBothLevels) {
  expect_accelerations({0, c1 + c2 - 0.5}, 0, (c1 - 0.5) / m2);
  const double tau2 = c1 + c2 + 1.5;
  // m2 (a1 + a2) = τ2 − c2; m1 a1 = −τ2 + c2 + c1
  const double a1 = -1.5 / m1;
  expect_accelerations({0, tau2}, a1, (tau2 - c2) / m2 - a1);
}

TEST(CarriageAndBlock, StopTogetherAndStay) {
  // Sliding at v0 without torques: the block rides if the carriage's braking asks less than c2 of
  // it. Braking: a1 = −c1/(m1 + m2) = −0.8 needs m2·0.8 = 1.6 > c2: the block slides on, braked by
  // c2. m1 a1 = −c1 + c2 = −3: a1 = −1; a1 + a2 = −c2/m2 = −0.5: a2 = 0.5. The carriage stops at t
  // = v0, the block slides on at −0.5 over the still carriage (c2 < c1 holds it) until t = 2 v0.
  SimulationOptions options;
  options.step = 0.033;
  options.duration = 4.0;
  const Simulated found = run_simulation(carriage_and_block(), {0, 0}, {1.0, 0}, {0, 0}, options);
  EXPECT_NEAR(found.last().q[0], 0.5, 1e-12);
  EXPECT_NEAR(found.last().q[1], 0.5, 1e-12);
  EXPECT_NEAR(found.result.joints[0].at_rest_since, 1.0, 1e-12);
  EXPECT_NEAR(found.result.joints[1].at_rest_since, 2.0, 1e-12);
  EXPECT_NEAR(found.result.energy.losses, 0.5 * (m1 + m2), 1e-12);
}

TEST(JointsAtRest, SatisfyTheirConditionsOnRandomArms) {
  std::size_t moving = 0, sticking = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomArm random(seed);
    const std::size_t n = 1 + seed % 8;
    Arm arm = random.arm(n);
    for (Drive& drive : arm.drives) {
      const double c = std::abs(random.numbers(1, 20.0)[0]);
      drive.friction.coulomb = {c, 0.5 * c};
      if (seed % 2 == 0) drive.friction.breakaway = TwoSided{1.5 * c, c};
    }
    const auto q = random.numbers(n, 3.0), tau = random.numbers(n, 60.0);
    const std::vector<double> qd(n);
    const Wrench wrench = random.wrench();

    Plant plant(arm, {}, ForwardMethod::composite);
    StickSlip stick_slip(plant);
    std::vector<JointMode> modes(n, JointMode::sticking);
    std::vector<double> M(n * n), h(n), losses(n), qdd(n), margin(n), needed(n);
    plant.dynamics().mass_matrix(q, M);
    plant.dynamics().bias(q, qd, wrench, h);
    const LoadedState state{q, qd, tau, wrench, M, h};
    stick_slip.settle(state, modes);
    std::vector<int> directions(n);
    for (std::size_t i = 0; i < n; ++i) directions[i] = direction(modes[i]);
    loss_torques(plant.arm(), q, qd, directions, losses);
    stick_slip.accelerations(state, modes, losses, qdd, margin);
    InverseDynamics(arm).torque({q, qd, qdd}, wrench, needed);
    for (std::size_t i = 0; i < n; ++i) {
      const double friction = tau[i] - needed[i];  // what is left for it to take
      const TwoSided held = breakaway_torque(arm.drives[i], q[i]);
      const TwoSided sliding = arm.drives[i].friction.coulomb;
      const double rounding = 1e-9;
      if (modes[i] == JointMode::sticking) {
        ++sticking;
        EXPECT_EQ(qdd[i], 0.0);
        EXPECT_LE(friction, held.positive + rounding) << seed;
        EXPECT_GE(friction, -held.negative - rounding) << seed;
      } else {
        ++moving;
        EXPECT_NEAR(friction, qdd[i] > 0 ? sliding.positive : -sliding.negative, rounding) << seed;
        EXPECT_EQ(qdd[i] > 0, modes[i] == JointMode::forward) << seed;
      }
    }
  }
  EXPECT_GT(moving, 300U);
  EXPECT_GT(sticking, 100U);
}

}  // namespace
}  // namespace armdyn::testing
