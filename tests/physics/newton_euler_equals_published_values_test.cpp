// Published torques, to the digits in which they are printed.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <numbers>

#include "math/rigid.hpp"
#include "support/case_table.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

using Row = std::vector<double>;

using std::numbers::pi;

Arm shipped(const std::string& name) {
  return normalize(read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot);
}

void expect_near(const Row& found, const Row& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance) << "joint " << i + 1;
  }
}

// --- Corke's robotics toolbox for Python, tests/test_DHRobot.py: friction and rotors included
// -----

class CorkePuma : public ::testing::Test {
 protected:
  const Row z = Row(6, 0.0);
  const Row o = Row(6, 1.0);
  const Row qn{0, pi / 4, pi, 0, pi / 4, 0};
  // Printed to four decimals or six digits; the largest, 60.867, to 5e-4.
  static constexpr double printed = 5.1e-5;

  void expect_rne(const Row& qd, const Row& qdd, const Row& expected, double tolerance,
                  Vec3 gravity = {0, 0, -9.81}, const Wrench& wrench = {}) {
    Robot robot = read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot;
    robot.gravity = gravity;
    expect_near(torque(normalize(robot), {qn, qd, qdd}, wrench), expected, tolerance);
  }
};

TEST_F(CorkePuma, AtRest) {
  expect_rne(z, z, {0, 31.6399, 6.0351, 0, 0.0283, 0}, printed);
}
TEST_F(CorkePuma, Accelerating) {
  expect_rne(z, o, {3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133}, printed);
}
TEST_F(CorkePuma, MovingAndAccelerating) {
  expect_rne(o, o, {32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781}, printed);
}
TEST_F(CorkePuma, Moving) {
  expect_rne(o, z, {29.1421, 56.5044, 16.3528, 1.26448, 1.12392, 0.519648}, printed);
}
TEST_F(CorkePuma, WithoutGravity) {
  expect_rne(o, o, {32.4952, 29.2271, 11.7085, 1.45452, 1.27086, 0.713781}, printed, {0, 0, 0});
}
TEST_F(CorkePuma, PressingOnTheEnvironment) {
  expect_rne(z, z, {0.642756, 29.0866, 4.70321, 2.82843, -1.97175, 3}, printed, {0, 0, -9.81},
             {{1, 2, 3}, {1, 2, 3}});
}

TEST(Gravload, OfTheClassicToolboxManual) {
  const Arm arm = shipped("puma560");
  const Row z(6, 0.0);
  const auto G = [&](const Row& q) { return torque(arm, {q, z, z}); };
  expect_near(G({0, 0, 0, 0, 0, 0}), {0, 37.48366665, 0.24892875, 0, 0, 0}, 5e-9);
  expect_near(G({0, pi / 2, -pi / 2, 0, 0, 0}), {0, -0.77523525, 0.24892875, 0, 0, 0}, 5e-9);
  expect_near(G({0, 0, -pi / 2, 0, 0, 0}), {0, 46.006938, 8.7722001, 0, 0.0282528, 0}, 5e-9);
}

// --- SymPyBotics, tests/test_results.py: 15 digits, both conventions, no rotors, no friction
// --------

constexpr std::array<double, 60> random_parameters{
    0.47804562306292275, 0.5871876506259908,  0.9487349009746813,   0.35387185413632094,
    0.28071604959871554, 0.368556182617345,   0.24355010647230801,  0.6753463418802456,
    0.9728151452953864,  0.6620741264406734,  0.34669638996014096,  0.01593886435340608,
    0.3521748260592804,  0.5384045845183812,  0.021600503502885116, 0.4654003203805651,
    0.5202014161122065,  0.33744920539722967, 0.052363297799702835, 0.07051826001770234,
    0.7389222546505236,  0.771434543548951,   0.3652539269897015,   0.2603059367721896,
    0.4310648491411889,  0.7071252186366607,  0.16320122542325732,  0.44948421506462655,
    0.48085540250421277, 0.08408482356412372, 0.923593157615906,    0.46852453511703684,
    0.6670004526434297,  0.573634975268657,   0.12665814747855264,  0.3152822779549781,
    0.21725524421221942, 0.5727451645276381,  0.7984025459787872,   0.7630923700903489,
    0.27670044727992893, 0.919667661316697,   0.8828363383223908,   0.3618378476984413,
    0.20690997158181246, 0.8321536435628591,  0.556153477173109,    0.3985225289975399,
    0.7128303168401632,  0.433898343199971,   0.35116090526732047,  0.551636779637059,
    0.03397585970570116, 0.28333059714010744, 0.4785548774382852,   0.16258401709779136,
    0.8246056496848533,  0.23027686557606952, 0.26655111443159285,  0.6087446254045791};

