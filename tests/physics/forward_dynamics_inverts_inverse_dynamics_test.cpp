// Accelerations come from the mass matrix, torques from Newton-Euler: put one into the other.

#include <gtest/gtest.h>
#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "support/case_table.hpp"
#include "support/paths.hpp"
#include "support/random_arm.hpp"

namespace armdyn::testing {
namespace {

constexpr ForwardMethod methods[] = {ForwardMethod::composite, ForwardMethod::articulated,
                                     ForwardMethod::strobe};

/// |M q̈ + h + losses − τ| over the largest of |τ|, |h|, |M q̈|.
double relative_residual(const Arm& arm, ForwardMethod method, const std::vector<double>& q,
                         const std::vector<double>& qd, const std::vector<double>& tau,
                         const Wrench& wrench) {
  const std::size_t n = arm.dof();
  ForwardDynamics forward(arm, method);
  std::vector<double> qdd(n), h(n), inertial(n), zero(n), back(n);
  forward.acceleration(q, qd, tau, wrench, qdd);
  InverseDynamics inverse(arm);
  inverse.torque({q, qd, qdd}, wrench, back);
  inverse.torque({q, qd, zero}, wrench, h);
  double residual = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    inertial[i] = back[i] - h[i];
    residual = std::max(residual, std::abs(back[i] - tau[i]));
  }
  return residual / std::max({scale_of(tau), scale_of(h), scale_of(inertial)});
}

TEST(ForwardDynamics, LeavesNoResidualOnRandomArms) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomArm random(seed);
    const std::size_t n = 1 + seed % 10;
    const Arm arm = random.arm(n);
    const auto q = random.numbers(n, 3.0), qd = random.numbers(n, 2.0),
               tau = random.numbers(n, 50.0);
    const Wrench wrench = random.wrench();
    for (const ForwardMethod method : methods) {
      EXPECT_LE(relative_residual(arm, method, q, qd, tau, wrench), 1e-13) << "seed " << seed;
    }
  }
}

TEST(ForwardDynamics, LeavesNoResidualOnEveryShippedRobot) {
  for (const auto& entry : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (entry.path().extension() != ".yaml") continue;
    const Robot robot = read_robot_file(entry.path().string()).robot;
    const Arm arm = normalize(robot);
    RandomArm random(1);
    for (int trial = 0; trial < 20; ++trial) {
      const auto q = random.numbers(arm.dof(), 3.0), qd = random.numbers(arm.dof(), 2.0),
                 tau = random.numbers(arm.dof(), 50.0);
      for (const ForwardMethod method : methods) {
        EXPECT_LE(relative_residual(arm, method, q, qd, tau, {}), 1e-13)
            << robot.name << " " << trial;
      }
    }
  }
}

TEST(ForwardDynamics, EqualsTheReferenceCases) {
  for (const std::string name : {"puma560_standard", "cart_pole", "rr_craig"}) {
    const Arm arm =
        normalize(read_robot_file(test_data() + "/cases/robots/" + name + ".yaml").robot);
    const CaseTable table(name + "_forward.csv");
    ASSERT_GT(table.rows(), 0U);
    const std::size_t n = arm.dof();
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto expected = table.joints("qdd", n, row);
      const double tolerance = std::max(1e-12, 1e-14 * table.at("cond_M", row));
      for (const ForwardMethod method : methods) {
        std::vector<double> qdd(n);
        ForwardDynamics(arm, method)
            .acceleration(table.joints("q", n, row), table.joints("qd", n, row),
                          table.joints("tau", n, row), {}, qdd);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_NEAR(qdd[i], expected[i], tolerance * scale_of(expected))
              << name << " row " << row;
        }
      }
    }
  }
}

}  // namespace
}  // namespace armdyn::testing
