// Motors whose speeds are A q̇ and whose torques reach the joints by Aᵀ (docs/derivation.md, section
// 31), against the same written out by hand, against gears, and against energy.

#include <gtest/gtest.h>
#include <armdyn/certified.hpp>
#include <armdyn/equations.hpp>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/regressor.hpp>
#include <armdyn/simulation.hpp>

#include <cmath>

#include "support/near.hpp"
#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

using Row = std::vector<double>;

struct CoupledState {
  Row q, qd, qdd;
};

CoupledState random_state(RandomArm& random, std::size_t n) {
  return {random.numbers(n, 3.0), random.numbers(n, 2.0), random.numbers(n, 5.0)};
}

/// A random arm some of whose motors are coupled, with all that such a motor can have.
Robot coupled_robot(RandomArm& random, std::size_t dof, std::vector<std::size_t> joints) {
  Robot robot = random.robot(dof);
  for (const std::size_t i : joints) {
    robot.joints[i].friction.viscous = 0.4;
    robot.joints[i].friction.sigmoid = {0.7, 3.0, 0.1};
    robot.joints[i].motor = {.rotor_inertia = 1e-4 * static_cast<double>(i + 1),
                             .viscous = 2e-4,
                             .coulomb = {0.02, 0.03}};
  }
  const std::size_t k = joints.size();
  Coupling coupling{std::move(joints), random.numbers(k * k, 20.0), Row(k)};
  for (std::size_t m = 0; m < k; ++m) coupling.matrix[m * k + (m + 1) % k] += 60.0;  // regular
  robot.couplings.push_back(std::move(coupling));
  return robot;
}

/// Written out: links and joints without these motors, and Aᵀ τ_m.
Row torque_by_hand(const Robot& robot, const CoupledState& x) {
  Robot uncoupled = robot;
  uncoupled.couplings.clear();
  Row expected(robot.dof());
  for (const Coupling& coupling : robot.couplings) {
    for (const std::size_t i : coupling.joints) uncoupled.joints[i].motor = {};
    for (std::size_t m = 0; m < coupling.joints.size(); ++m) {
      double speed = 0.0, acceleration = 0.0;
      for (std::size_t j = 0; j < coupling.joints.size(); ++j) {
        speed += coupling.ratio(m, j) * x.qd[coupling.joints[j]];
        acceleration += coupling.ratio(m, j) * x.qdd[coupling.joints[j]];
      }
      const Motor& motor = robot.joints[coupling.joints[m]].motor;
      const double dry = speed > 0.0   ? motor.coulomb.positive
                         : speed < 0.0 ? -motor.coulomb.negative
                                       : 0.0;
      const double torque = motor.rotor_inertia * acceleration + motor.viscous * speed + dry;
      for (std::size_t j = 0; j < coupling.joints.size(); ++j) {
        expected[coupling.joints[j]] += coupling.ratio(m, j) * torque;
      }
    }
  }
  return sum(expected, torque(normalize(uncoupled), {x.q, x.qd, x.qdd}));
}

std::vector<Robot> coupled_robots(RandomArm& random) {
  std::vector<Robot> robots{shipped_robot("staubli-tx40"), coupled_robot(random, 2, {0, 1}),
                            coupled_robot(random, 5, {4, 1}), coupled_robot(random, 7, {2, 6, 3})};
  robots.push_back(coupled_robot(random, 6, {0, 3}));
  Coupling second{{5, 2}, {30.0, 0.0, 7.0, -40.0}, {0.1, 0.2}};
  robots.back().couplings.push_back(second);
  robots.back().joints[5].motor = {.rotor_inertia = 3e-5, .viscous = 0.0, .coulomb = {0.01, 0.01}};
  return robots;
}

