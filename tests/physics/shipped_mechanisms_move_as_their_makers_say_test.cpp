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
    const Transform tcp = pose(arm, random.numbers(4, 1.5)).tcp_in_world;
    EXPECT_NEAR(tcp.R.row_z.z, -1.0, 1e-14);
    EXPECT_NEAR(tcp.R.row_z.x, 0.0, 1e-14);
  }
}

TEST(ScaraQuill, MovesByItsPitch) {
  const Robot robot = mechanism("scara-quill");
  const Arm arm = normalize(robot);
  const std::vector<double> before{0.2, 0.4, 1.0}, after{0.2, 0.4, 1.0 + 2.0 * std::numbers::pi};
  const Transform a = pose(arm, before).tcp, b = pose(arm, after).tcp;
  EXPECT_NEAR(b.p.z - a.p.z, -0.02, 1e-15);  // z points down behind alpha = pi
  EXPECT_NEAR(b.R.row_x.x, a.R.row_x.x, 1e-15);
  // Gravity alone: the weight of quill and payload, times the way per radian.
  const std::vector<double> still(3);
  const double G = torque(normalize(robot), {before, still, still})[2];
  EXPECT_NEAR(G, -(1.2 + 2.0) * 9.81 * 0.02 / (2.0 * std::numbers::pi), 1e-15);
}

// Values of the book's algorithm, (8.50)-(8.53) of Lynch and Park, by a program of its own from these
// equations: twists and wrenches by adjoint maps, matrix exponentials of screws.
struct OfTheBook {
  std::vector<double> q, qd, qdd, tip, tau;  // tip: moment, then force
};
const std::vector<OfTheBook> of_the_book{
    {{0.0, std::numbers::pi / 6, std::numbers::pi / 4, std::numbers::pi / 3, std::numbers::pi / 2,
      2 * std::numbers::pi / 3},
     std::vector<double>(6, 0.2),
     std::vector<double>(6, 0.1),
     std::vector<double>(6, 0.1),
     {0.012767052743949125, -41.147698109029605, -3.780933815739536, 0.032309909934481074,
      0.03695290491670024, 0.10336745867780506}},
    {{1.83, 1.85, 0.09, -1.29, -2.68, -0.7},
     {-0.37, -1.82, -1.8, 2.0, 0.61, -1.06},
     {-0.52, 3.79, 3.18, 2.75, -0.86, -0.06},
     {1.77, -4.39, 0.56, -2.29, 3.8, -4.36},
     {-1.3944236459155284, 34.46128993531246, 13.781890829006521, 2.675481527550491,
      4.416230929887728, 0.39933637471783845}},
    {{-2.91, 2.6, -2.49, 2.07, -0.79, 2.71},
     {-0.4, 1.75, 0.22, -1.04, 0.97, 0.7},
     {1.47, -0.29, -2.22, 1.13, -3.14, 1.54},
     {1.35, -1.23, 2.99, -3.06, -1.1, 2.98},
     {0.01371982717871015, 23.97446663092137, -16.83243980390402, 2.9001728228223,
      -2.623317191379879, 3.0405537549562607}}};

TEST(Ur5ByScrews, HasTheTorquesOfTheBook) {
  const Arm arm = normalize(mechanism("ur5-screws"));
  for (const auto& [q, qd, qdd, tip, expected] : of_the_book) {
    const Wrench wrench{{tip[3], tip[4], tip[5]}, {tip[0], tip[1], tip[2]}};
    for (const Method method : all_methods) {
      std::vector<double> tau(6);
      InverseDynamics(arm, method).torque({q, qd, qdd}, wrench, tau);
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_NEAR(tau[i], expected[i], 1e-13) << name(method) << ", joint " << i + 1;
      }
    }
  }
}

