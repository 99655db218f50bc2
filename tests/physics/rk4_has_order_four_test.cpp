// Halving the step divides the error by 16 (of Euler by 2), for torques that are smooth, sampled, and stopped by
// friction in between.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>

#include "support/paths.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

/// τ_i = amplitude·sin(ω t + i)
class SineTorque final : public TorqueInput {
 public:
  double begin_stretch(double, std::span<const double>, std::span<const double>) override {
    return 1e300;
  }
  void evaluate(double t, std::span<const double>, std::span<const double>, std::span<double> tau,
                Wrench& wrench) override {
    for (std::size_t i = 0; i < tau.size(); ++i) {
      tau[i] = 20.0 * std::sin(5.0 * t + static_cast<double>(i));
    }
    wrench = {};
  }
};

double order(const Arm& arm, const std::vector<double>& q0, const std::vector<double>& qd0,
             double step, Integrator integrator = Integrator::rk4) {
  const auto end = [&](double h) {
    SineTorque input;
    SimulationOptions options;
    options.step = h;
    options.integrator = integrator;
    options.duration = 1.0;
    const SimulatedRow row = run_simulation(arm, {}, q0, qd0, input, options).last();
    std::vector<double> state = row.q;
    state.insert(state.end(), row.qd.begin(), row.qd.end());
    return state;
  };
  const auto a = end(step), b = end(step / 2), c = end(step / 4);
  double first = 0.0, second = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    first += (a[i] - b[i]) * (a[i] - b[i]);
    second += (b[i] - c[i]) * (b[i] - c[i]);
  }
  return 0.5 * std::log2(first / second);
}

TEST(RungeKutta4, HasOrderFourForAFrictionlessArm) {
  const Arm rr = normalize(read_robot_file(shipped_robots_folder() + "/craig-rr.yaml").robot);
  const double found = order(rr, {0.3, -0.8}, {0, 0}, 1e-3);
  EXPECT_GT(found, 3.9);
  EXPECT_LT(found, 4.1);
}

TEST(Euler, HasOrderOne) {
  const Arm rr = normalize(read_robot_file(shipped_robots_folder() + "/craig-rr.yaml").robot);
  const double found = order(rr, {0.3, -0.8}, {0, 0}, 1e-4, Integrator::euler);
  EXPECT_GT(found, 0.9);
  EXPECT_LT(found, 1.1);
}

TEST(RungeKutta4, HasOrderFourForAPumaWithFrictionThatSticksAndSlips) {
  const Arm puma = normalize(read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot);
  const double found = order(puma, {0.3, -0.4, 0.5, 0.2, 0.6, -0.3}, {0, 0, 0, 0, 0, 0}, 4e-3);
  EXPECT_GT(found, 3.9);
  EXPECT_LT(found, 4.1);
}

}  // namespace
}  // namespace armdyn::testing
