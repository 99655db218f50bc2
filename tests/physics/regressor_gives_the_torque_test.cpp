// Y π = τ, on arms and states of any kind; base parameters against hand calculations.

#include <gtest/gtest.h>
#include <armdyn/regressor.hpp>

#include <cmath>
#include <span>
#include <stdexcept>

#include "support/random_arm.hpp"
#include "support/shipped_robot.hpp"

namespace armdyn::testing {
namespace {

std::vector<double> product(const Matrix& Y, const std::vector<DynamicParameter>& parameters) {
  std::vector<double> tau(Y.rows());
  for (std::size_t i = 0; i < Y.rows(); ++i) {
    for (std::size_t k = 0; k < Y.columns(); ++k) tau[i] += Y(i, k) * parameters[k].value;
  }
  return tau;
}

void expect_torques(const Robot& robot, RandomArm& random) {
  const std::size_t n = robot.dof();
  Regressor regressor(robot);
  const std::size_t count = regressor.parameters().size();
  const std::vector<double> q = random.numbers(n, 3.0), qd = random.numbers(n, 2.0),
                            qdd = random.numbers(n, 5.0);
  const Matrix Y = regressor.matrix({q, qd, qdd});
  const std::vector<double> tau = torque(normalize(robot), {q, qd, qdd});
  const std::vector<double> found = product(Y, regressor.parameters());
  double scale = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      scale = std::max(scale, std::abs(Y(i, k) * regressor.parameters()[k].value));
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(found[i], tau[i], 1e-13 * scale) << robot.name << ", joint " << i + 1;
  }

  std::vector<Column> inputs[3];
  for (std::size_t i = 0; i < n; ++i) {
    inputs[0].push_back(&q[i]);
    inputs[1].push_back(&qd[i]);
    inputs[2].push_back(&qdd[i]);
  }
  Matrix by_block(n, count);
  std::vector<ResultColumn> results;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < count; ++k) results.push_back(&by_block(i, k));
  }
  regressor.block({1, inputs[0], inputs[1], inputs[2], {}}, results);
  EXPECT_EQ(by_block, Y) << robot.name;
}

TEST(Regressor, TimesTheParametersIsTheTorqueOfShippedArms) {
  RandomArm random(7);
  for (const char* name : {"puma560", "franka-panda", "staubli-tx40", "ur10e", "stanford",
                           "craig-rp", "two-link-spong"}) {
    const Robot robot = shipped_robot(name);
    for (int state = 0; state < 5; ++state) expect_torques(robot, random);
  }
}

TEST(Regressor, TimesTheParametersIsTheTorqueOfRandomArms) {
  RandomArm random(11);
  for (std::size_t dof = 1; dof <= 8; ++dof) {
    Robot robot = random.robot(dof);
    robot.joints[0].friction = {.viscous = 0.3,
                                .coulomb = {2.0, 1.5},
                                .breakaway = TwoSided{3.0, 2.0},
                                .stribeck_velocity = 0.5,
                                .ripple = {.amplitude = 0.2, .harmonic = 3.0, .phase = 0.1},
                                .sigmoid = {.amplitude = 0.7, .slope = 3.0, .offset = 0.1}};
    robot.joints[0].motor = {
        .rotor_inertia = 1e-3, .gear_ratio = -20.0, .viscous = 1e-3, .coulomb = {0.1, 0.2}};
    expect_torques(robot, random);
  }
}

Robot planar_arm() {
  Robot robot;
  robot.name = "planar";
  robot.convention = Convention::modified;
  robot.gravity = {0.0, -9.81, 0.0};
  robot.joints.resize(2);
  robot.joints[1].dh.a = 0.5;
  return robot;
}

// τ_1 of the arm holds I_zz1 + l² m_2 and m_1 c_1 + l m_2 as (Siciliano et al., example 7.2) has it.
TEST(BaseParameters, OfTwoLinksAreTheTextbooks) {
  const Robot robot = planar_arm();
  const Regressor regressor(robot);
  std::vector<std::size_t> bodies(20);
  for (std::size_t k = 0; k < bodies.size(); ++k) bodies[k] = k;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const BaseParameters base = base_parameters(robot, regressor, bodies, seed);
    std::vector<std::string> found;
    for (const BaseParameter& one : base.combinations) {
      found.push_back(to_text(one, regressor.parameters()));
    }
    EXPECT_EQ(found, (std::vector<std::string>{"mx1 + 0.5 m2", "my1", "Izz1 + 0.25 m2", "mx2",
                                               "my2", "Izz2"}));
  }
}

// Their numbers: Gautier and Khalil 1990 for the PUMA 560 without its rotors, Gaz et al. 2019 for
// the Panda.
TEST(BaseParameters, AreAsManyAsPublished) {
  for (const auto& [name, links, expected] :
       {std::tuple{"puma560", 6, 36}, std::tuple{"franka-panda", 7, 43}}) {
    const Robot robot = shipped_robot(name);
    const Regressor regressor(robot);
    std::vector<std::size_t> bodies(10U * static_cast<std::size_t>(links));
    for (std::size_t k = 0; k < bodies.size(); ++k) bodies[k] = k;
    EXPECT_EQ(base_parameters(robot, regressor, bodies).combinations.size(),
              static_cast<std::size_t>(expected))
        << name;
  }
}

TEST(Regressor, MakesBodiesOfTenParameters) {
  const std::vector<double> ten = body_vector(shipped_robot("puma560").joints[1].body);
  EXPECT_EQ(body_of(ten).mass, 17.4);
  EXPECT_THROW((void)body_of(std::span(ten).first(9)), std::invalid_argument);
}

TEST(BaseParameters, AreOfTheRegressorsRobot) {
  const Regressor regressor(shipped_robot("craig-rr"));
  EXPECT_THROW((void)base_parameters(shipped_robot("puma560"), regressor), std::invalid_argument);
  const std::size_t none = regressor.parameters().size();
  EXPECT_THROW((void)base_parameters(shipped_robot("craig-rr"), regressor, {{0, none}}),
               std::invalid_argument);
}

TEST(BaseParameters, GiveTheTorqueOfAllParameters) {
  const Robot robot = shipped_robot("puma560");
  const Regressor regressor(robot);
  const BaseParameters base = base_parameters(robot, regressor, {}, 5);
  RandomArm random(3);
  const std::vector<double> q = random.numbers(6, 3.0), qd = random.numbers(6, 2.0),
                            qdd = random.numbers(6, 5.0);
  const Matrix Y = regressor.matrix({q, qd, qdd});
  std::vector<double> pi;
  for (const DynamicParameter& p : regressor.parameters()) pi.push_back(p.value);
  EXPECT_THROW((void)base.values(std::span(pi).first(10)), std::invalid_argument);
  const std::vector<double> beta = base.values(pi), tau = torque(normalize(robot), {q, qd, qdd});
  for (std::size_t i = 0; i < 6; ++i) {
    double found = 0.0;
    for (std::size_t b = 0; b < beta.size(); ++b)
      found += Y(i, base.combinations[b].first) * beta[b];
    EXPECT_NEAR(found, tau[i], 1e-9 * 100.0);
  }
}

}  // namespace
}  // namespace armdyn::testing
