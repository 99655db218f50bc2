#include "model/motors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "model/row_limits.hpp"

namespace armdyn {
namespace {

/// Five joints: the first with a gear, the others in two couplings, the second of which has its
/// joints in another order.
Robot coupled_arm() {
  Robot robot;
  robot.joints.resize(5);
  robot.joints[0].motor.gear_ratio = -50.0;
  robot.couplings = {{{1, 2}, {40.0, 0.0, -10.0, 20.0}, {0.5, -0.25}, {80.0, 60.0}, {2.0, 3.0}},
                     {{4, 3}, {5.0, 2.0, 1.0, 4.0}, {1.0, 2.0}, {9.0, 18.0}, {0.5, 0.75}}};
  return robot;
}

const std::vector<double> of_joints{0.1, 0.2, -0.3, 0.4, 0.7};

TEST(MotorSide, TakesWhatMotorsDoToTheJoints) {
  const MotorSide motors(coupled_arm());
  EXPECT_FALSE(motors.is_joint_side());
  // A q, and φ0 beside it: motors by their joints.
  const std::vector<double> rates{-5.0, 8.0, -2.0 - 6.0, 0.7 + 1.6, 3.5 + 0.8};
  const std::vector<double> offsets{0.0, 0.5, -0.25, 2.0, 1.0};
  std::vector<double> q = rates, qd = rates, tau{0.2, 0.3, -0.4, 0.6, -0.8};
  for (std::size_t i = 0; i < 5; ++i) q[i] += offsets[i];
  motors.to_positions(q);
  motors.to_rates(qd);
  motors.to_torques(tau);
  const std::vector<double> of_drives{-10.0, 40 * 0.3 + 10 * 0.4, -20 * 0.4, 2 * -0.8 + 4 * 0.6,
                                      5 * -0.8 + 0.6};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(q[i], of_joints[i], 1e-15) << i;
    EXPECT_NEAR(qd[i], of_joints[i], 1e-15) << i;
    EXPECT_NEAR(tau[i], of_drives[i], 1e-14) << i;
  }
  EXPECT_EQ(motors.rate_factor(2, 1), -10.0);
  EXPECT_EQ(motors.rate_factor(1, 2), 0.0);
  EXPECT_NEAR(motors.torque_factor(4, 3), -1.0 / 18.0, 1e-16);
  EXPECT_NEAR(motors.torque_factor(3, 4), -2.0 / 18.0, 1e-16);

  Columns columns(7, std::vector<double>(2));
  for (std::size_t i = 0; i < 5; ++i) columns[i + 1] = {rates[i], -2.0 * rates[i]};
  motors.convert(columns, 1, &MotorSide::to_rates);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(columns[i + 1][0], of_joints[i], 1e-15);
    EXPECT_NEAR(columns[i + 1][1], -2.0 * of_joints[i], 1e-15);
  }
  EXPECT_EQ(columns[0], std::vector<double>(2));
  EXPECT_EQ(columns[6], std::vector<double>(2));

  Robot plain;
  plain.joints.resize(2);
  EXPECT_TRUE(MotorSide(plain).is_joint_side());
  plain.joints[1].motor.gear_ratio = 2.0;
  EXPECT_FALSE(MotorSide(plain).is_joint_side());
}

TEST(MotorLimits, AreOfAllCouplingsVelocitiesFirst) {
  const std::vector<RowLimit> limits = row_limits(coupled_arm());
  ASSERT_EQ(limits.size(), 8U);
  const std::vector<std::size_t> motors{1, 2, 4, 3, 1, 2, 4, 3};
  const std::vector<double> most{80.0, 60.0, 9.0, 18.0, 2.0, 3.0, 0.5, 0.75};
  // A q̇; and A⁻ᵀ τ, where A⁻¹ is (1/40, 0; 1/80, 1/20) and (4, −2; −1, 5)/18.
  const std::vector<double> found{8.0,
                                  -8.0,
                                  4.3,
                                  2.3,
                                  0.2 / 40 - 0.3 / 80,
                                  -0.3 / 20,
                                  (4 * 0.7 - 0.4) / 18,
                                  (-2 * 0.7 + 5 * 0.4) / 18};
  for (std::size_t k = 0; k < limits.size(); ++k) {
    EXPECT_EQ(limits[k].kind, k < 4 ? RowLimit::Kind::velocity : RowLimit::Kind::torque);
    EXPECT_EQ(limits[k].joint, motors[k]);
    EXPECT_EQ(limits[k].most, most[k]);
    EXPECT_NEAR(limits[k].of_row(of_joints), found[k], 1e-15) << k;
  }
  Robot robot = coupled_arm();
  robot.couplings[0].torque_limits.clear();
  robot.couplings[1].velocity_limits.clear();
  EXPECT_EQ(row_limits(robot).size(), 4U);
  EXPECT_EQ(row_limits(robot, RowLimit::Kind::torque).front().joint, 4U);
}

TEST(MotorLimits, AllowEachJointTheSumOfItsMotors) {
  Robot robot = coupled_arm();
  const std::vector<double> found = velocities_by_motors(robot);
  const std::vector<double> expected{std::numeric_limits<double>::infinity(), 80.0 / 40,
                                     80.0 / 80 + 60.0 / 20, (9.0 + 5 * 18.0) / 18,
                                     (4 * 9.0 + 2 * 18.0) / 18};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(found[i], expected[i]) << i;
  robot.couplings[0].velocity_limits.clear();
  EXPECT_TRUE(std::isinf(velocities_by_motors(robot)[1]));
  EXPECT_DOUBLE_EQ(velocities_by_motors(robot)[3], expected[3]);
}

TEST(MotorLimits, CutTorquesOfOneMotorAndKeepTheOthers) {
  const Coupling coupling = coupled_arm().couplings[1];  // Aᵀ = (5, 1; 2, 4), of joints 4 and 3
  const auto cut = [&](double of_4, double of_3) {
    std::vector<double> torques{1.0, 2.0, 3.0, 2 * of_4 + 4 * of_3, 5 * of_4 + of_3};
    cut_to_motor_limits(coupling, torques);
    EXPECT_EQ(std::vector<double>(torques.begin(), torques.begin() + 3),
              (std::vector<double>{1.0, 2.0, 3.0}));
    return std::vector<double>{torques[4], torques[3]};
  };
  const auto expect = [](const std::vector<double>& found, double of_4, double of_3) {
    EXPECT_NEAR(found[0], 5 * of_4 + of_3, 1e-15);
    EXPECT_NEAR(found[1], 2 * of_4 + 4 * of_3, 1e-15);
  };
  expect(cut(0.4, -0.7), 0.4, -0.7);
  expect(cut(0.6, -0.7), 0.5, -0.7);
  expect(cut(-0.6, 0.7), -0.5, 0.7);
  expect(cut(0.4, 0.8), 0.4, 0.75);
  expect(cut(9.0, -9.0), 0.5, -0.75);
}

}  // namespace
}  // namespace armdyn
