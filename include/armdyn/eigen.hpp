#pragma once

#include <armdyn/vector.hpp>

#include <Eigen/Core>
#include <cstddef>
#include <span>

// Conversions to Eigen's types and back, for programs that use Eigen; no other header of armdyn
// needs it. Eigen::Isometry3d is made from the 4×4 matrix of a Transform.

namespace armdyn {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// View of the same memory, valid as long as A.
inline Eigen::Map<const RowMajorMatrix> eigen(const Matrix& A) {
  return {A.entries().data(), static_cast<Eigen::Index>(A.rows()),
          static_cast<Eigen::Index>(A.columns())};
}
/// View of the same memory, valid as long as that of v.
inline Eigen::Map<const Eigen::VectorXd> eigen(std::span<const double> v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}
inline Eigen::Vector3d eigen(const Vec3& v) {
  return {v.x, v.y, v.z};
}
inline Eigen::Matrix3d eigen(const Mat3& A) {
  Eigen::Matrix3d result;
  result << eigen(A.row_x).transpose(), eigen(A.row_y).transpose(), eigen(A.row_z).transpose();
  return result;
}
inline Eigen::Matrix3d eigen(const SymMat3& A) {
  return eigen(full(A));
}
/// Homogeneous matrix: R beside p, over 0 0 0 1.
inline Eigen::Matrix4d eigen(const Transform& T) {
  Eigen::Matrix4d result = Eigen::Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = eigen(T.R);
  result.topRightCorner<3, 1>() = eigen(T.p);
  return result;
}
/// The force over the moment.
inline Vector6d eigen(const Wrench& w) {
  Vector6d result;
  result << eigen(w.force), eigen(w.moment);
  return result;
}

inline Matrix matrix(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  Matrix result(static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols()));
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      result(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) = A(i, j);
    }
  }
  return result;
}
inline Vec3 vec3(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
inline Mat3 mat3(const Eigen::Matrix3d& A) {
  return {vec3(A.row(0)), vec3(A.row(1)), vec3(A.row(2))};
}
/// The symmetric matrix with that upper triangle.
inline SymMat3 sym_mat3(const Eigen::Matrix3d& A) {
  return {A(0, 0), A(1, 1), A(2, 2), A(0, 1), A(1, 2), A(0, 2)};
}
/// The frame of a homogeneous matrix, whose last row is not read.
inline Transform transform(const Eigen::Matrix4d& T) {
  return {mat3(T.topLeftCorner<3, 3>()), vec3(T.topRightCorner<3, 1>())};
}
/// The wrench of a force over a moment.
inline Wrench wrench(const Vector6d& w) {
  return {vec3(w.head<3>()), vec3(w.tail<3>())};
}

}  // namespace armdyn
