// Two point masses of 1 kg on links of 1 m, stretched, 30° from hanging under g = 10 m/s²: gravity
// asks for G2 = 1·10·½ = 5 N·m, G1 = 2·10·½ + 5 = 15 N·m. M = [5, 2; 2, 1]. Joint 1 holds c1 = 10.
//
//   joint 2 slides, 1 sticks: a2 = (−5 + c2)/1, joint 1 holds 15 + 2 a2 = 5 + 2 c2 ≤ 10: c2 ≤ 2.5,
//                             less than G1 since the falling link 2 relieves it
//   joint 1 slides, 2 sticks: a1 = (−15 + 10)/5 = −1, joint 2 holds 5 + 2 a1 = 3: c2 ≥ 3
//   both slide in between:    5 a1 + 2 a2 = −5, 2 a1 + a2 = −5 + c2: a1 = 5 − 2 c2, a2 = −15 + 5 c2
//   both stick:               c1 ≥ 15 and c2 ≥ 5

#include <gtest/gtest.h>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

Robot two_links(double c1, double c2) {
  Robot robot;
  robot.gravity = {0.0, -10.0, 0.0};
  robot.joints.resize(2);
  const double levels[] = {c1, c2};
  for (std::size_t i = 0; i < 2; ++i) {
    robot.joints[i].dh.a = 1.0;
    robot.joints[i].body.mass = 1.0;
    robot.joints[i].friction.coulomb = {levels[i], levels[i]};
  }
  return robot;
}

const std::vector<double> thirty_degrees{-std::numbers::pi / 3, 0.0};

void expect_two_links_to_start(double c1, double c2, double a1, double a2) {
  SimulationOptions options;
  options.duration = 0.0;
  const Simulated found =
      run_simulation(normalize(two_links(c1, c2)), thirty_degrees, {0, 0}, {0, 0}, options);
  EXPECT_NEAR(found.rows[0].qdd[0], a1, 1e-13) << c2;
  EXPECT_NEAR(found.rows[0].qdd[1], a2, 1e-13) << c2;
  EXPECT_EQ(found.result.joints[0].at_rest, a1 == 0.0) << c2;
  EXPECT_EQ(found.result.joints[1].at_rest, a2 == 0.0) << c2;
}

TEST(TwoLinks, StickInTheRangesThatFollowByHand) {
  constexpr double little = 1e-9;
  for (const double c2 : {0.5, 2.0, 2.5 - little}) expect_two_links_to_start(10, c2, 0, c2 - 5);
  for (const double c2 : {2.5 + little, 2.75, 3.0 - little}) {
    expect_two_links_to_start(10, c2, 5 - 2 * c2, -15 + 5 * c2);
  }
  for (const double c2 : {3.0 + little, 4.0, 6.0}) expect_two_links_to_start(10, c2, -1, 0);
  expect_two_links_to_start(15 + little, 5 + little, 0, 0);
  expect_two_links_to_start(15 - little, 6, -little / 5, 0);
  expect_two_links_to_start(16, 5 - little, 0, -little);
}

TEST(TwoLinks, ComeToRestWhereFrictionHoldsThemByEveryIntegrator) {
  const Arm arm = normalize(two_links(2.0, 0.75));
  std::vector<std::vector<double>> ends;
  for (const Integrator integrator : {Integrator::rk4, Integrator::dopri5, Integrator::rkf78}) {
    SimulationOptions options;
    options.integrator = integrator;
    options.tolerance = 1e-12;
    options.step = 5e-4;
    options.duration = 15.0;
    const Simulated found = run_simulation(arm, {-0.3, 0.9}, {0, 0}, {0, 0}, options);
    ASSERT_TRUE(found.result.joints[0].at_rest && found.result.joints[1].at_rest);
    const double last_stop =
        std::max(found.result.joints[0].at_rest_since, found.result.joints[1].at_rest_since);
    EXPECT_LT(last_stop, 14.0);
    for (const SimulatedRow& row : found.rows) {
      if (row.t <= last_stop) continue;
      ASSERT_EQ(row.q, found.last().q) << "creeps";
      ASSERT_EQ(row.qd, (std::vector<double>{0, 0}));
    }
    for (const JointHistory& joint : found.result.joints) EXPECT_LT(joint.stops, 60U) << "chatters";
    const double q1 = found.last().q[0], q12 = q1 + found.last().q[1];
    EXPECT_LE(std::abs(20 * std::cos(q1) + 10 * std::cos(q12)), 2.0);
    EXPECT_LE(std::abs(10 * std::cos(q12)), 0.75);
    ends.push_back(found.last().q);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(ends[0][i], ends[2][i], 1e-7);
    EXPECT_NEAR(ends[1][i], ends[2][i], 1e-7);
  }
}

}  // namespace
}  // namespace armdyn::testing
