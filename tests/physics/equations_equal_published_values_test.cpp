// The PUMA 560 in standard frames, to the digits printed.
//
// Robotics Toolbox for Python, tests/test_DHRobot.py: with rotors, 9.81 m/s², four decimals.
// SymPyBotics, tests/test_results.py: without rotors, fifteen digits.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/robot_file.hpp>

#include <numbers>

#include "support/near.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

class PublishedPuma : public ::testing::Test {
 protected:
  static constexpr double last_decimal = 0.51e-4;  // half of it, and the rounding of its text

  Robot robot_ = read_robot_file(shipped_robots_folder() + "/puma560.yaml").robot;
  const std::vector<double> qn_{0, std::numbers::pi / 4, std::numbers::pi,
                                0, std::numbers::pi / 4, 0};
  const std::vector<double> qd_{1, 2, 3, 1, 2, 3};

  static void expect_decimals(const Matrix& found, const Matrix& printed, const char* what) {
    expect_near(found, printed, last_decimal / largest(printed), what);
  }
};

TEST_F(PublishedPuma, HasItsMassMatrix) {
  expect_decimals(mass_matrix(normalize(robot_), qn_),
                  matrix({{3.6594, -.4044, .1006, -.0025, 0, 0},
                          {-.4044, 4.4137, .3509, 0, .0024, 0},
                          {.1006, .3509, .9378, 0, .0015, 0},
                          {-.0025, 0, 0, .1925, 0, 0},
                          {0, .0024, .0015, 0, .1713, 0},
                          {0, 0, 0, 0, 0, .1941}}),
                  "M");
}

TEST_F(PublishedPuma, HasItsChristoffelMatrix) {
  expect_decimals(equations(normalize(robot_), qn_, qd_).C,
                  matrix({{-.1735, -2.0494, -.1178, -.0002, -.0045, .0001},
                          {.6274, 1.1572, 1.9287, -.0015, -.0003, 0},
                          {-.3608, -.7734, -.0018, -.0009, -.0064, 0},
                          {.0011, .0005, -.0001, .0002, .0002, -.0001},
                          {-.0002, .0028, .0046, -.0002, 0, 0},
                          {.0001, 0, 0, 0, 0, 0}}),
                  "C");
}

TEST_F(PublishedPuma, HasItsCartesianInertia) {
  const Cartesian found = cartesian(normalize(robot_), qn_, qd_, all_task_rows());
  ASSERT_TRUE(found.terms) << found.refusal;
  expect_decimals(found.terms->Mx,
                  matrix({{17.2954, -2.7542, -9.6233, 0, .2795, 0},
                          {-2.7542, 12.1909, 1.2459, -.3254, -.0703, -.9652},
                          {-9.6233, 1.2459, 13.3348, 0, .2767, 0},
                          {0, -.3254, 0, .1941, 0, .1941},
                          {.2795, -.0703, .2767, 0, .1713, 0},
                          {0, -.9652, 0, .1941, 0, .5791}}),
                  "Mx");
}

class PublishedPumaLinks : public PublishedPuma {
 protected:
  static constexpr double fifteen_digits = 1e-14;

  PublishedPumaLinks() {
    for (Joint& joint : robot_.joints) joint.motor = {};
  }

  const std::vector<double> q_{0.7504516826728697, 0.8395156106908136, 0.16851233582594916,
                               0.3849629637427072, 0.5252993946810777, 0.6701207256444748};
  const std::vector<double> qd_test_{0.24721855939629367, 0.9805915670454258, 0.9895299755642817,
                                     0.7861135739668947,  0.273842245476577,  0.17182358900767503};
};

TEST_F(PublishedPumaLinks, HaveTheirJacobian) {
  expect_near(jacobian(normalize(robot_), q_),
              matrix({{0.154761559833806, -0.416115317270121, -0.181051500179202, 0, 0, 0},
                      {0.0540498757911011, -0.388002774727404, -0.16881975145483, 0, 0, 0},
                      {0, -0.0660115669805396, -0.354377730397368, 0, 0, 0},
                      {0, 0.681969181663071, 0.681969181663071, -0.618588326585383,
                       0.778592276991744, -0.588120962109346},
                      {0, -0.731380909828662, -0.731380909828662, -0.576796808883883,
                       -0.541217849732837, -0.805866768463298},
                      {1, 0, 0, 0.533529683779323, 0.317611878460765, 0.0685017183295358}}),
              fifteen_digits, "J");
}

TEST_F(PublishedPumaLinks, HaveTheirStateSpaceTerms) {
  const Equations found = equations(normalize(robot_), q_, qd_test_);
  expect_near(
      found.M,
      matrix({{2.05591694561963, -0.607149114401804, -0.0772414386669633, 0.00110264316988551,
               0.000264135330891356, 2.74006873318143e-6},
              {-0.607149114401804, 2.00048563124708, 0.306870038373922, -0.000227846077158843,
               0.000780985328855223, 7.53260796283046e-6},
              {-0.0772414386669632, 0.306870038373922, 0.361368447500762, -0.000267122764221431,
               0.00156301630001611, 7.53260796283046e-6},
              {0.00110264316988551, -0.000227846077158844, -0.000267122764221432,
               0.00169083802882858, 0, 3.4606953693396e-5},
              {0.000264135330891356, 0.000780985328855223, 0.00156301630001611, 0, 0.00064216, 0},
              {2.74006873318143e-6, 7.53260796283046e-6, 7.53260796283046e-6, 3.4606953693396e-5, 0,
               4.0e-5}}),
      fifteen_digits, "M");
  expect_near(found.V,
              {-0.240237883763956, -1.0843848843681, 0.365583586254475, -0.000123404998742911,
               0.00359951257553373, 1.1075729558421e-5},
              fifteen_digits, "V");
  expect_near(found.G,
              {0, 16.8135891283022, -7.29033633567802, 0.00449992182015992, -0.026719893613902, 0},
              fifteen_digits, "G");
}

}  // namespace
}  // namespace armdyn::testing
