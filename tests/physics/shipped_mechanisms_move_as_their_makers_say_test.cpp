// The mechanisms in robots/mechanisms, held against closed forms of books, and their energy.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>
#include <numbers>

#include "dynamics/compare.hpp"
#include "dynamics/friction.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

Robot mechanism(const std::string& name) {
  return shipped_robot("mechanisms/" + name);
}

TEST(FiveBar, HasTheTorquesOfItsClosedForm) {
  const Arm arm = normalize(mechanism("five-bar-spong"));
  const std::vector<double> q{0.3, 1.1}, qd{0.7, -0.4}, qdd{1.2, 0.5};
  for (const Method method : all_methods) {
    std::vector<double> tau(2);
    InverseDynamics(arm, method).torque({q, qd, qdd}, {}, tau);
    EXPECT_NEAR(tau[0], 59.933439062221865, 59.9 * 1e-14) << name(method);
    EXPECT_NEAR(tau[1], 2.3967208263397106, 59.9 * 1e-14) << name(method);
  }
  std::vector<TwoDoubles> exact(2);
  reference_torque(arm, {q, qd, qdd}, {}, exact);
  EXPECT_NEAR(exact[0].head, 59.933439062221865, 1e-14);
  EXPECT_NEAR(exact[1].head, 2.3967208263397106, 1e-14);
}

TEST(FiveBar, IsDecoupledWhereSpongSaysSo) {
  // m3 l2 lc3 = m4 l1 lc4: M is constant and diagonal, and there are no velocity torques.
  Robot robot = mechanism("five-bar-spong");
  robot.followers[0].body.mass = 4.0;
  robot.followers[0].body.com.x = 0.48;
  const Arm arm = normalize(robot);
  RandomArm random(7);
  const Matrix first = mass_matrix(arm, std::vector<double>{0.0, 0.0});
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> q = random.numbers(2, 3.0), qd = random.numbers(2, 3.0);
    const Equations found = equations(arm, q, qd);
    EXPECT_NEAR(found.M(0, 1), 0.0, 1e-14);
    EXPECT_NEAR(found.M(0, 0), first(0, 0), 1e-13);
    EXPECT_NEAR(found.M(1, 1), first(1, 1), 1e-13);
    EXPECT_NEAR(found.V[0], 0.0, 1e-13);
    EXPECT_NEAR(found.V[1], 0.0, 1e-13);
  }
}

TEST(BalancedLink, NeedsNoTorqueAtRest) {
  const Arm arm = normalize(mechanism("balanced-link"));
  RandomArm random(8);
  const double energy = potential_energy(arm, std::vector<double>{0.0, 0.0});
  for (int k = 0; k < 50; ++k) {
    const std::vector<double> q = random.numbers(2, 4.0), still{0.0, 0.0};
    for (const double tau : torque(arm, {q, still, still})) EXPECT_NEAR(tau, 0.0, 1e-13);
    EXPECT_NEAR(potential_energy(arm, q), energy, 1e-12);
  }
}

TEST(Palletizer, KeepsItsFlangeLevel) {
  const Arm arm = normalize(mechanism("palletizer"));
  RandomArm random(9);
  for (int k = 0; k < 20; ++k) {
    const Transform hand = pose(arm, random.numbers(4, 1.5)).hand_in_world;
    EXPECT_NEAR(hand.R.row_z.z, -1.0, 1e-14);
    EXPECT_NEAR(hand.R.row_z.x, 0.0, 1e-14);
  }
}

TEST(ScaraQuill, MovesByItsPitch) {
  const Robot robot = mechanism("scara-quill");
  const Arm arm = normalize(robot);
  const std::vector<double> before{0.2, 0.4, 1.0}, after{0.2, 0.4, 1.0 + 2.0 * std::numbers::pi};
  const Transform a = pose(arm, before).hand, b = pose(arm, after).hand;
  EXPECT_NEAR(b.p.z - a.p.z, -0.02, 1e-15);  // z points down behind alpha = pi
  EXPECT_NEAR(b.R.row_x.x, a.R.row_x.x, 1e-15);
  // Gravity alone: the weight of quill and payload, times the way per radian.
  const std::vector<double> still(3);
  const double G = torque(normalize(robot), {before, still, still})[2];
  EXPECT_NEAR(G, -(1.2 + 2.0) * 9.81 * 0.02 / (2.0 * std::numbers::pi), 1e-15);
}

TEST(ShippedMechanisms, KeepTheirEnergy) {
  for (const char* const name :
       {"five-bar-spong", "balanced-link", "palletizer", "dual-arm-planar", "scara-quill"}) {
    const Robot robot = mechanism(name);
    const std::size_t n = robot.dof();
    SimulationOptions options;
    options.integrator = Integrator::dopri5;
    options.tolerance = 1e-11;
    options.duration = 1.0;
    const std::vector<double> q(n, 0.3), qd(n, 0.5);
    // With the friction and rotors of its drives, and without.
    for (const Arm& arm : {normalize(robot), without_drives(normalize(robot))}) {
      const EnergyAudit energy =
          run_simulation(arm, q, qd, std::vector<double>(n, 1.0), options).result.energy;
      EXPECT_NEAR(energy.imbalance(), 0.0, 1e-7) << name;
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
