// The derivatives of the recursion of order n², held against those of RNEA on dual numbers, losses,
// coupled motors and contact wrench included.

#include <gtest/gtest.h>
#include <armdyn/equations.hpp>
#include <armdyn/robot_file.hpp>

#include <filesystem>

#include "dynamics/friction.hpp"
#include "dynamics/newton_euler.hpp"
#include "math/dual.hpp"
#include "support/near.hpp"
#include "support/paths.hpp"
#include "support/random_states.hpp"

namespace armdyn::testing {
namespace {

/// The whole torque of an arm, of Duals.
class DualTorque {
 public:
  DualTorque(const Arm& arm, const MotionState& state, const Wrench& wrench)
      : q(state.q.begin(), state.q.end()),
        qd(state.qd.begin(), state.qd.end()),
        qdd(state.qdd.begin(), state.qdd.end()),
        arm_(arm),
        wrench_(constant<Dual>(wrench)),
        links_(arm.dof()),
        tau_(arm.dof()) {}

  /// ∂τ/∂x for the entries x of q, qd or qdd (eq. 9.25).
  Matrix derivative(std::vector<Dual>& x) {
    Matrix result(tau_.size(), x.size());
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j].slope = 1.0;
      evaluate();
      x[j].slope = 0.0;
      for (std::size_t i = 0; i < tau_.size(); ++i) result(i, j) = tau_[i].slope;
    }
    return result;
  }

  std::vector<Dual> q, qd, qdd;

 private:
  void evaluate() {
    newton_euler<Dual>(arm_, q, qd, qdd, &wrench_, links_, tau_);
    for (std::size_t i = 0; i < tau_.size(); ++i) {
      const auto& [friction, motor] = arm_.drives[i];
      const int direction = direction_of(qd[i]);
      tau_[i] = tau_[i] + friction_torque(friction, q[i], qd[i], direction) +
                motor_torque(motor, qd[i], qdd[i], direction);
    }
    row_drive_torques<Dual>(arm_.row_drives, qd, qdd, by_speed, adding_to(tau_));
  }

  const Arm& arm_;
  ForceAndMoment<Dual> wrench_;
  std::vector<LinkState<Dual>> links_;
  std::vector<Dual> tau_;
};

const Wrench some_wrench{{30.0, -40.0, 50.0}, {6.0, 7.0, -8.0}};

void expect_equal_duals(const Arm& arm, const MotionState& state) {
  const TorqueDerivatives found = torque_derivatives(arm, state, some_wrench);
  DualTorque dual(arm, state, some_wrench);
  expect_near(found.dq, dual.derivative(dual.q), 1e-12, "dtau/dq");
  expect_near(found.dqd, dual.derivative(dual.qd), 1e-12, "dtau/dqd", largest(found.dqdd));
  expect_near(found.dqdd, dual.derivative(dual.qdd), 1e-12, "dtau/dqdd");
}

TEST(TorqueDerivatives, EqualDualNumbersOnAllShippedArms) {
  RandomArm random(63);
  int arms = 0;
  for (const auto& file : std::filesystem::directory_iterator(shipped_robots_folder())) {
    if (file.path().extension() != ".yaml") continue;
    ++arms;
    SCOPED_TRACE(file.path().filename());
    Robot robot = read_robot_file(file.path().string()).robot;
    robot.base = {{0.3, -0.2, 1.0}, {0.4, -0.3, 2.0}};
    robot.payload = {2.0, {0.02, 0.03, 0.1}, {0.01, 0.02, 0.015, 0.001, 0.002, -0.001}};
    const Arm arm = normalize(robot);
    const std::size_t n = arm.dof();
    for (int round = 0; round < 10; ++round) {
      const std::vector<double> q = random.numbers(n, 3.0), qd = random.numbers(n, 3.0),
                                qdd = random.numbers(n, 8.0);
      expect_equal_duals(arm, {q, qd, qdd});
    }
  }
  EXPECT_GE(arms, 26);
}

TEST(TorqueDerivatives, EqualDualNumbersOnRandomAndLongArms) {
  for_random_states([](const RandomState& x) { expect_equal_duals(x.arm, {x.q, x.qd, x.qdd}); }, 5);
  RandomArm random(64);
  for (const std::size_t n : {20U, 48U}) {
    const Arm arm = random.arm(n);
    const std::vector<double> q = random.numbers(n, 3.0), qd = random.numbers(n, 1.0),
                              qdd = random.numbers(n, 1.0);
    expect_equal_duals(arm, {q, qd, qdd});
  }
}

TEST(AccelerationDerivatives, TimesTheMassMatrixAreThoseOfTheTorque) {
  for_random_states(
      [](const RandomState& x) {
        const std::size_t n = x.arm.dof();
        std::vector<double> dq(n * n), dqd(n * n), dtau(n * n), unit(n * n);
        DynamicsDerivatives(x.arm).acceleration({x.q, x.qd, x.qdd}, some_wrench, {dq, dqd, dtau});
        const TorqueDerivatives torque = torque_derivatives(x.arm, {x.q, x.qd, x.qdd}, some_wrench);
        for (std::size_t i = 0; i < n; ++i) unit[i * n + i] = -1.0;
        for (const auto& [of_acceleration, of_torque] :
             {std::pair(&dq, torque.dq), std::pair(&dqd, torque.dqd),
              std::pair(&dtau, Matrix(n, n, unit))}) {
          const Matrix found(n, n, *of_acceleration);
          for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
              double sum = of_torque(i, j), size = std::abs(sum);
              for (std::size_t k = 0; k < n; ++k) {
                sum += torque.dqdd(i, k) * found(k, j);
                size += std::abs(torque.dqdd(i, k) * found(k, j));
              }
              EXPECT_NEAR(sum, 0.0, 1e-12 * size);
            }
          }
        }
        const LinearModel linear = linearize(torque);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            EXPECT_NEAR(dq[i * n + j], linear.A(n + i, j), 1e-8 * largest(linear.A));
            EXPECT_NEAR(dqd[i * n + j], linear.A(n + i, n + j), 1e-8 * largest(linear.A));
            EXPECT_NEAR(dtau[i * n + j], linear.B(n + i, j), 1e-8 * largest(linear.B));
          }
        }
      },
      5);
}

TEST(TorqueDerivatives, OfCoupledMotorsEqualDualNumbers) {
  for_random_states(
      [](const RandomState& x) {
        if (x.robot.dof() < 3) return;
        Robot robot = x.robot;
        for (Joint& joint : robot.joints) {
          joint.motor.gear_ratio = 1.0;
          joint.motor.viscous = 2e-4;
          joint.motor.coulomb = {0.02, 0.03};
        }
        robot.couplings = {{{0, 2}, {30.0, -12.0, 5.0, 40.0}, {0.0, 0.0}}};
        expect_equal_duals(normalize(robot), {x.q, x.qd, x.qdd});
      },
      5);
}

}  // namespace
}  // namespace armdyn::testing