TEST(CoupledMotors, ActOnTheJointsByTheTransposedMatrix) {
  RandomArm random(31);
  for (const Robot& robot : coupled_robots(random)) {
    const Arm arm = normalize(robot);
    for (int round = 0; round < 10; ++round) {
      const CoupledState x = random_state(random, robot.dof());
      const Row tau = torque(arm, {x.q, x.qd, x.qdd});
      expect_near(tau, torque_by_hand(robot, x), 1e-13, robot.name);

      CertifiedTorque truth(robot, InputAccuracy::none);
      truth.set({x.q, x.qd, x.qdd}, {});
      Row errors(robot.dof());
      truth.errors(tau, errors);
      EXPECT_LT(largest(errors), 1e-12 * largest(tau));

      const Matrix M = mass_matrix(arm, x.q);
      EXPECT_EQ(transposed(M), M);
      const Row bias = torque(arm, {x.q, x.qd, Row(robot.dof())});
      expect_near(sum(times(M, x.qdd), bias), tau, 1e-12, "M q̈ + h");
    }
  }
}

TEST(CoupledMotors, HaveNoDryFrictionWhereTheyStandButForRounding) {
  RandomArm random(30);
  Robot robot = coupled_robot(random, 2, {0, 1});
  robot.couplings[0].matrix = {45.3, 0.7, 32.1, 31.7};
  Robot smooth = robot;
  smooth.joints[1].motor.coulomb = {};
  const Arm arm = normalize(robot), smooth_arm = normalize(smooth);
  int rounded = 0;
  for (int k = 1; k <= 40; ++k) {
    CoupledState x = random_state(random, 2);
    const double first = x.qd[0] / (45.3 * 31.7 - 0.7 * 32.1);
    x.qd = {31.7 * first, -32.1 * first};
    if (32.1 * x.qd[0] + 31.7 * x.qd[1] != 0.0) ++rounded;
    const Row tau = torque(arm, {x.q, x.qd, x.qdd});
    EXPECT_EQ(tau, torque(smooth_arm, {x.q, x.qd, x.qdd}));
    CertifiedTorque truth(robot, InputAccuracy::none);
    truth.set({x.q, x.qd, x.qdd}, {});
    Row errors(2);
    truth.errors(tau, errors);
    EXPECT_LT(largest(errors), 1e-12 * largest(tau));
    Row qdd(2);
    ForwardDynamics(arm).acceleration(x.q, x.qd, tau, {}, qdd);
    expect_near(qdd, x.qdd, 1e-9, "forward");
  }
  EXPECT_GT(rounded, 5);
}

TEST(CoupledMotors, HaveTermsThatAddUpInBlocksToo) {
  RandomArm random(32);
  for (const Robot& robot : coupled_robots(random)) {
    const std::size_t n = robot.dof();
    const CoupledState x = random_state(random, n);
    std::vector<Column> q, qd, qdd;
    for (std::size_t i = 0; i < n; ++i) {
      q.push_back(&x.q[i]);
      qd.push_back(&x.qd[i]);
      qdd.push_back(&x.qdd[i]);
    }
    Row tau(n), parts(6 * n), added(n);
    std::vector<ResultColumn> to_tau, to_parts;
    for (double& value : tau) to_tau.push_back(&value);
    for (double& value : parts) to_parts.push_back(&value);
    BlockInverseDynamics block(normalize(robot));
    block.torque({1, q, qd, qdd, {}}, to_tau);
    block.terms({1, q, qd, qdd, {}}, to_parts);
    for (std::size_t k = 0; k < parts.size(); ++k) added[k % n] += parts[k];
    const Row expected = torque_by_hand(robot, x);
    expect_near(tau, expected, 1e-13, "block");
    expect_near(added, expected, 1e-12, "terms");
  }
}

TEST(CoupledMotors, AreInverted) {
  RandomArm random(33);
  for (const Robot& robot : coupled_robots(random)) {
    const Arm arm = normalize(robot);
    const std::size_t n = robot.dof();
    const CoupledState x = random_state(random, n);
    const Row tau = torque_by_hand(robot, x);
    for (const ForwardMethod method :
         {ForwardMethod::composite, ForwardMethod::articulated, ForwardMethod::strobe}) {
      Row qdd(n);
      ForwardDynamics(arm, method).acceleration(x.q, x.qd, tau, {}, qdd);
      expect_near(qdd, x.qdd, 1e-9, "one by one");
    }
    std::vector<Column> q, qd, torques;
    Row qdd(n);
    std::vector<ResultColumn> results;
    for (std::size_t i = 0; i < n; ++i) {
      q.push_back(&x.q[i]);
      qd.push_back(&x.qd[i]);
      torques.push_back(&tau[i]);
      results.push_back(&qdd[i]);
    }
    BlockForwardDynamics(arm).acceleration({1, q, qd, torques, {}}, results);
    expect_near(qdd, x.qdd, 1e-9, "in a block");
  }
}

