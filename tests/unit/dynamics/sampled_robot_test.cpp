#include <armdyn/robot_file.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <armdyn/robot.hpp>
#include <cmath>
#include <stdexcept>

#include "math/statistics.hpp"

namespace armdyn {
namespace {

Robot two_links() {
  Robot robot;
  robot.joints.resize(2);
  robot.joints[0].body = {3.0, {0.2, -0.1, 0.05}, {0.02, 0.03, 0.04, 0.004, -0.003, 0.002}};
  robot.joints[1].body = {1.5, {0.3, 0.0, 0.0}, {0.0001, 0.05, 0.05}};  // nearly a rod
  robot.joints[0].friction = {0.5, {2.0, 1.5}, TwoSided{3.0, 2.5}, 0.05};
  robot.joints[0].motor.viscous = 1e-3;
  robot.joints[0].motor.coulomb = {0.1, 0.2};
  robot.payload = {2.0, {0.0, 0.0, 0.1}, {0.01, 0.02, 0.015}};
  return robot;
}

TEST(RobotSampler, StayWithinTheBoundsAndPossible) {
  const Robot robot = two_links();
  for (const Distribution distribution : {Distribution::uniform, Distribution::normal}) {
    const RobotSampler draws(robot, {0.1, 0.004, 0.2, 0.3, 0.15, distribution}, 7);
    std::size_t moved = 0;
    for (std::uint64_t sample = 1; sample <= 2000; ++sample) {
      const auto [drawn, here] = draws(sample);
      moved += here;
      for (std::size_t i = 0; i < 2; ++i) {
        const MassProperties& was = robot.joints[i].body;
        const MassProperties& is = drawn.joints[i].body;
        EXPECT_TRUE(is_physically_consistent(is)) << sample;
        EXPECT_LE(std::abs(is.mass / was.mass - 1), 0.1);
        EXPECT_LE(std::abs(is.com.x - was.com.x), 0.004);
        EXPECT_LE(std::abs(is.com.y - was.com.y), 0.004);
        EXPECT_LE(std::abs(is.com.z - was.com.z), 0.004);
        // Weyl: sorted moments stay within the bounds of sorted moments.
        const Vec3 before = principal_moments(was.inertia), after = principal_moments(is.inertia);
        for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
          EXPECT_LE(after.*axis, before.*axis * 1.2 * (1 + 1e-12));
          EXPECT_GE(after.*axis, before.*axis * 0.8 * (1 - 1e-12));
        }
      }
      const double friction = drawn.joints[0].friction.viscous / 0.5;
      EXPECT_LE(std::abs(friction - 1), 0.3);
      EXPECT_EQ(drawn.joints[0].friction.coulomb.negative, 1.5 * friction);
      EXPECT_EQ(drawn.joints[0].friction.breakaway->positive, 3.0 * friction);
      EXPECT_EQ(drawn.joints[0].motor.coulomb.positive, 0.1 * friction);
      EXPECT_EQ(drawn.joints[0].friction.stribeck_velocity, 0.05);
      const double load = drawn.payload.mass / 2.0;
      EXPECT_LE(std::abs(load - 1), 0.15);
      EXPECT_NEAR(drawn.payload.inertia.yy, 0.02 * load, 1e-16);
      EXPECT_EQ(drawn.payload.com, robot.payload.com);
    }
    // Of a rod's two large moments one is beyond the other and the small one in nearly every draw.
    EXPECT_GT(moved, 1800U);
  }
}

TEST(RobotSampler, OfAnInertiaThatNoBodyHasAreNoFartherFromABodys) {
  Robot robot = two_links();
  const Robot sound = robot;
  robot.joints[1].body.inertia = {0.02, 0.03, 0.08};
  // λ_min(Σ)/tr Σ of the pseudo-inertia, Σ = (tr I/2) E − I.
  const auto least_share = [](const SymMat3& I) {
    const double trace = I.xx + I.yy + I.zz;
    return (trace / 2 - principal_moments(I).z) / (trace / 2);
  };
  for (const double bound : {1e-6, 0.3}) {
    const RobotSampler draws(robot, {.inertia = bound}, 7), others(sound, {.inertia = bound}, 7);
    std::size_t kept = 0;
    for (std::uint64_t sample = 1; sample <= 500; ++sample) {
      const auto [drawn, moved] = draws(sample);
      kept += moved == 0 ? 1 : 0;
      const SymMat3 &was = robot.joints[1].body.inertia, &is = drawn.joints[1].body.inertia;
      EXPECT_GE(least_share(is), least_share(was) - 1e-12);
      for (double SymMat3::*entry : {&SymMat3::xx, &SymMat3::yy, &SymMat3::zz}) {
        EXPECT_LE(std::abs(is.*entry / (was.*entry) - 1), bound * (1 + 1e-9));
      }
      EXPECT_EQ(drawn.joints[0].body.inertia, others(sample).robot.joints[0].body.inertia);
    }
    EXPECT_GT(kept, 150U);
  }
}

TEST(RobotSampler, DoNotDependOnOneAnotherNorOnOtherBounds) {
  const Robot robot = two_links();
  const RobotSampler draws(robot, {0.1, 0.004, 0.2}, 7), again(robot, {0.1, 0.0, 0.0}, 7);
  const double mass = draws(12).robot.joints[1].body.mass;
  EXPECT_NE(draws(13).robot.joints[1].body.mass, mass);
  EXPECT_EQ(again(12).robot.joints[1].body.mass, mass);
  EXPECT_NE(RobotSampler(robot, {0.1}, 8)(12).robot.joints[1].body.mass, mass);
  EXPECT_EQ(again(12).robot.joints[1].body.com, robot.joints[1].body.com);
}

TEST(RobotSampler, LinksWithoutMassStayAsTheyAre) {
  Robot robot = two_links();
  robot.joints[1].body = {0.0, {0.1, 0.0, 0.0}, {0.01, 0.0, 0.0}};
  const MassProperties body = RobotSampler(robot, {0.1, 0.01, 0.3}, 1)(5).robot.joints[1].body;
  EXPECT_EQ(body.com, robot.joints[1].body.com);
  EXPECT_EQ(body.inertia, robot.joints[1].body.inertia);
}

TEST(RobotSampler, HaveTheVarianceOfTheirDistribution) {
  const Robot robot = two_links();
  const int samples = 20000;
  // Uniform: 1/3. Normal with σ = 1/3, cut at 3σ: σ²(1 − 6φ(3)/(2Φ(3) − 1)).
  const double phi = std::exp(-4.5) / std::sqrt(2 * M_PI), inside = std::erf(3 / std::sqrt(2.0));
  const double expected[] = {1.0 / 3, (1 - 6 * phi / inside) / 9};
  for (const Distribution distribution : {Distribution::uniform, Distribution::normal}) {
    const RobotSampler draws(robot, {.mass = 0.1, .distribution = distribution}, 3);
    double sum = 0.0, squares = 0.0;
    for (int sample = 1; sample <= samples; ++sample) {
      const auto number = static_cast<std::uint64_t>(sample);
      const double x = (draws(number).robot.joints[0].body.mass / 3.0 - 1) / 0.1;
      sum += x;
      squares += x * x;
    }
    const double variance = expected[distribution == Distribution::normal ? 1 : 0];
    EXPECT_LT(std::abs(sum / samples), 4 * std::sqrt(variance / samples));
    EXPECT_NEAR(squares / samples, variance, 4 * variance * std::sqrt(2.0 / samples));
  }
}

TEST(RobotSampler, TakeTheirNumbersFromTheStreamOfTheirSample) {
  const std::uint64_t seed = 7, sample = 5;
  const auto between = [&](std::uint32_t place) {
    return 2.0 * uniform_variate(seed, sample, place) - 1.0;
  };
  const Robot robot = two_links();
  const Robot drawn =
      RobotSampler(robot, {0.1, 0.004, 0.2, 0.3, 0.15, Distribution::uniform}, seed)(sample).robot;
  EXPECT_DOUBLE_EQ(drawn.joints[0].body.mass, 3.0 * (1.0 + 0.1 * between(0)));
  EXPECT_DOUBLE_EQ(drawn.joints[0].body.com.x, 0.2 + 0.004 * between(1));
  EXPECT_DOUBLE_EQ(drawn.joints[0].body.com.y, -0.1 + 0.004 * between(2));
  EXPECT_DOUBLE_EQ(drawn.joints[0].body.com.z, 0.05 + 0.004 * between(3));
  EXPECT_DOUBLE_EQ(drawn.joints[0].friction.viscous, 0.5 * (1.0 + 0.3 * between(7)));
  EXPECT_DOUBLE_EQ(drawn.joints[1].body.mass, 1.5 * (1.0 + 0.1 * between(8)));
  EXPECT_DOUBLE_EQ(drawn.payload.mass, 2.0 * (1.0 + 0.15 * between(16)));

  Uncertainty of_numbers;
  of_numbers.parameters = {{{"a", 3.0}, 0.5}, {{"b", 4.0}, 0.25}};
  ParameterValues values;
  (void)RobotSampler(robot, of_numbers, seed, [&](const ParameterValues& used) {
    values = used;
    return robot;
  })(sample);
  EXPECT_DOUBLE_EQ(values.at("a").value, 3.0 + 0.5 * between(17));
  EXPECT_DOUBLE_EQ(values.at("b").value, 4.0 + 0.25 * between(18));
}

TEST(RobotSampler, ScaleAllOfAPayloadAndThePrincipalMomentsOneByOne) {
  Robot robot = two_links();
  robot.payload.inertia = {0.01, 0.02, 0.015, 0.003, -0.002, 0.001};
  robot.joints[1].body.inertia = {0.03, 0.04, 0.05};
  const RobotSampler draws(robot, {.inertia = 0.1, .payload = 0.15}, 3);
  std::vector<double> places(17);
  places[12] = 0.5;
  places[13] = -1.0;
  places[14] = 0.25;
  places[16] = -0.4;
  const Robot drawn = draws.at(places).robot;
  const SymMat3& moments = drawn.joints[1].body.inertia;
  EXPECT_NEAR(moments.xx, 0.03 * 1.05, 1e-17);
  EXPECT_NEAR(moments.yy, 0.04 * 0.9, 1e-17);
  EXPECT_NEAR(moments.zz, 0.05 * 1.025, 1e-17);
  EXPECT_EQ(drawn.joints[0].body.mass, robot.joints[0].body.mass);
  EXPECT_NEAR(drawn.joints[0].body.inertia.xz, robot.joints[0].body.inertia.xz, 1e-17);
  EXPECT_DOUBLE_EQ(drawn.payload.mass, 2.0 * 0.94);
  for (double SymMat3::*const entry :
       {&SymMat3::xx, &SymMat3::yy, &SymMat3::zz, &SymMat3::xy, &SymMat3::yz, &SymMat3::xz}) {
    EXPECT_DOUBLE_EQ(drawn.payload.inertia.*entry, 0.94 * robot.payload.inertia.*entry);
  }
}

TEST(RobotSampler, NameWhatTheyDraw) {
  Robot robot = two_links();
  robot.joints[0].name = "a";
  robot.joints[1].name = "b";
  const auto drawn = [&](const Uncertainty& uncertainty) {
    std::string names;
    for (const auto& [place, name] :
         RobotSampler(robot, uncertainty, 1, [&](const ParameterValues&) {
           return robot;
         }).sampled_numbers()) {
      names += std::to_string(place) + " " + name + ", ";
    }
    return names;
  };
  EXPECT_EQ(drawn({.mass = 0.1, .friction = 0.1}),
            "0 mass of a, 7 friction of a, 8 mass of b, 15 friction of b, ");
  EXPECT_EQ(
      drawn({.com = 0.1}),
      "1 com x of a, 2 com y of a, 3 com z of a, 9 com x of b, 10 com y of b, 11 com z of b, ");
  EXPECT_EQ(drawn({.inertia = 0.1}),
            "4 smallest principal moment of a, 5 middle principal moment of a, "
            "6 largest principal moment of a, 12 smallest principal moment of b, "
            "13 middle principal moment of b, 14 largest principal moment of b, ");
  EXPECT_EQ(drawn({.payload = 0.1, .parameters = {{{"l", 3.0}, 0.5}, {{"m", 4.0}, 0.25}}}),
            "16 payload, 17 l, 18 m, ");
}

TEST(RobotSampler, RefusesBoundsThatNoArmsLieWithin) {
  const auto draws = [](const Uncertainty& uncertainty, const RobotOfParameters& of_parameters) {
    return RobotSampler(two_links(), uncertainty, 1, of_parameters)(1);
  };
  const RobotOfParameters same = [](const ParameterValues& /*values*/) { return two_links(); };
  for (double Uncertainty::*bound : {&Uncertainty::mass, &Uncertainty::com, &Uncertainty::inertia,
                                     &Uncertainty::friction, &Uncertainty::payload}) {
    for (const double wrong : {-0.1, std::nan(""), HUGE_VAL}) {
      Uncertainty uncertainty;
      uncertainty.*bound = wrong;
      EXPECT_THROW((void)draws(uncertainty, {}), std::invalid_argument) << wrong;
    }
    Uncertainty whole;
    whole.*bound = 1.0;
    if (bound == &Uncertainty::com) {
      EXPECT_NO_THROW((void)draws(whole, {}));
    } else {
      EXPECT_THROW((void)draws(whole, {}), std::invalid_argument);
    }
  }
  Uncertainty uncertainty;
  uncertainty.parameters = {{{"a", 3.0}, 0.5}};
  EXPECT_NO_THROW((void)draws(uncertainty, same));
  EXPECT_THROW((void)draws(uncertainty, {}), std::invalid_argument);
  for (const double wrong : {-0.1, std::nan(""), HUGE_VAL}) {
    uncertainty.parameters[0].bound = wrong;
    EXPECT_THROW((void)draws(uncertainty, same), std::invalid_argument) << wrong;
  }
}

}  // namespace
}  // namespace armdyn
