// The conversions of <armdyn/eigen.hpp>, which no other public header includes.

#include <gtest/gtest.h>
#include <armdyn/eigen.hpp>

#include <Eigen/Geometry>
#include <numbers>
#include <vector>

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

TEST(Matrix, RefusesAnotherNumberOfEntries) {
  EXPECT_THROW(Matrix(2, 2, {1, 2, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace armdyn
