// The conversions of <armdyn/eigen.hpp>, which no other public header includes.

#include <gtest/gtest.h>
#include <armdyn/eigen.hpp>

#include <Eigen/Geometry>
#include <bit>
#include <cstdint>
#include <numbers>
#include <vector>

#include "math/linear_algebra.hpp"

namespace armdyn {
namespace {

const Mat3 entries{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};

TEST(EigenConversion, KeepsEachEntryInItsPlace) {
  const Vec3 v{1, 2, 3};
  EXPECT_EQ(eigen(v), Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(vec3(eigen(v)), v);

  EXPECT_EQ(eigen(entries)(0, 2), 3.0);
  EXPECT_EQ(eigen(entries)(2, 0), 7.0);
  EXPECT_EQ(mat3(eigen(entries)), entries);

  const SymMat3 A{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(eigen(A), eigen(A).transpose());
  EXPECT_EQ(eigen(A)(0, 1), 4.0);
  EXPECT_EQ(eigen(A)(1, 2), 5.0);
  EXPECT_EQ(eigen(A)(2, 0), 6.0);
  EXPECT_EQ(sym_mat3(eigen(A)), A);

  const Wrench w{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(eigen(w)(2), 3.0);
  EXPECT_EQ(eigen(w)(3), 4.0);
  EXPECT_EQ(wrench(eigen(w)).force, w.force);
  EXPECT_EQ(wrench(eigen(w)).moment, w.moment);
}

TEST(EigenConversion, OfADenseMatrixGoesByRows) {
  const Matrix A(2, 3, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(eigen(A)(0, 2), 3.0);
  EXPECT_EQ(eigen(A)(1, 0), 4.0);
  EXPECT_EQ(matrix(eigen(A)), A);
  EXPECT_EQ(matrix(Eigen::MatrixXd(eigen(A))), A);  // which is stored by columns

  const std::vector<double> q{1, 2};
  EXPECT_EQ(eigen(q), Eigen::Vector2d(1, 2));
  EXPECT_EQ(eigen(q).data(), q.data());
}

TEST(EigenConversion, OfATransformIsEigensOwn) {
  const Eigen::Isometry3d T = Eigen::Translation3d(1, 2, 3) *
                              Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ());
  const Transform ours = transform(T.matrix());
  EXPECT_EQ(eigen(ours), T.matrix());
  const Vec3 point{4, 5, 6};
  EXPECT_TRUE(eigen(ours * point).isApprox(T * eigen(point), 1e-15));
  EXPECT_TRUE(eigen(inverse(ours)).isApprox(T.inverse().matrix(), 1e-15));
}

TEST(EigenProduct, RoundsEachProductBeforeItIsAdded) {
  const double x = 1.0 + 0x1p-30, square = 1.0 + 0x1p-29;  // x² but for 2⁻⁶⁰
  for (const Eigen::Index n : {3, 6, 8, 33}) {
    for (const Eigen::Index k : {1, 2}) {
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
      A.col(0).setConstant(-square);
      A.col(k).setConstant(x);
      Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n);
      B.row(0).setOnes();
      B.row(k).setConstant(x);
      const Eigen::MatrixXd product = A * B;
      EXPECT_TRUE(product.isZero(0.0)) << n << " rows, " << k;
      const Eigen::VectorXd column = A * B.col(0), row = B.col(0).transpose() * A.transpose();
      EXPECT_TRUE(column.isZero(0.0)) << n << " rows, " << k;
      EXPECT_TRUE(row.isZero(0.0)) << n << " rows, " << k;
    }
  }
}

// So long and wide that Eigen divides its sums by the processor's caches, if it is not told of others.
TEST(Triangle, HasTheSameBitsOnEveryMachine) {
  std::uint64_t state = 1, digest = 0;
  Eigen::MatrixXd A(128, 70);
  for (double& entry : A.reshaped()) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    entry = static_cast<double>(state >> 11) * 0x1p-52 - 1.0;
  }
  const Eigen::MatrixXd R = triangle(A);
  for (const double entry : R.reshaped()) {
    digest = digest * 1099511628211U + std::bit_cast<std::uint64_t>(entry);
  }
  EXPECT_EQ(digest, 6137504282005678144U);
}

TEST(Matrix, RefusesAnotherNumberOfEntries) {
  EXPECT_THROW(Matrix(2, 2, {1, 2, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn
