// The six-link arm of paper 004: its poses A and B put the TCP where the paper says.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <array>
#include <cmath>
#include <numbers>

#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

using Matrix = std::array<std::array<double, 4>, 3>;  // n, o, a, p of a frame; rows x, y, z
using Column = std::array<double, 3>;

/// {i} in {i−1}, as textbooks print it for standard tables.
Matrix standard_row(const DhRow& dh, double q) {
  const double c = std::cos(q + dh.theta), s = std::sin(q + dh.theta);
  const double ca = std::cos(dh.alpha), sa = std::sin(dh.alpha);
  return {{{c, -s * ca, s * sa, dh.a * c}, {s, c * ca, -c * sa, dh.a * s}, {0, sa, ca, dh.d}}};
}

Matrix times(const Matrix& A, const Matrix& B) {
  Matrix product{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 3; ++k) product[i][j] += A[i][k] * B[k][j];
    }
    product[i][3] += A[i][3];
  }
  return product;
}

class SixLinkHands : public ::testing::Test {
 protected:
  [[nodiscard]] Matrix tcp(const std::vector<double>& q) const {
    Matrix T{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (std::size_t i = 0; i < q.size(); ++i) T = times(T, standard_row(robot.joints[i].dh, q[i]));
    return T;
  }

  [[nodiscard]] Column column(const std::vector<double>& q, std::size_t j) const {
    const Matrix T = tcp(q);
    return {T[0][j], T[1][j], T[2][j]};
  }

  static void expect_near(const Column& found, const Column& expected, double tolerance) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], tolerance);
  }

  void expect_hand(const std::vector<double>& q, const Column& p, double tolerance) const {
    expect_near(column(q, 0), {0, 0, 1}, tolerance);  // n
    expect_near(column(q, 1), {1, 0, 0}, tolerance);  // o
    expect_near(column(q, 3), p, tolerance);
  }

  static std::vector<double> radians(std::vector<double> degrees) {
    for (double& angle : degrees) angle *= std::numbers::pi / 180.0;
    return degrees;
  }

  [[nodiscard]] std::vector<double> pose(const std::string& name) const {
    return find_pose(robot, name)->q;
  }

  const Column at_A{-0.1, 0.35, 1.63};
  const Column at_B{-0.1, 0.35, 1.83};
  const Robot robot = read_robot_file(shipped_robots_folder() + "/six-link-jaeri.yaml").robot;
};

TEST_F(SixLinkHands, HasItsHandAtAAndAtB) {
  expect_hand(pose("A"), at_A, 1e-14);
  expect_hand(pose("B"), at_B, 1e-14);
}

// Each joint's rounding, at most 0.5e-4 deg = 8.7e-7 rad, moves the TCP by 1.9 m times that.
TEST_F(SixLinkHands, HasItsHandThereAtThePrintedAnglesToo) {
  const double tolerance = 6 * 1.9 * 8.7e-7;
  expect_hand(radians({2.7533, 0.1502, 85.7259, -33.7722, -85.0428, 33.6731}), at_A, tolerance);
  expect_hand(radians({10.4705, 8.7346, 44.3932, -17.1186, -51.8741, 13.6195}), at_B, tolerance);
}

TEST_F(SixLinkHands, HoldsItsUpperArmAtA) {
  const std::vector<double> zero(6, 0.0);
  const std::vector<double> tau = torque(normalize(robot), {pose("A"), zero, zero});
  EXPECT_NEAR(tau[1], -58.9, 0.05);
}

}  // namespace
}  // namespace armdyn::testing