TEST(CoupledMotors, HaveTheDerivativesOfTheirTorques) {
  RandomArm random(34);
  for (const Robot& robot : coupled_robots(random)) {
    const CoupledState x = random_state(random, robot.dof());
    const TorqueDerivatives found = torque_derivatives(normalize(robot), {x.q, x.qd, x.qdd});
    for (std::size_t j = 0; j < robot.dof(); ++j) {
      constexpr double h = 1e-6;
      CoupledState above = x, below = x;
      above.qd[j] += h;
      below.qd[j] -= h;
      const Row up = torque_by_hand(robot, above), down = torque_by_hand(robot, below);
      Row slope(robot.dof()), column(robot.dof());
      for (std::size_t i = 0; i < robot.dof(); ++i) {
        slope[i] = (up[i] - down[i]) / (2 * h);
        column[i] = found.dqd(i, j);
      }
      expect_near(column, slope, 1e-6, "∂τ/∂q̇");
    }
  }
}

TEST(CoupledMotors, AreLinearInTheirParameters) {
  RandomArm random(35);
  for (const Robot& robot : coupled_robots(random)) {
    const Regressor regressor(robot);
    const CoupledState x = random_state(random, robot.dof());
    Row pi;
    for (const DynamicParameter& p : regressor.parameters()) pi.push_back(p.value);
    const Matrix Y = regressor.matrix({x.q, x.qd, x.qdd});
    expect_near(times(Y, pi), torque_by_hand(robot, x), 1e-12, "Y π");
  }
}

/// The wrist of a robot, with dry friction at gears, and the same by a coupling of diagonal matrix.
std::pair<Robot, Robot> gears_and_coupling() {
  Robot geared = shipped_robot("staubli-tx40");
  geared.couplings.clear();
  geared.joints[4].motor.gear_ratio = 45.0;
  geared.joints[5].motor.gear_ratio = 32.0;
  Robot coupled = geared;
  coupled.couplings = {{{4, 5}, {45.0, 0.0, 0.0, 32.0}, {0.0, 0.0}}};
  coupled.joints[4].motor.gear_ratio = coupled.joints[5].motor.gear_ratio = 1.0;
  return {geared, coupled};
}

SimulationOptions adaptive(double duration) {
  SimulationOptions options = options_of(duration, 0.01);
  options.integrator = Integrator::dopri5;
  return options;
}

TEST(CoupledMotors, MoveAsGearedOnesWhereTheMatrixIsDiagonal) {
  const auto [geared, coupled] = gears_and_coupling();
  const Row q0{0.1, -0.4, 0.3, 0.2, 0.5, -0.1}, qd0{0, 0, 0.5, 0, 0.4, -0.6};
  const Row tau{8, -40, 3, 1, 3.5, 1.2};
  const Simulated a = run_simulation(normalize(geared), q0, qd0, tau, adaptive(0.8));
  const Simulated b = run_simulation(normalize(coupled), q0, qd0, tau, adaptive(0.8));
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    expect_near(b.rows[k].q, a.rows[k].q, 1e-9, "q");
    expect_near(b.rows[k].qd, a.rows[k].qd, 1e-8, "q̇");
  }
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(a.result.joints[i].stops, b.result.joints[i].stops) << i;
  }
}

Robot weightless_wrist() {
  Robot robot = shipped_robot("staubli-tx40");
  robot.gravity = {};
  return robot;
}

