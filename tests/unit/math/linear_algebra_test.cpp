// Decompositions against matrices whose answers can be written down.

#include "math/linear_algebra.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armdyn {
namespace {

using Eigen::Matrix2d, Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;

/// 1 on the diagonal, 1 − e beside it: eigenvalues e and 2 − e.
Matrix2d nearly_singular(double e) {
  Matrix2d M;
  M << 1.0, 1.0 - e, 1.0 - e, 1.0;
  return M;
}

TEST(MassInverse, TellsWhatIsSingularButForRounding) {
  EXPECT_TRUE(MassInverse(nearly_singular(1.0)).regular());
  EXPECT_TRUE(MassInverse(nearly_singular(1e-11)).regular());
  EXPECT_FALSE(MassInverse(nearly_singular(1e-15)).regular());
  EXPECT_FALSE(MassInverse(nearly_singular(0.0)).regular());
  EXPECT_FALSE(MassInverse(nearly_singular(-0.5)).regular());
  const Vector2d massless(1.0, 0.0);
  EXPECT_FALSE(MassInverse(massless.asDiagonal().toDenseMatrix()).regular());
  const Vector2d apart(1e-12, 1e12);  // in units of their own both are 1
  EXPECT_TRUE(MassInverse(apart.asDiagonal().toDenseMatrix()).regular());
}

TEST(MassInverse, TimesTheMatrixIsOne) {
  Matrix2d M;
  M << 3.0e6, 500.0, 500.0, 0.25;
  EXPECT_NEAR((MassInverse(M) * M - Matrix2d::Identity()).lpNorm<Eigen::Infinity>(), 0.0, 1e-9);
}

TEST(PositiveDefinite, AreMatricesByTheirSymmetricPart) {
  Matrix2d A;
  A << 1.0, 3.0, -3.0, 1.0;  // xᵀ A x = |x|²
  EXPECT_TRUE(is_positive_definite(A));
  A << 1.0, 3.0, 0.0, 1.0;  // 1, 1.5, 1.5, 1
  EXPECT_FALSE(is_positive_definite(A));
}

TEST(DampedLeastSquares, AreShorterByTheirDamping) {
  // Of a diagonal A: x_i = A_i b_i / (A_i² + damping²).
  const Vector2d A(2.0, 0.5), b(3.0, -4.0);
  const VectorXd x = damped_least_squares(A.asDiagonal().toDenseMatrix(), b, 1.5);
  EXPECT_NEAR(x[0], 6.0 / (4.0 + 2.25), 1e-14);
  EXPECT_NEAR(x[1], -2.0 / (0.25 + 2.25), 1e-14);
}

TEST(Decompositions, OfAMatrixOfRankTwoHaveItsValues) {
  // Columns (3, 0, 4, 0), (0, 5, 0, 12) and their sum.
  MatrixXd A(4, 3);
  A << 3, 0, 3, 0, 5, 5, 4, 0, 4, 0, 12, 12;
  const MatrixXd basis = range_basis(A, 1e-12);
  ASSERT_EQ(basis.cols(), 2);
  EXPECT_NEAR((basis * (basis.transpose() * A) - A).norm(), 0.0, 1e-13);
  // AᵀA has 25, 169 and their sum: its other eigenvalues solve x² − 388 x + 3·25·169 = 0.
  const VectorXd sigma = singular_values(A);
  const double root = std::sqrt(194.0 * 194.0 - 3.0 * 25.0 * 169.0);
  EXPECT_NEAR(sigma[0], std::sqrt(194.0 + root), 1e-13);
  EXPECT_NEAR(sigma[1], std::sqrt(194.0 - root), 1e-13);
  EXPECT_NEAR(sigma[2], 0.0, 1e-13);
  EXPECT_NEAR((A * right_singular_vectors(A)).col(2).norm(), 0.0, 1e-13);
  for (const MatrixXd& B : {A, MatrixXd(A.transpose()), MatrixXd(A.topRows(3))}) {
    const MatrixXd V = right_singular_vectors(B);
    EXPECT_NEAR((V.transpose() * V - MatrixXd::Identity(B.cols(), B.cols())).norm(), 0.0, 1e-13);
    const MatrixXd U = B * V;  // times the singular values
    const VectorXd of_columns = U.colwise().norm();
    EXPECT_NEAR((of_columns.head(3) - singular_values(B)).norm(), 0.0, 1e-12);
    EXPECT_NEAR(of_columns.tail(of_columns.size() - 2).norm(), 0.0, 1e-12);
  }
  const MatrixXd R = triangle(A);
  EXPECT_EQ(R.rows(), 3);
  EXPECT_TRUE(R.isUpperTriangular());
  EXPECT_NEAR((R.transpose() * R - A.transpose() * A).norm(), 0.0, 1e-11);
  EXPECT_FALSE(is_invertible(A.topRows(3)));
  EXPECT_TRUE(is_invertible(nearly_singular(0.5)));
}

TEST(Decompositions, OfARotationHaveItsEigenvalues) {
  Matrix2d turning;
  turning << 0.0, -0.7, 0.7, 0.0;
  const Eigen::VectorXcd found = eigenvalues(turning);
  EXPECT_NEAR(std::abs(found[0].imag()), 0.7, 1e-15);
  EXPECT_NEAR(std::abs(found[0] + found[1]), 0.0, 1e-15);
  const MatrixXd turned = exponential(turning);
  EXPECT_NEAR(turned(0, 0), std::cos(0.7), 1e-15);
  EXPECT_NEAR(turned(1, 0), std::sin(0.7), 1e-15);
  EXPECT_NEAR(turned(0, 1), -std::sin(0.7), 1e-15);
}

TEST(Decompositions, OfSymmetricMatricesAscend) {
  const auto [values, vectors] = symmetric_eigen(nearly_singular(0.25));
  EXPECT_NEAR(values[0], 0.25, 1e-15);
  EXPECT_NEAR(values[1], 1.75, 1e-15);
  EXPECT_NEAR(std::abs(vectors(0, 0) + vectors(1, 0)), 0.0, 1e-15);
  EXPECT_NEAR((symmetric_eigenvalues(nearly_singular(0.25)) - values).norm(), 0.0, 1e-15);
  const Vector2d b(1.0, 2.0);
  // M⁻¹ b by the two vectors (1, 1) and (1, −1): 3/2 / 1.75 ± (−1/2) / 0.25.
  for (const MatrixXd& x :
       {solve(nearly_singular(0.25), b), MatrixXd(inverse(nearly_singular(0.25)) * b),
        solve_symmetric(nearly_singular(0.25), b), least_squares(nearly_singular(0.25), b)}) {
    EXPECT_NEAR(x(0, 0), 1.5 / 1.75 - 2.0, 1e-14);
    EXPECT_NEAR(x(1, 0), 1.5 / 1.75 + 2.0, 1e-14);
  }
}

}  // namespace
}  // namespace armdyn