/// Ten numbers a link, as SymPyBotics lists them: inertia about the frame's origin xx, xy, xz, yy,
/// yz, zz, first moments x, y, z, mass.
MassProperties body(const double* p) {
  const double mass = p[9];
  const Vec3 com{p[6] / mass, p[7] / mass, p[8] / mass};
  const SymMat3 about_origin{p[0], p[3], p[5], p[1], p[4], p[2]};
  return {mass, com, about_origin + point_inertia(-mass, com)};
}

Robot without_drives(const std::string& name) {
  Robot robot = read_robot_file(shipped_robots_folder() + "/" + name + ".yaml").robot;
  for (Joint& joint : robot.joints) {
    joint.friction = {};
    joint.motor = {};
  }
  return robot;
}

Robot with_random_parameters(Robot robot) {
  for (std::size_t i = 0; i < 6; ++i) robot.joints[i].body = body(&random_parameters[10 * i]);
  return robot;
}

struct Expected {
  Row tau, gravity, velocity;
};

void expect_fifteen_digits(const Robot& robot, const Expected& expected) {
  const Row q{0.7504516826728697, 0.8395156106908136, 0.16851233582594916,
              0.3849629637427072, 0.5252993946810777, 0.6701207256444748};
  const Row qd{0.24721855939629367, 0.9805915670454258, 0.9895299755642817,
               0.7861135739668947,  0.273842245476577,  0.17182358900767503};
  const Row qdd{0.707405815485141,  0.25295715193420953, 0.9763909835998361,
                0.8412822676113918, 0.4867768296473465,  0.11480270540937143};
  const Arm arm = normalize(robot);
  InverseDynamics dynamics(arm);
  Row inertia(6), velocity(6), gravity(6), friction(6), rotor(6), wrench(6);
  dynamics.terms({q, qd, qdd}, {}, {inertia, velocity, gravity, friction, rotor, wrench});
  const double tolerance = 1e-12 * scale_of(expected.tau);
  const auto tau = torque(arm, {q, qd, qdd});
  double largest = 0.0;
  for (std::size_t i = 0; i < 6; ++i)
    largest = std::max(largest, std::abs(tau[i] - expected.tau[i]));
  std::cout << "largest deviation " << largest / scale_of(expected.tau)
            << " of the largest torque\n";
  expect_near(tau, expected.tau, tolerance);
  expect_near(gravity, expected.gravity, tolerance);
  expect_near(velocity, expected.velocity, tolerance);
}

TEST(SymPyBotics, PumaInTheStandardConvention) {
  expect_fifteen_digits(
      without_drives("puma560"),
      {{0.986185688341252, 16.1055550633721, -6.54839494827661, 0.00626452648190803,
        -0.0208972707132494, 5.59805923645945e-5},
       {0, 16.8135891283022, -7.29033633567802, 0.00449992182015992, -0.026719893613902, 0},
       {-0.240237883763956, -1.0843848843681, 0.365583586254475, -0.000123404998742911,
        0.00359951257553373, 1.1075729558421e-5}});
}

TEST(SymPyBotics, RandomParametersInTheStandardConvention) {
  expect_fifteen_digits(with_random_parameters(without_drives("puma560")),
                        {{4.55384377546122, -18.3482765770679, -18.5150406032816, -3.48354572715293,
                          -4.22434630683546, -8.50580534103007},
                         {0, -16.5628257742538, -23.0524142097215, -4.2536826692411,
                          -8.37451830056579, -7.9940463468124},
                         {3.79031173486171, -6.37866680030809, 0.668430906458299,
                          0.0446113764650349, 2.68800462309735, -0.0871119983741941}});
}

TEST(SymPyBotics, PumaInTheModifiedConvention) {
  expect_fifteen_digits(
      without_drives("puma560-akb"),
      {{2.71610302653938, -28.7944111980059, -7.07013200484716, 0.00682888994276653,
        -0.0220889100229662, 5.59805923645946e-5},
       {0, -31.1492065095002, -7.04528104551999, 0.00449992182016002, -0.026719893613902, 0},
       {0.634177626441184, 1.12398760139525, -0.373925639216401, -8.54577359118394e-5,
        0.00162606594660281, 1.1075729558421e-5}});
}

TEST(SymPyBotics, RandomParametersInTheModifiedConvention) {
  expect_fifteen_digits(with_random_parameters(without_drives("puma560-akb")),
                        {{5.46017281703168, -8.53813836226581, -0.490552199963579, 16.4258371315422,
                          6.18803453956645, 7.99017179545593},
                         {0, -12.2719368424473, -5.98183554268347, 18.5386690234033,
                          0.512467781908107, 7.9940463468124},
                         {3.69185531689127, -1.34087787458136, 1.44951875057327, -2.77730540324791,
                          3.31210163468715, -0.788977149763209}});
}

}  // namespace
}  // namespace armdyn::testing
