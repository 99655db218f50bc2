#include <armdyn/eigen.hpp>

#include <limits>

#include "math/each.hpp"
#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"
#include "model/motors.hpp"

namespace armdyn {

MotorSide::MotorSide(const Robot& robot)
    : of_joints_(robot.dof(), robot.dof()), offsets_(robot.dof()) {
  const std::size_t n = robot.dof();
  for (std::size_t i = 0; i < n; ++i) {
    const std::optional<JointRow> row = motor_row(robot, i);
    const auto [joints, factors, offset] =
        row.value_or(JointRow{{i}, {robot.joints[i].motor.gear_ratio}});
    for (std::size_t j = 0; j < joints.size(); ++j) of_joints_(i, joints[j]) = factors[j];
    offsets_[i] = offset;
    is_joint_side_ = is_joint_side_ && !row && of_joints_(i, i) == 1.0;
  }
  of_motors_ = matrix(inverse(eigen(of_joints_)));
}

namespace {

/// Replaces x by A x.
void multiply(const Matrix& A, std::span<double> x) {
  std::vector<double> product(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) product[i] += A(i, j) * x[j];
  }
  std::ranges::copy(product, x.begin());
}

}  // namespace

void MotorSide::to_positions(std::span<double> motors) const {
  for (std::size_t i = 0; i < motors.size(); ++i) motors[i] -= offsets_[i];
  to_rates(motors);
}

void MotorSide::to_rates(std::span<double> motors) const {
  multiply(of_motors_, motors);
}

void MotorSide::to_torques(std::span<double> motors) const {
  multiply(transposed(of_joints_), motors);
}

void MotorSide::convert(Columns& columns, std::size_t first,
                        void (MotorSide::*to)(std::span<double> motors) const) const {
  std::vector<double> values(offsets_.size());
  for (std::size_t row = 0; row < columns[first].size(); ++row) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = columns[first + i][row];
    (this->*to)(values);
    for (std::size_t i = 0; i < values.size(); ++i) columns[first + i][row] = values[i];
  }
}

namespace {

Eigen::Map<const RowMajorMatrix> matrix_of(const Coupling& coupling) {
  return eigen(coupling.matrix, coupling.joints.size());
}

}  // namespace

void cut_to_motor_limits(const Coupling& coupling, std::span<double> torques) {
  if (coupling.torque_limits.empty()) return;
  const auto A = matrix_of(coupling);
  auto tau = in_place(torques);
  const auto most = eigen(coupling.torque_limits);
  const Eigen::VectorXd of_motors = solve(A.transpose(), tau(coupling.joints));
  const Eigen::VectorXd cut = of_motors.cwiseMin(most).cwiseMax(-most) - of_motors;
  tau(coupling.joints) += A.transpose() * cut;
}

std::vector<double> velocities_by_motors(const Robot& robot) {
  std::vector<double> most(robot.dof(), std::numeric_limits<double>::infinity());
  for (const Coupling& coupling : robot.couplings) {
    if (coupling.velocity_limits.empty()) continue;
    const Eigen::VectorXd together =
        inverse(matrix_of(coupling)).cwiseAbs() * eigen(coupling.velocity_limits);
    in_place(most)(coupling.joints) = together;
  }
  return most;
}

}  // namespace armdyn
