// Energy neither comes nor goes but through torques, the TCP and friction; what the audit finds
// missing is the integrator's error, and falls with its order.

#include <gtest/gtest.h>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>

#include "support/paths.hpp"
#include "support/random_arm.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

Arm shipped_arm(const std::string& name) {
  return normalize(read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot);
}

Arm without_losses(Arm arm) {
  for (Drive& drive : arm.drives) {
    drive.friction = {};
    drive.motor.viscous = 0.0;
    drive.motor.coulomb = {};
  }
  return arm;
}

TEST(Energy, OfAFreeArmIsConservedToTheIntegratorsOrder) {
  const Arm arm = without_losses(shipped_arm("puma560"));
  const std::vector<double> q0{0.3, -0.4, 0.5, 0.2, 0.6, -0.3}, qd0{0.5, 0.1, -1, 2, 1, -3};
  const auto drift = [&](double step) {
    SimulationOptions options;
    options.step = step;
    options.duration = 1.0;
    const EnergyAudit energy =
        run_simulation(arm, q0, qd0, std::vector<double>(6), options).result.energy;
    EXPECT_EQ(energy.work, 0.0);
    EXPECT_EQ(energy.losses, 0.0);
    return std::abs(energy.imbalance());
  };
  const double coarse = drift(8e-3), fine = drift(4e-3);
  EXPECT_GT(std::log2(coarse / fine), 3.8);  // 5 where the leading term conserves energy
  EXPECT_LT(drift(1e-3), 1e-9);
}

TEST(Energy, IsAccountedForUnderTorquesFrictionAndAHandWrench) {
  const Arm arm = shipped_arm("puma560");
  ConstantTorque input({5.0, -20.0, 3.0, 1.0, -1.0, 0.5}, {{10.0, -5.0, 3.0}, {0.5, 0.2, -0.4}});
  for (const Integrator integrator : {Integrator::rk4, Integrator::dopri5, Integrator::rkf78}) {
    SimulationOptions options;
    options.integrator = integrator;
    options.tolerance = 1e-10;  // which rules the steps of adaptive ones
    options.duration = 2.0;
    const EnergyAudit energy =
        run_simulation(arm, {}, {0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 2}, input, options)
            .result.energy;
    EXPECT_GT(energy.losses, 1.0);
    EXPECT_GT(std::abs(energy.contact_work), 1.0);
    EXPECT_GT(std::abs(energy.work), 1.0);
    EXPECT_NEAR(energy.imbalance(), 0.0, 1e-8);
  }
}

TEST(Energy, IsConservedOnRandomArms) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomArm random(seed);
    const std::size_t n = 1 + seed % 5;
    const Arm arm = random.arm(n);
    SimulationOptions options;
    options.integrator = Integrator::rkf78;
    options.tolerance = 1e-12;
    options.step = 0.01;
    options.duration = 0.2;
    const EnergyAudit energy = run_simulation(arm, random.numbers(n, 3.0), random.numbers(n, 1.0),
                                              std::vector<double>(n), options)
                                   .result.energy;
    EXPECT_NEAR(energy.imbalance(), 0.0, 1e-9 * (1.0 + std::abs(energy.at_start))) << seed;
  }
}

}  // namespace
}  // namespace armdyn::testing
