// Closed forms of Craig's textbook arms, and a pendulum worked by hand.

#include <gtest/gtest.h>
#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cmath>

#include "support/gravity.hpp"
#include "support/paths.hpp"

namespace armdyn::testing {
namespace {

TEST(CraigRR, EqualsTheClosedFormOfSection6_7) {
  const Robot robot = read_robot_file(shipped_robots_folder() + "/craig-rr.yaml").robot;
  const Arm arm = normalize(robot);
  const double m1 = robot.joints[0].body.mass, m2 = robot.joints[1].body.mass;
  const double l1 = robot.joints[0].body.com.x, l2 = robot.joints[1].body.com.x;
  ASSERT_EQ(robot.joints[1].dh.a, l1);

  for (int k = 0; k < 100; ++k) {
    const double q1 = std::sin(k), q2 = 2 * std::sin(1.7 * k), w1 = std::cos(k),
                 w2 = std::sin(3 * k);
    const double a1 = 2 * std::cos(2.3 * k), a2 = std::sin(0.3 * k);
    const double c1 = std::cos(q1), c2 = std::cos(q2), s2 = std::sin(q2), c12 = std::cos(q1 + q2);
    const double tau1 = m2 * l2 * l2 * (a1 + a2) + m2 * l1 * l2 * c2 * (2 * a1 + a2) +
                        (m1 + m2) * l1 * l1 * a1 - m2 * l1 * l2 * s2 * w2 * w2 -
                        2 * m2 * l1 * l2 * s2 * w1 * w2 + m2 * l2 * g * c12 +
                        (m1 + m2) * l1 * g * c1;
    const double tau2 = m2 * l1 * l2 * c2 * a1 + m2 * l1 * l2 * s2 * w1 * w1 + m2 * l2 * g * c12 +
                        m2 * l2 * l2 * (a1 + a2);
    const std::vector<double> q{q1, q2}, qd{w1, w2}, qdd{a1, a2};
    const std::vector<double> tau = torque(arm, {q, qd, qdd});
    EXPECT_NEAR(tau[0], tau1, 1e-13 * 60) << "state " << k;
    EXPECT_NEAR(tau[1], tau2, 1e-13 * 60) << "state " << k;
  }
}

TEST(CraigRP, EqualsTheClosedFormOfExample6_5) {
  const Arm arm = normalize(read_robot_file(shipped_robots_folder() + "/craig-rp.yaml").robot);
  const double m1 = 3, l1 = 0.4, I1 = 0.05, m2 = 2, I2 = 0.04;
  for (int k = 0; k < 100; ++k) {
    const double angle = std::sin(k), d = 0.8 + 0.3 * std::cos(2 * k), w = std::cos(k);
    const double v = std::sin(3 * k), a = 2 * std::cos(2.3 * k), dv = std::sin(0.3 * k);
    const double tau1 = (m1 * l1 * l1 + I1 + I2 + m2 * d * d) * a + 2 * m2 * d * w * v +
                        (m1 * l1 + m2 * d) * g * std::cos(angle);
    const double tau2 = m2 * dv - m2 * d * w * w + m2 * g * std::sin(angle);
    const std::vector<double> q{angle, d}, qd{w, v}, qdd{a, dv};
    const std::vector<double> tau = torque(arm, {q, qd, qdd});
    EXPECT_NEAR(tau[0], tau1, 1e-13 * 40) << "state " << k;
    EXPECT_NEAR(tau[1], tau2, 1e-13 * 40) << "state " << k;
  }
}

TEST(Siciliano, EqualsTheClosedFormOfSection7_3_2) {
  const Arm arm = normalize(read_robot_file(shipped_robots_folder() + "/siciliano-rr.yaml").robot);
  const double a1 = 1, l1 = 0.5, l2 = 0.5, ml1 = 50, ml2 = 50, Il1 = 10, Il2 = 10;
  const double kr1 = 100, kr2 = 100, mm2 = 5, Im1 = 0.01, Im2 = 0.01;
  for (int k = 0; k < 100; ++k) {
    const double q1 = std::sin(k), q2 = 2 * std::sin(1.7 * k), w1 = std::cos(k),
                 w2 = std::sin(3 * k);
    const double acc1 = 2 * std::cos(2.3 * k), acc2 = std::sin(0.3 * k), c2 = std::cos(q2);
    const double b11 = Il1 + ml1 * l1 * l1 + kr1 * kr1 * Im1 + Il2 +
                       ml2 * (a1 * a1 + l2 * l2 + 2 * a1 * l2 * c2) + Im2 + mm2 * a1 * a1;
    const double b12 = Il2 + ml2 * (l2 * l2 + a1 * l2 * c2) + kr2 * Im2;
    const double b22 = Il2 + ml2 * l2 * l2 + kr2 * kr2 * Im2;
    const double h = -ml2 * a1 * l2 * std::sin(q2);
    const double g2 = ml2 * l2 * g * std::cos(q1 + q2);
    const double g1 = (ml1 * l1 + mm2 * a1 + ml2 * a1) * g * std::cos(q1) + g2;
    const double tau1 = b11 * acc1 + b12 * acc2 + 2 * h * w1 * w2 + h * w2 * w2 + g1;
    const double tau2 = b12 * acc1 + b22 * acc2 - h * w1 * w1 + g2;
    const std::vector<double> q{q1, q2}, qd{w1, w2}, qdd{acc1, acc2};
    const std::vector<double> tau = torque(arm, {q, qd, qdd});
    EXPECT_NEAR(tau[0], tau1, 1e-13 * 1500) << "state " << k;
    EXPECT_NEAR(tau[1], tau2, 1e-13 * 1500) << "state " << k;
  }
}

TEST(Gantry, CarriesItsWeightAndAcceleratesItsMassAlone) {
  // Three prismatic joints along x, y and z: each drive moves what hangs behind it.
  Robot robot;
  robot.name = "gantry";
  robot.convention = Convention::modified;
  const double quarter = std::acos(0.0);
  const DhRow rows[] = {
      {0, quarter, 0, quarter}, {0, quarter, 0, quarter}, {0, quarter, 0, quarter}};
  const double masses[] = {20, 10, 5};
  for (int i = 0; i < 3; ++i) {
    Joint joint;
    joint.type = JointType::prismatic;
    joint.dh = rows[i];
    joint.body.mass = masses[i];
    robot.joints.push_back(joint);
  }
  const std::vector<double> q{0.1, -0.2, 0.3}, qd{1, 2, 3}, qdd{0.5, 0.25, 2};
  const std::vector<double> with = torque(normalize(robot), {q, qd, qdd});
  robot.gravity = {0, 0, 0};
  const std::vector<double> without = torque(normalize(robot), {q, qd, qdd});
  EXPECT_DOUBLE_EQ(without[0], 35 * 0.5);
  EXPECT_DOUBLE_EQ(without[1], 15 * 0.25);
  EXPECT_DOUBLE_EQ(without[2], 5 * 2.0);
  // The axes are orthogonal: exactly one of them is vertical and carries what hangs on it.
  const double weights[] = {35 * g, 15 * g, 5 * g};
  int vertical = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double carried = std::abs(with[i] - without[i]);
    if (carried > 1e-12) {
      ++vertical;
      EXPECT_NEAR(carried, weights[i], 1e-12 * weights[i]);
    }
  }
  EXPECT_EQ(vertical, 1);
}

}  // namespace
}  // namespace armdyn::testing