// The motor of joint 6 holds 32·(0.05 − …) while that of joint 5 turns: joint 6 then turns against
// joint 5, and what the drive of joint 6 asks for stays within what motor 6 holds.
TEST(CoupledMotors, StickWhereTheirJointsTurnAgainstOneAnother) {
  const Arm arm = normalize(weightless_wrist());
  const Simulated found =
      run_simulation(arm, Row(6), Row(6), {0, 0, 0, 0, 4.0, 0.2}, adaptive(0.2));
  const SimulatedRow& last = found.last();
  EXPECT_GT(last.qd[4], 0.1);
  EXPECT_NEAR(last.qd[4] + last.qd[5], 0.0, 1e-14);
  EXPECT_NEAR(last.qdd[4] + last.qdd[5], 0.0, 1e-12);
  EXPECT_NEAR(found.result.energy.imbalance(), 0.0, 1e-9);
}

TEST(CoupledMotors, ThatStickAreCountedThoughTheirJointsTurn) {
  const Simulated found =
      run_simulation(normalize(weightless_wrist()), Row(6), {0, 0, 0, 0, 0.5, -0.4},
                     {0, 0, 0, 0, 4.0, 0.2}, adaptive(0.2));
  const SimulatedRow& last = found.last();
  EXPECT_NE(found.rows.front().qd[4] + found.rows.front().qd[5], 0.0);
  EXPECT_NEAR(last.qd[4] + last.qd[5], 0.0, 1e-14);
  EXPECT_EQ(found.result.joints[5].stops, 1U);
  EXPECT_FALSE(found.result.joints[5].at_rest);
  EXPECT_EQ(found.result.joints[4].stops, 0U);
}

TEST(CoupledMotors, HoldAndBreakAwayAtTheLevelsOfTheMotors) {
  const Arm arm = normalize(weightless_wrist());
  const double level_5 = 45 * 0.0402044444444444444, level_6 = 32 * 0.05;
  // τ = Aᵀ τ_m: motors hold τ_m6 = τ6/32 and τ_m5 = (τ5 − τ6)/45.
  const auto moves = [&](double tau_5, double tau_6) {
    const Simulated found =
        run_simulation(arm, Row(6), Row(6), {0, 0, 0, 0, tau_5, tau_6}, options_of(0.001, 0.001));
    const Row& qdd = found.rows.front().qdd;
    return std::pair{qdd[4] != 0.0, std::abs(qdd[4] + qdd[5]) > 1e-12};
  };
  const double little = 1e-6;
  EXPECT_EQ(moves(0, 0), std::pair(false, false));
  EXPECT_EQ(moves(level_5 + level_6 - little, level_6 - little), std::pair(false, false));
  EXPECT_EQ(moves(level_5 + little, 0).first, true);
  EXPECT_EQ(moves(level_5 - little, 0).first, false);
  EXPECT_EQ(moves(level_6 + little, level_6 + little).second, true);
  EXPECT_EQ(moves(-level_6 + little, -level_6 + little), std::pair(false, false));
}

// From rest, whatever the torques: a motor that sticks is asked for no more than it holds, and one
// that breaks away is braked at its level, against its motion.
TEST(CoupledMotors, StickAndSlideByTheirLevelsFromRest) {
  RandomArm random(37);
  int sticking = 0, moving = 0;
  for (int round = 0; round < 200; ++round) {
    Robot robot = coupled_robot(random, 4, {3, 1});
    for (const std::size_t i : {1U, 3U}) robot.joints[i].friction = {};
    const Arm arm = normalize(robot);
    const Coupling& A = robot.couplings.front();
    const double a = A.ratio(0, 0), b = A.ratio(0, 1), c = A.ratio(1, 0), d = A.ratio(1, 1);
    const Row q = random.numbers(4, 3.0);
    Row tau = torque(arm, {q, Row(4), Row(4)});  // gravity
    for (double& value : tau) value += random.numbers(1, 2.0)[0];
    SimulationOptions options = options_of(1e-6, 1e-6);
    options.stop_at_limits = false;
    const Row qdd = run_simulation(arm, q, Row(4), tau, options).rows.front().qdd;
    const Row needed = torque(arm, {q, Row(4), qdd});
    const double f_3 = tau[3] - needed[3], f_1 = tau[1] - needed[1];  // joints 4 and 2
    const double determinant = a * d - b * c;
    const double held[] = {(d * f_3 - c * f_1) / determinant, (a * f_1 - b * f_3) / determinant};
    const double speeds[] = {a * qdd[3] + b * qdd[1], c * qdd[3] + d * qdd[1]};
    for (std::size_t m = 0; m < 2; ++m) {
      const double rest = 1e-9 * (std::abs(qdd[3]) + std::abs(qdd[1]));
      if (std::abs(speeds[m]) <= rest) {
        ++sticking;
        EXPECT_LE(held[m], 0.02 + 1e-9);
        EXPECT_GE(held[m], -0.03 - 1e-9);
      } else {
        ++moving;
        EXPECT_NEAR(held[m], speeds[m] > 0 ? 0.02 : -0.03, 1e-9);
      }
    }
  }
  EXPECT_GT(sticking, 50);
  EXPECT_GT(moving, 50);
}