TEST(Ur5ByScrews, FallsAsInTheBook) {
  SimulationOptions options;
  options.integrator = Integrator::dopri5;
  options.tolerance = 1e-11;
  options.duration = 2.0;
  const std::vector<double> still(6);
  const Simulated run =
      run_simulation(normalize(mechanism("ur5-screws")), still, still, still, options);
  // After 2 s, by RK4 at 1 ms on the book's ForwardDynamics.
  const std::vector<double> expected{-0.0015062571977982346, 0.41015071728136127,
                                     -0.4809119827666095,    0.10961120909564791,
                                     -0.002975010357792448,  -0.03634712459026177};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(run.last().q[i], expected[i], 1e-7) << i;
}

/// A massless bar in a vertical plane with a spring from the height h above its axis to the distance b
/// along it.
Arm bar_with(Spring spring, double h, double b) {
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {0.0, -9.81, 0.0};
  robot.joints.emplace_back().name = "bar";
  spring.from = {"base", {0.0, h, 0.0}};
  spring.to = {"bar", {b, 0.0, 0.0}};
  robot.springs = {spring};
  return normalize(robot);
}

TEST(SpringBetweenPoints, PullsByTheSlopeOfItsLength) {
  constexpr double h = 0.4, b = 0.15;
  Spring spring;
  spring.free_length = 0.3;
  spring.preload = 20.0;
  spring.stiffness = 900.0;
  Spring gas;  // pushes
  gas.table = {{0.25, -900.0}, {0.4, -700.0}, {0.55, -620.0}};
  const Arm with_spring = bar_with(spring, h, b), with_gas = bar_with(gas, h, b);
  for (double q = -3.0; q < 3.0; q += 0.25) {
    const double length = std::sqrt(h * h + b * b - 2.0 * h * b * std::sin(q)),
                 slope = -h * b * std::cos(q) / length, stretch = length - 0.3;
    const std::vector<double> at{q}, still{0.0};
    for (const Method method : all_methods) {
      std::vector<double> tau(1);
      InverseDynamics(with_spring, method).torque({at, still, still}, {}, tau);
      EXPECT_NEAR(tau[0], (20.0 + 900.0 * stretch) * slope, 1e-12) << q;
      InverseDynamics(with_gas, method).torque({at, still, still}, {}, tau);
      const double force = length < 0.4 ? -900.0 + (length - 0.25) * (200.0 / 0.15)
                                        : -700.0 + (length - 0.4) * (80.0 / 0.15);
      EXPECT_NEAR(tau[0], force * slope, 1e-12) << q;
    }
    EXPECT_NEAR(potential_energy(with_spring, at), 20.0 * stretch + 450.0 * stretch * stretch,
                1e-12);
    std::vector<TwoDoubles> exact(1);
    reference_torque(with_gas, {at, still, still}, {}, exact);
    EXPECT_NEAR(exact[0].head, torque(with_gas, {at, still, still})[0], 1e-12);
  }
}

TEST(Springs, KeepTheEnergyOfAnArmThatSwings) {
  Robot robot = mechanism("balanced-link");
  robot.springs[0].free_length = 0.1;
  robot.springs[0].preload = 15.0;
  robot.springs[1].stiffness = 0.0;
  robot.springs[1].table = {{0.1, -60.0}, {0.2, 10.0}, {0.25, 80.0}};
  Spring stop;
  stop.row = {{"j1", 1.0}, {"j2", 0.5}};
  stop.rest = 0.2;
  stop.piecewise = {{-0.4, 90.0}, {-0.2, 5.0}, {0.2, 90.0}};
  robot.springs.push_back(stop);
  SimulationOptions options;
  options.integrator = Integrator::dopri5;
  options.tolerance = 1e-11;
  options.duration = 2.0;
  const Simulated run =
      run_simulation(normalize(robot), {0.3, 0.4}, {1.5, -2.0}, {1.0, 0.5}, options);
  EXPECT_NEAR(run.result.energy.imbalance(), 0.0, 1e-7);
  EXPECT_GT(std::abs(run.last().q[0] - 0.3), 0.1);
}

TEST(ShippedMechanisms, KeepTheirEnergy) {
  for (const char* const name : {"five-bar-spong", "balanced-link", "palletizer", "dual-arm-planar",
                                 "scara-quill", "ur5-screws"}) {
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
