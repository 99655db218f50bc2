#include "math/linear_algebra.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <cmath>

namespace armdyn {

using Eigen::MatrixXd, Eigen::VectorXd;

// Caches decide where Eigen divides sums of products: these stand for those of any machine.
[[maybe_unused]] const bool has_one_order_of_sums = [] {
  Eigen::setCpuCacheSizes(48 << 10, 1 << 20, 32 << 20);
  return true;
}();

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXcd eigenvalues(const MatrixXd& A) {
  return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues();
}

MatrixXd range_basis(const MatrixXd& A, double tolerance) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  Eigen::Index rank = 0;
  while (rank < std::min(A.rows(), A.cols()) && std::abs(qr.matrixQR()(rank, rank)) > tolerance) {
    ++rank;
  }
  return MatrixXd(qr.householderQ()).leftCols(rank);
}

namespace {

using Eigen::ComputeFullV;
using SquareSvd = Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner>;

/// R of A P = Q R, of as many rows as columns. JacobiSVD would decompose so by itself, and free that
/// twice where memory ends.
MatrixXd upper_factor(const Eigen::ColPivHouseholderQR<MatrixXd>& qr) {
  return qr.matrixQR().topRows(qr.cols()).triangularView<Eigen::Upper>();
}

}  // namespace

VectorXd singular_values(const MatrixXd& A) {
  if (A.rows() == A.cols()) return SquareSvd(A).singularValues();
  if (A.rows() < A.cols()) return singular_values(A.transpose());
  return SquareSvd(upper_factor(A.colPivHouseholderQr())).singularValues();
}

MatrixXd right_singular_vectors(const MatrixXd& A) {
  if (A.rows() == A.cols()) return SquareSvd(A, ComputeFullV).matrixV();
  if (A.rows() > A.cols()) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
    return qr.colsPermutation() * SquareSvd(upper_factor(qr), ComputeFullV).matrixV();
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A.transpose());  // A = P Rᵀ Qᵀ
  MatrixXd V = qr.householderQ();
  const MatrixXd W = SquareSvd(upper_factor(qr).transpose(), ComputeFullV).matrixV();
  V.leftCols(A.rows()) = V.leftCols(A.rows()) * W;
  return V;
}

MatrixXd solve(const MatrixXd& A, const MatrixXd& B) {
  return A.partialPivLu().solve(B);
}

MatrixXd inverse(const MatrixXd& A) {
  return solve(A, MatrixXd::Identity(A.rows(), A.cols()));
}

bool is_invertible(const MatrixXd& A) {
  return A.colPivHouseholderQr().isInvertible();
}

MatrixXd solve_symmetric(const MatrixXd& A, const MatrixXd& B) {
  return A.ldlt().solve(B);
}

MatrixXd least_squares(const MatrixXd& A, const MatrixXd& B) {
  return A.colPivHouseholderQr().solve(B);
}

VectorXd damped_least_squares(const MatrixXd& A, const VectorXd& b, double damping) {
  MatrixXd damped(A.rows() + A.cols(), A.cols());
  damped << A, damping * MatrixXd::Identity(A.cols(), A.cols());
  VectorXd wanted = VectorXd::Zero(damped.rows());
  wanted.head(b.size()) = b;
  return least_squares(damped, wanted);
}

MatrixXd triangle(const MatrixXd& A) {
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  return qr.matrixQR().topRows(std::min(A.rows(), A.cols())).triangularView<Eigen::Upper>();
}

bool is_positive_definite(const MatrixXd& A) {
  return (A + A.transpose()).eval().llt().info() == Eigen::Success;
}

MatrixXd exponential(const MatrixXd& A) {
  return A.exp();
}

MassInverse::MassInverse(const MatrixXd& M)
    : scale_(M.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseInverse()) {
  constexpr double smallest_rcond = 1e-13;  // below, M is singular but for its rounding
  if (!scale_.allFinite()) return;
  const Eigen::LLT<MatrixXd> factor(scale_.asDiagonal() * M * scale_.asDiagonal());
  regular_ = factor.info() == Eigen::Success && factor.rcond() > smallest_rcond;
  L_ = factor.matrixL();
}

MatrixXd MassInverse::operator*(const MatrixXd& B) const {
  const auto L = L_.triangularView<Eigen::Lower>();
  const MatrixXd half = L.solve(scale_.asDiagonal() * B);
  return scale_.asDiagonal() * L.transpose().solve(half);
}

}  // namespace armdyn
