// The 50-digit cases come from the Lagrangian with exact derivatives, by a program that shares
// nothing with this one. A program in doubles is held to 1e-12 of the row's largest torque.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "support/case_table.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

constexpr double table_tolerance = 1e-12;

class ReferenceCase : public ::testing::TestWithParam<const char*> {
 protected:
  ~ReferenceCase() override {
    std::cout << name_ << ": largest deviation " << largest_ << " of the row's largest torque\n";
  }

  const std::string name_ = GetParam();
  const Arm arm_ =
      normalize(read_robot_file(test_data() + "/cases/robots/" + name_ + ".yaml").robot);
  const std::size_t n_ = arm_.dof();
  double largest_ = 0.0;

  void expect_torques(const std::string& file) {
    const CaseTable table(file);
    ASSERT_GT(table.rows(), 0U);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto q = table.joints("q", n_, row);
      const auto qd = table.joints("qd", n_, row);
      const auto qdd = table.joints("qdd", n_, row);
      expect_close(torque(arm_, {q, qd, qdd}, table.wrench(row)), table.joints("tau", n_, row),
                   file, row);
    }
  }

  void expect_close(const std::vector<double>& found, const std::vector<double>& expected,
                    const std::string& what, std::size_t row, double scale = 0.0) {
    if (scale == 0.0) scale = scale_of(expected);
    for (std::size_t i = 0; i < n_; ++i) {
      largest_ = std::max(largest_, std::abs(found[i] - expected[i]) / scale);
      EXPECT_NEAR(found[i], expected[i], table_tolerance * scale)
          << what << ", row " << row << ", joint " << i + 1;
    }
  }
};

TEST_P(ReferenceCase, TorquesOfRandomStates) {
  expect_torques(name_ + ".csv");
}
TEST_P(ReferenceCase, TorquesAtRestAndWithOneJointMoving) {
  expect_torques(name_ + "_corner.csv");
}
TEST_P(ReferenceCase, TorquesWithAHandWrench) {
  expect_torques(name_ + "_wrench.csv");
}

TEST_P(ReferenceCase, Terms) {
  const CaseTable motion(name_ + ".csv");
  const CaseTable parts(name_ + "_parts.csv");
  InverseDynamics dynamics(arm_);
  std::vector<double> inertia(n_), velocity(n_), gravity(n_), friction(n_), rotor(n_), wrench(n_);
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    const auto q = motion.joints("q", n_, row);
    const auto qd = motion.joints("qd", n_, row);
    const auto qdd = motion.joints("qdd", n_, row);
    dynamics.terms({q, qd, qdd}, {}, {inertia, velocity, gravity, friction, rotor, wrench});

    const double scale = scale_of(motion.joints("tau", n_, row));
    auto losses = parts.joints("viscous", n_, row);
    const auto coulomb = parts.joints("coulomb", n_, row);
    for (std::size_t i = 0; i < n_; ++i) losses[i] += coulomb[i];
    expect_close(inertia, parts.joints("inertial", n_, row), "inertia", row, scale);
    expect_close(velocity, parts.joints("velocity", n_, row), "velocity", row, scale);
    expect_close(gravity, parts.joints("gravity", n_, row), "gravity", row, scale);
    expect_close(rotor, parts.joints("rotor", n_, row), "rotor", row, scale);
    expect_close(friction, losses, "friction", row, scale);
    expect_close(wrench, std::vector<double>(n_, 0.0), "wrench", row, scale);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ReferenceCase,
                         ::testing::Values("cart_pole", "puma560_standard", "rr_craig"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace armdyn::testing
