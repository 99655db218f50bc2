#include <armdyn/derivatives.hpp>
#include <armdyn/error.hpp>

#include <stdexcept>

#include "math/decompositions.hpp"
#include "math/eigen.hpp"

namespace armdyn {

namespace {

void require_size(const Matrix& A, std::size_t rows, std::size_t columns) {
  if (A.rows() != rows || A.columns() != columns || A.entries().empty()) {
    throw std::invalid_argument("the matrices of a linear model do not fit each other");
  }
}

}  // namespace

LinearModel linearize(const TorqueDerivatives& derivatives) {
  const std::size_t dof = derivatives.dqdd.rows();
  require_size(derivatives.dqdd, dof, dof);
  require_size(derivatives.dq, dof, dof);
  require_size(derivatives.dqd, dof, dof);
  const MassInverse M_inverse(eigen(derivatives.dqdd));
  if (!M_inverse.regular()) {
    throw NumericsError(
        "the mass matrix is singular at this position, so accelerations do not follow from "
        "torques");
  }
  const Eigen::Index n = index(dof);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n);  // (9.26)
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) -= M_inverse * eigen(derivatives.dq);
  A.bottomRightCorner(n, n) -= M_inverse * eigen(derivatives.dqd);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(2 * n, n);
  B.bottomRows(n) = M_inverse * Eigen::MatrixXd::Identity(n, n);
  return {matrix(A), matrix(B)};
}

LinearModel linearize(const Arm& arm, const MotionState& state) {
  return linearize(torque_derivatives(arm, state));
}

LinearModel sampled(const LinearModel& continuous, double sample_time) {
  if (!(sample_time > 0.0)) throw std::invalid_argument("a sample time is greater than 0 s");
  require_size(continuous.A, continuous.B.rows(), continuous.B.rows());
  require_size(continuous.B, continuous.A.rows(), continuous.B.columns());
  const Eigen::Index states = index(continuous.B.rows());
  const Eigen::Index inputs = index(continuous.B.columns());
  Eigen::MatrixXd joint = Eigen::MatrixXd::Zero(states + inputs, states + inputs);
  joint.topLeftCorner(states, states) = sample_time * eigen(continuous.A);
  joint.topRightCorner(states, inputs) = sample_time * eigen(continuous.B);
  const Eigen::MatrixXd step = exponential(joint);  // (9.27)
  if (!step.allFinite()) {
    throw NumericsError("the arm runs away within one sample: take a shorter sample time");
  }
  return {matrix(step.topLeftCorner(states, states)), matrix(step.topRightCorner(states, inputs))};
}

}  // namespace armdyn
