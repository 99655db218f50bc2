// Motions whose states are known: by a 50-digit integration, by elliptic functions, by hand.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>
#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <array>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "support/gravity.hpp"
#include "support/paths.hpp"
#include "support/simulated.hpp"

namespace armdyn::testing {
namespace {

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
  return normalize(robot);
}

class ExactStates : public ::testing::TestWithParam<const char*> {};

TEST_P(ExactStates, AreReachedByEveryIntegrator) {
  const YAML::Node file = YAML::LoadFile(std::string(test_data() + "/cases/") + GetParam());
  const Arm arm =
      normalize(read_robot_file(test_data() + "/cases/" + file["robot"].as<std::string>()).robot);
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
  double worst = 0.0;
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
      worst = std::max(worst, std::abs(row.q[0] + std::numbers::pi / 2 - phi));
    }
  }
  RecordProperty("largest_deviation", fmt::format("{:.2g}", worst));
}

using TextbookState = std::array<double, 4>;
using TextbookEquations = std::function<void(const TextbookState&, TextbookState&, double)>;

/// Integrates q1, q2, q̇1, q̇2 of somebody else's equations of motion to t = 2 s.
TextbookState integrate(const TextbookEquations& equations, TextbookState state) {
  boost::numeric::odeint::runge_kutta_fehlberg78<TextbookState> stepper;
  for (int k = 0; k < 2000; ++k) stepper.do_step(equations, state, 1e-3 * k, 1e-3);
  return state;
}

void expect_every_integrator_to_reach(const TextbookState& expected, const Arm& arm,
                                      const std::vector<double>& q0, const std::vector<double>& qd0,
                                      const std::vector<double>& tau) {
  for (const Integrator integrator : {Integrator::rk4, Integrator::dopri5, Integrator::rkf78}) {
    SimulationOptions options;
    options.integrator = integrator;
    options.step = integrator == Integrator::rk4 ? 2e-4 : 0.1;
    options.tolerance = 1e-13;
    options.duration = 2.0;
    const SimulatedRow end = run_simulation(arm, q0, qd0, tau, options).last();
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(end.q[i], expected[i], 1e-9);
      EXPECT_NEAR(end.qd[i], expected[2 + i], 1e-8);
    }
  }
}

TEST(CartPole, MovesByTheEquationsOfTheTextbook) {
  // x of the cart, θ of the pole from upright: (M + m) ẍ + m l (θ̈ cos θ − θ̇² sin θ) = F,
  // l θ̈ + ẍ cos θ = g sin θ.
  const double cart = 1.5, pole = 0.4, l = 0.6, force = 2.0;
  Robot robot;
  robot.convention = Convention::modified;
  robot.gravity = {-g, 0.0, 0.0};
  robot.joints.resize(2);
  robot.joints[0].type = JointType::prismatic;
  robot.joints[0].body.mass = cart;
  robot.joints[1].dh.alpha = std::numbers::pi / 2;
  robot.joints[1].body = {pole, {l, 0.0, 0.0}, {}};
  const auto equations = [&](const TextbookState& s, TextbookState& rate, double) {
    const double sine = std::sin(s[1]), cosine = std::cos(s[1]);
    const double x_dd = (force + pole * l * s[3] * s[3] * sine - pole * g * sine * cosine) /
                        (cart + pole * sine * sine);
    rate = {s[2], s[3], x_dd, (g * sine - x_dd * cosine) / l};
  };
  expect_every_integrator_to_reach(integrate(equations, {0.3, 0.2, -0.5, 0.1}), normalize(robot),
                                   {0.3, 0.2}, {-0.5, 0.1}, {force, 0.0});
}

TEST(DoublePendulum, MovesByTheEquationsOfTheTextbook) {
  // Two point masses; θ1, θ2 both from hanging.
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 0.5;
  Robot robot;
  robot.gravity = {0.0, -g, 0.0};
  robot.joints.resize(2);
  robot.joints[0].dh.a = l1;
  robot.joints[0].body.mass = m1;
  robot.joints[1].dh.a = l2;
  robot.joints[1].body.mass = m2;
  const auto equations = [&](const TextbookState& s, TextbookState& rate, double) {
    const auto& [a, b, a_d, b_d] = s;
    const double both = m1 + m2, d = 2 * m1 + m2 - m2 * std::cos(2 * a - 2 * b);
    rate = {a_d, b_d,
            (-g * (2 * m1 + m2) * std::sin(a) - m2 * g * std::sin(a - 2 * b) -
             2 * std::sin(a - b) * m2 * (b_d * b_d * l2 + a_d * a_d * l1 * std::cos(a - b))) /
                (l1 * d),
            2 * std::sin(a - b) *
                (a_d * a_d * l1 * both + g * both * std::cos(a) +
                 b_d * b_d * l2 * m2 * std::cos(a - b)) /
                (l2 * d)};
  };
  const auto [a, b, a_d, b_d] = integrate(equations, {1.2, 0.4, -0.3, 0.8});
  const double down = std::numbers::pi / 2;
  expect_every_integrator_to_reach({a - down, b - a, a_d, b_d - a_d}, normalize(robot),
                                   {1.2 - down, 0.4 - 1.2}, {-0.3, 0.8 + 0.3}, {0.0, 0.0});
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
  const Arm arm = normalize(robot);
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
  const Simulated found = run_simulation(normalize(robot), {0.0}, {0.5}, {6.0}, options);
  for (const SimulatedRow& row : found.rows) {
    EXPECT_NEAR(row.qd[0], 2.0 - 1.5 * std::exp(-1.5 * row.t), 1e-12);
  }
}

}  // namespace
}  // namespace armdyn::testing
