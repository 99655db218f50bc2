// An adaptive integrator takes steps of its own: how many, and how wrong they are, is the tolerance's
// business and not that of the rows.

#include <gtest/gtest.h>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

Simulated run(const Arm& arm, const std::vector<double>& q0, Integrator integrator,
              double tolerance, double step) {
  SimulationOptions options = options_of(2.0, step);
  options.integrator = integrator;
  options.tolerance = tolerance;
  options.stop_at_limits = false;
  return run_simulation(arm, q0, std::vector<double>(q0.size()), std::vector<double>(q0.size()),
                        options);
}

double largest_difference(const Simulated& a, const Simulated& b) {
  EXPECT_EQ(a.rows.size(), b.rows.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    for (std::size_t i = 0; i < a.rows[k].q.size(); ++i) {
      largest = std::max(largest, std::abs(a.rows[k].q[i] - b.rows[k].q[i]));
    }
  }
  return largest;
}

TEST(AdaptiveSteps, AreFewerAndWrongerWithALargerTolerance) {
  const Arm arm = normalize(shipped_robot("two-link-spong"));
  const std::vector<double> q0{0.3, -0.4};
  for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
    const Simulated exact = run(arm, q0, Integrator::rk4, 1.0, 1e-4);
    Simulated fine;
    for (std::size_t k = 0; k < exact.rows.size(); k += 10) fine.rows.push_back(exact.rows[k]);
    double error_before = 1.0;
    std::size_t steps_before = 0;
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      const Simulated found = run(arm, q0, integrator, tolerance, 1e-3);
      const double error = largest_difference(found, fine);
      EXPECT_LT(error, 3000 * tolerance);
      EXPECT_LT(error, 0.3 * error_before);
      EXPECT_GT(found.result.steps, steps_before);
      EXPECT_LT(found.result.steps, 1500U);
      error_before = error;
      steps_before = found.result.steps;
    }
  }
}

TEST(AdaptiveSteps, AreTheSameWhateverRowsAreAskedFor) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomArm random(600 + seed);
    Robot robot = random.robot(2);
    for (Joint& joint : robot.joints) {
      joint.motor.rotor_inertia = 1.0;
      if (seed % 2 == 0) joint.friction.coulomb = {2.0, 3.0};
    }
    const Arm arm = normalize(robot);
    const std::vector<double> q0 = random.numbers(2, 1.5);
    for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
      const Simulated often = run(arm, q0, integrator, 1e-7, 0.01);
      const Simulated rarely = run(arm, q0, integrator, 1e-7, 0.5);
      EXPECT_EQ(often.result.steps, rarely.result.steps);
      ASSERT_EQ(often.rows.size(), 201U);
      ASSERT_EQ(rarely.rows.size(), 5U);
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(often.rows[50 * k].t, rarely.rows[k].t);
        EXPECT_EQ(often.rows[50 * k].q, rarely.rows[k].q);
        EXPECT_EQ(often.rows[50 * k].qd, rarely.rows[k].qd);
        EXPECT_EQ(often.rows[50 * k].qdd, rarely.rows[k].qdd);
      }
      EXPECT_EQ(often.result.energy.losses, rarely.result.energy.losses);
    }
  }
}

// A mass of 1 kg swings half with 20 rad/s and half with 10 rad/s: from the joint, and between two points.
TEST(AdaptiveSteps, KeepTheToleranceWhereTheStiffnessOfASpringJumps) {
  Robot at_joint;
  at_joint.name = "mass";
  at_joint.gravity = {};
  at_joint.joints.resize(1);
  at_joint.joints[0].name = "slide";
  at_joint.joints[0].type = JointType::prismatic;
  at_joint.joints[0].body.mass = 1.0;
  Robot between_points = at_joint;
  Spring spring;
  spring.piecewise = {{-1.0, 100.0}, {0.0, 400.0}};
  spring.row = {{"slide", 1.0}};
  at_joint.springs = {spring};
  spring.row.clear();
  spring.from = {"base", {0.0, 0.0, -1.0}};
  spring.to = {"slide", {}};
  spring.free_length = 1.0;
  between_points.springs = {spring};
  SimulationOptions options = options_of(std::numbers::pi * (1.0 / 20.0 + 1.0 / 10.0), 0.1);
  for (const Robot& robot : {at_joint, between_points}) {
    for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
      for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
        options.integrator = integrator;
        options.tolerance = tolerance;
        const Simulated run = run_simulation(normalize(robot), {0.3}, {0.0}, {0.0}, options);
        EXPECT_NEAR(run.rows.back().q[0], 0.3, 300 * tolerance) << tolerance;
        EXPECT_LT(run.result.steps, 1000U);
      }
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
