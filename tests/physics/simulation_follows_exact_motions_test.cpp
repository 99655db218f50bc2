// Motions whose states are known: by a 50-digit integration, by elliptic functions, by hand.

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <numbers>

#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

constexpr double g = 9.81;

std::vector<double> numbers(const YAML::Node& node) {
  return node.as<std::vector<double>>();
}

/// A point mass on a massless link that swings in the vertical plane; q = −π/2 hangs.
Arm pendulum(double mass, double length) {
  Robot robot;
  robot.gravity = {0.0, -g, 0.0};
  robot.joints.resize(1);
  robot.joints[0].dh.a = length;
  robot.joints[0].body.mass = mass;
  return normalise(robot);
}

class ExactStates : public ::testing::TestWithParam<const char*> {};

TEST_P(ExactStates, AreReachedByEveryIntegrator) {
  const YAML::Node file = YAML::LoadFile(std::string(ARMDYN_TEST_DATA "/cases/") + GetParam());
  const Arm arm = normalise(
      read_robot_file(ARMDYN_TEST_DATA "/cases/" + file["robot"].as<std::string>()).robot);
  const struct {
    Integrator integrator;
    double step, tolerance, error;
  } runs[] = {{Integrator::rk4, 1.25e-4, 1e-9, 1e-11},
              {Integrator::dopri5, 0.25, 1e-12, 1e-10},
              {Integrator::rkf78, 0.25, 1e-13, 1e-11}};
  for (const auto& run : runs) {
    SimulationOptions options;
    options.integrator = run.integrator;
    options.step = run.step;
    options.tolerance = run.tolerance;
    options.duration = file["t_end"].as<double>();
    const Simulated found = run_simulation(arm, numbers(file["q0"]), numbers(file["qd0"]),
                                           numbers(file["tau"]), options);
    std::size_t compared = 0;
    for (const YAML::Node& state : file["states"]) {
      for (const SimulatedRow& row : found.rows) {
        if (std::abs(row.t - state["t"].as<double>()) > 1e-12) continue;
        ++compared;
        for (std::size_t i = 0; i < arm.dof(); ++i) {
          EXPECT_NEAR(row.q[i], numbers(state["q"])[i], run.error) << GetParam() << " t " << row.t;
          EXPECT_NEAR(row.qd[i], numbers(state["qd"])[i], 10 * run.error) << " t " << row.t;
        }
      }
    }
    EXPECT_EQ(compared, file["states"].size());
    EXPECT_NEAR(found.result.energy.at_start, file["states"][0]["energy"].as<double>(), 1e-14);
    EXPECT_NEAR(found.result.energy.at_end, file["states"][4]["energy"].as<double>(), 1e-9);
    EXPECT_NEAR(found.result.energy.imbalance(), 0.0, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ExactStates,
                         ::testing::Values("sim_pendulum_small.yaml", "sim_pendulum_viscous.yaml",
                                           "sim_rr_free.yaml"));

TEST(Pendulum, FollowsEllipticFunctions) {
  // From rest at amplitude A: sin(φ/2) = k sn(K(k) − ω t, k), k = sin(A/2), φ from the hanging
  // position.
  const double length = 0.8, omega = std::sqrt(g / length);
  for (const double amplitude : {0.5, 1.5, 3.0}) {
    const double k = std::sin(amplitude / 2);
    const double quarter_period = boost::math::ellint_1(k);
    SimulationOptions options;
    options.step = 5e-4;
    options.duration = 5.0;
    const Simulated found = run_simulation(
        pendulum(1.3, length), {-std::numbers::pi / 2 + amplitude}, {0.0}, {0.0}, options);
    for (const SimulatedRow& row : found.rows) {
      const double phi =
          2 * std::asin(k * boost::math::jacobi_sn(k, quarter_period - omega * row.t));
      ASSERT_NEAR(row.q[0] + std::numbers::pi / 2, phi, 1e-9)
          << "A " << amplitude << " t " << row.t;
    }
  }
}

TEST(FreeGantry, FallsFreelyAndKeepsItsSidewaysSpeed) {
  Robot robot;
  robot.convention = Convention::modified;
  for (const double alpha : {0.0, -std::numbers::pi / 2, std::numbers::pi / 2}) {
    Joint joint;
    joint.type = JointType::prismatic;
    joint.dh.alpha = alpha;
    joint.body = {2.0, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1, 0, 0, 0}};
    robot.joints.push_back(joint);
  }
  robot.gravity = {1.0, 2.0, -g};
  SimulationOptions options;
  options.step = 0.1;  // RK4 is exact for parabolas
  options.duration = 2.0;
  const Arm arm = normalise(robot);
  const Simulated found =
      run_simulation(arm, {1.0, 2.0, 3.0}, {0.5, -0.25, 1.0}, {0, 0, 0}, options);
  // The axes of the joints in the world: z; z turned by −90° about x is y; turned back, z again.
  const double t = found.last().t;
  EXPECT_DOUBLE_EQ(t, 2.0);
  // Joint 3 moves along z as joint 1 does, with the last link: all of the fall is joint 1's, and
  // joint 3 stays as it was, since everything falls alike.
  EXPECT_NEAR(found.last().q[0], 1.0 + 0.5 * t - g * t * t / 2, 1e-12);
  EXPECT_NEAR(found.last().q[1], 2.0 - 0.25 * t + 2.0 * t * t / 2, 1e-12);
  EXPECT_NEAR(found.last().q[2], 3.0 + 1.0 * t, 1e-12);
}

TEST(Cart, UnderAHeldForceFollowsTheExponential) {
  // m v̇ = F − b v
  Robot robot;
  robot.joints.resize(1);
  robot.joints[0].type = JointType::prismatic;
  robot.joints[0].body.mass = 2.0;
  robot.joints[0].friction.viscous = 3.0;
  robot.gravity = {};
  SimulationOptions options;
  options.duration = 2.0;
  const Simulated found = run_simulation(normalise(robot), {0.0}, {0.5}, {6.0}, options);
  for (const SimulatedRow& row : found.rows) {
    EXPECT_NEAR(row.qd[0], 2.0 - 1.5 * std::exp(-1.5 * row.t), 1e-12);
  }
}

}  // namespace
}  // namespace armdyn::testing
