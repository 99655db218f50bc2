// The error that a simulation estimates of itself is held against its true error, that to a run with
// steps a hundred times shorter: arms by chance, smooth and with friction that sticks and slips.

#include <gtest/gtest.h>
#include <armdyn/simulation.hpp>

#include <algorithm>
#include <cmath>

#include "support/random_arm.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

class SwingingTorque final : public TorqueInput {
 public:
  explicit SwingingTorque(std::vector<double> amplitude) : amplitude_(std::move(amplitude)) {}
  double begin_stretch(double, std::span<const double>, std::span<const double>) override {
    return std::numeric_limits<double>::infinity();
  }
  void evaluate(double t, std::span<const double>, std::span<const double>, std::span<double> tau,
                Wrench& wrench) override {
    for (std::size_t i = 0; i < tau.size(); ++i) {
      tau[i] = amplitude_[i] * std::sin(9.0 * t + static_cast<double>(i));
    }
    wrench = {};
  }

 private:
  std::vector<double> amplitude_;
};

struct Errors {
  std::vector<double> estimated, real;
  std::size_t stops = 0;
};

/// Of q and then q̇, each joint; with steps of 1/divisor s.
Errors errors(const Arm& arm, const std::vector<double>& q0, double amplitude, double divisor,
              SimulationOptions options) {
  const std::size_t n = arm.dof();
  const std::vector<double> qd0(n);
  options.duration = 1.0;
  options.step = 1.0 / divisor;
  options.stop_at_limits = false;
  const auto run = [&](const SimulationOptions& with) {
    SwingingTorque input(std::vector<double>(n, amplitude));
    return run_simulation(arm, {}, q0, qd0, input, with);
  };
  SimulationOptions fine = options;
  fine.integrator = Integrator::rk4;
  fine.step = options.step / 100;
  fine.every = 100;
  options.estimate_error = true;
  const Simulated coarse = run(options), exact = run(fine);
  EXPECT_EQ(coarse.rows.size(), exact.rows.size());
  Errors found{coarse.result.error->q, std::vector<double>(2 * n), 0};
  found.estimated.insert(found.estimated.end(), coarse.result.error->qd.begin(),
                         coarse.result.error->qd.end());
  for (std::size_t k = 0; k < coarse.rows.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const SimulatedRow &a = coarse.rows[k], &b = exact.rows[k];
      found.real[i] = std::max(found.real[i], std::abs(a.q[i] - b.q[i]));
      found.real[n + i] = std::max(found.real[n + i], std::abs(a.qd[i] - b.qd[i]));
    }
  }
  for (const JointHistory& joint : coarse.result.joints) found.stops += joint.stops;
  return found;
}

constexpr double rounding = 1e-10;

TEST(EstimatedError, IsTheTrueOneOfSmoothMotions) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    RandomArm random(300 + seed);
    Robot robot = random.robot(2);
    for (Joint& joint : robot.joints) joint.motor.rotor_inertia = 1.0;
    const Errors found = errors(normalize(robot), random.numbers(2, 1.5), 10.0, 100.0, {});
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(found.estimated[i], found.real[i], 0.02 * found.real[i] + rounding)
          << seed << " " << i;
    }
  }
}

TEST(EstimatedError, IsNotTooSmallWhereJointsStickAndSlip) {
  std::size_t stops = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomArm random(400 + seed);
    Robot robot = random.robot(2);
    robot.gravity = {};
    for (Joint& joint : robot.joints) {
      joint.motor.rotor_inertia = 2.0;
      joint.friction.coulomb = {6.0, 9.0};
      joint.friction.viscous = 0.5;
      if (seed % 2 == 0) {
        joint.friction.breakaway = TwoSided{9.0, 11.0};
        joint.friction.stribeck_velocity = 0.3;
      }
    }
    const Errors found = errors(normalize(robot), random.numbers(2, 1.5), 13.0, 200.0, {});
    stops += found.stops;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_GE(found.estimated[i], 0.5 * found.real[i] - rounding) << seed << " " << i;
    }
  }
  EXPECT_GT(stops, 40U);
}

TEST(EstimatedError, OfAnAdaptiveIntegratorIsNotTooSmallEither) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomArm random(500 + seed);
    Robot robot = random.robot(2);
    for (Joint& joint : robot.joints) {
      joint.motor.rotor_inertia = 1.0;
      if (seed % 2 == 0) joint.friction.coulomb = {3.0, 3.0};
    }
    for (const Integrator integrator : {Integrator::dopri5, Integrator::rkf78}) {
      SimulationOptions options;
      options.integrator = integrator;
      options.tolerance = 1e-6;
      const Errors found = errors(normalize(robot), random.numbers(2, 1.5), 20.0, 50.0, options);
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_GE(found.estimated[i], 0.7 * found.real[i] - rounding) << seed << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