// The motor of joint 3 turns with joint 3 alone, and rests while that of joint 4 turns, whatever the
// matrix of the other coupling.
TEST(CoupledMotors, OfTwoCouplingsRestEachByItsOwnMatrix) {
  RandomArm random(38);
  Robot robot = coupled_robot(random, 4, {0, 1});
  robot.gravity = {};
  for (Joint& joint : robot.joints) joint.friction = {};
  robot.joints[2].motor = {.rotor_inertia = 1e-4, .viscous = 0.0, .coulomb = {5.0, 5.0}};
  robot.joints[3].motor = {.rotor_inertia = 1e-4, .viscous = 0.0, .coulomb = {0.1, 0.1}};
  robot.couplings.push_back({{2, 3}, {40.0, 0.0, 0.0, 50.0}, {0.0, 0.0}});
  SimulationOptions options = options_of(0.05, 0.001);
  options.stop_at_limits = false;
  const Simulated found =
      run_simulation(normalize(robot), Row(4), Row(4), {0, 0, 0, 60.0}, options);
  EXPECT_TRUE(found.result.joints[2].at_rest);
  EXPECT_FALSE(found.result.joints[3].at_rest);
  EXPECT_EQ(found.last().qd[2], 0.0);
  EXPECT_GT(std::abs(found.last().qd[3]), 0.01);
}

TEST(CoupledMotors, SimulatedMotionsHaveTheTorquesThatDroveThem) {
  const Robot robot = shipped_robot("staubli-tx40");
  const Arm arm = normalize(robot);
  const Row tau{20, -60, 15, 5, 8, 4};
  const Simulated found =
      run_simulation(arm, Row(6), {0.5, -0.5, 0.5, 0.5, 0.8, 0.4}, tau, adaptive(0.3));
  for (const SimulatedRow& row : found.rows) {
    expect_near(torque_by_hand(robot, {row.q, row.qd, row.qdd}), tau, 1e-11, "τ");
  }
  EXPECT_NEAR(found.result.energy.imbalance(), 0.0, 1e-6);
}

TEST(CoupledMotors, MoveAlikeInBatches) {
  const Arm arm = normalize(shipped_robot("staubli-tx40"));
  RandomArm random(36);
  std::vector<BatchRun> runs;
  for (int k = 0; k < 20; ++k) {
    BatchRun& run = runs.emplace_back();
    run.q0 = random.numbers(6, 1.0);
    run.qd0 = k % 2 == 0 ? Row(6) : random.numbers(6, 0.3);
    run.tau = random.numbers(6, 6.0);
  }
  const SimulationOptions options = options_of(0.05, 0.0005);
  const std::vector<BatchResult> found = BatchSimulation(arm, options)(runs);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Simulated alone = run_simulation(arm, runs[k].q0, runs[k].qd0, runs[k].tau, options);
    EXPECT_EQ(found[k].q, alone.last().q) << k;
    EXPECT_EQ(found[k].qd, alone.last().qd) << k;
  }
}

}  // namespace
}  // namespace armdyn::testing
