// Every formulation, and the reference in 50 digits, against cases from the Lagrangian with exact
// derivatives, computed by a program that shares nothing with this one.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <tuple>

#include "dynamics/compare.hpp"
#include "support/case_table.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

constexpr const char* robots[] = {"cart_pole", "puma560_standard", "rr_craig"};

Arm case_arm(const std::string& robot) {
  return normalize(read_robot_file(test_data() + "/cases/robots/" + robot + ".yaml").robot);
}

struct Case {
  std::vector<double> q, qd, qdd, tau;
  Wrench wrench;
  std::string place;
};

/// Every row of a robot's cases with a torque: random states, corners, with a TCP wrench.
std::vector<Case> cases(const std::string& robot, std::size_t n) {
  std::vector<Case> all;
  for (const char* kind : {"", "_corner", "_wrench"}) {
    const CaseTable table(robot + kind + ".csv");
    for (std::size_t row = 0; row < table.rows(); ++row) {
      all.push_back({table.joints("q", n, row), table.joints("qd", n, row),
                     table.joints("qdd", n, row), table.joints("tau", n, row), table.wrench(row),
                     robot + kind + ", row " + std::to_string(row)});
    }
  }
  return all;
}

class Formulation : public ::testing::TestWithParam<std::tuple<Method, const char*>> {};

TEST_P(Formulation, EqualsTheCasesTo1em12OfTheLargestTorque) {
  const auto [method, robot] = GetParam();
  const Arm arm = case_arm(robot);
  const std::vector<Case> all = cases(robot, arm.dof());
  ASSERT_GT(all.size(), 30U);
  InverseDynamics dynamics(arm, method);
  std::vector<double> tau(arm.dof());
  for (const Case& c : all) {
    dynamics.torque({c.q, c.qd, c.qdd}, c.wrench, tau);
    for (std::size_t i = 0; i < tau.size(); ++i) {
      EXPECT_NEAR(tau[i], c.tau[i], 1e-12 * scale_of(c.tau)) << c.place << ", joint " << i + 1;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Formulation,
                         ::testing::Combine(::testing::ValuesIn(all_methods),
                                            ::testing::ValuesIn(robots)),
                         [](const auto& test) {
                           std::string text(name(std::get<0>(test.param)));
                           for (char& c : text) c = c == '-' ? '_' : c;
                           return text + "_" + std::get<1>(test.param);
                         });

// What is left is the rounding of the case's own text and of the arm's constants.
TEST(Reference, EqualsTheCasesToADoublesPrecision) {
  for (const char* robot : robots) {
    const Arm arm = case_arm(robot);
    for (const Case& c : cases(robot, arm.dof())) {
      std::vector<TwoDoubles> tau(arm.dof());
      reference_torque(arm, {c.q, c.qd, c.qdd}, c.wrench, tau);
      for (std::size_t i = 0; i < tau.size(); ++i) {
        const Drive& drive = arm.drives[i];
        const double losses = friction_torque(drive.friction, c.q[i], c.qd[i]) +
                              motor_torque(drive.motor, c.qd[i], c.qdd[i]);
        EXPECT_NEAR(tau[i].head + losses, c.tau[i], 4e-15 * scale_of(c.tau))
            << c.place << ", joint " << i + 1;
      }
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
