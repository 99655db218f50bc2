#pragma once

#include <armdyn/matrix.hpp>

#include <Eigen/Core>
#include <span>
#include <vector>

// Between the plain matrices of the public headers and Eigen's, for solving and decomposing.

namespace armdyn {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

inline Eigen::Map<const RowMajorMatrix> eigen(const Matrix& A) {
  return {A.entries().data(), index(A.rows()), index(A.columns())};
}

inline Eigen::Map<const Eigen::VectorXd> eigen(std::span<const double> v) {
  return {v.data(), index(v.size())};
}

inline Matrix plain(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  Matrix result(static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols()));
  for (std::size_t i = 0; i < result.rows(); ++i) {
    for (std::size_t j = 0; j < result.columns(); ++j) result(i, j) = A(index(i), index(j));
  }
  return result;
}

inline std::vector<double> plain_vector(const Eigen::VectorXd& v) {
  return {v.data(), v.data() + v.size()};
}

}  // namespace armdyn
