#pragma once

// Operations of the algorithms on vectors and matrices beyond the public operators.

#include <armdyn/vector.hpp>

#include <array>
#include <type_traits>

namespace armdyn {

template <class S>
[[nodiscard]] std::array<S, 3> coordinates(const Vec<S>& v) {
  return {v.x, v.y, v.z};
}

/// Entries of a twist or a wrench: linear, then angular.
template <class S>
[[nodiscard]] std::array<S, 6> stacked(const Vec<S>& linear, const Vec<S>& angular) {
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}
template <class S>
[[nodiscard]] std::array<S, 6> stacked(const ForceAndMoment<S>& wrench) {
  return stacked(wrench.force, wrench.moment);
}

/// Takes six numbers: force, then moment.
[[nodiscard]] inline Wrench wrench_of(std::span<const double> six) {
  return {{six[0], six[1], six[2]}, {six[3], six[4], six[5]}};
}

/// xx, yy, zz, xy, yz, xz.
template <class S>
[[nodiscard]] std::array<S, 6> entries(const SymMat<S>& A) {
  return {A.xx, A.yy, A.zz, A.xy, A.yz, A.xz};
}

// Constants as another scalar.

template <class S, class C>
Vec<S> constant(const Vec<C>& v) {
  return {S(v.x), S(v.y), S(v.z)};
}
template <class S, class C>
Mat<S> constant(const Mat<C>& A) {
  return {constant<S>(A.row_x), constant<S>(A.row_y), constant<S>(A.row_z)};
}
template <class S, class C>
SymMat<S> constant(const SymMat<C>& A) {
  return {S(A.xx), S(A.yy), S(A.zz), S(A.xy), S(A.yz), S(A.xz)};
}
template <class S, class C>
Frame<S> constant(const Frame<C>& T) {
  return {constant<S>(T.R), constant<S>(T.p)};
}
template <class S, class C>
ForceAndMoment<S> constant(const ForceAndMoment<C>& w) {
  return {constant<S>(w.force), constant<S>(w.moment)};
}

/// v times a quantity that is no constant.
template <class S>
Vec<S> scaled(const Vec<S>& v, const S& k) {
  return {v.x * k, v.y * k, v.z * k};
}

/// Scales as a constant that is no double.
template <class S>
requires(!std::is_same_v<S, double>) Vec<S>
operator*(const S& k, const Vec<S>& v) {
  return scaled(v, k);
}

/// Rᵀ v: components from the fixed to the moved frame.
template <class S>
Vec<S> transposed_times(const Mat<S>& R, const Vec<S>& v) {
  return {R.row_x.x * v.x + R.row_y.x * v.y + R.row_z.x * v.z,
          R.row_x.y * v.x + R.row_y.y * v.y + R.row_z.y * v.z,
          R.row_x.z * v.x + R.row_y.z * v.y + R.row_z.z * v.z};
}

// Of the axis z, about or along which a joint moves.

template <class S>
[[nodiscard]] const S& component_z(const Vec<S>& v) {
  return v.z;
}
template <class S>
Vec<S> along_z(const S& k) {
  return {S(0.0), S(0.0), k};
}
/// v + k z.
template <class S>
Vec<S> plus_z(const Vec<S>& v, const S& k) {
  return {v.x, v.y, v.z + k};
}
/// z × v.
template <class S>
Vec<S> z_cross(const Vec<S>& v) {
  return {-v.y, v.x, S(0.0)};
}
/// v × z.
template <class S>
Vec<S> cross_z(const Vec<S>& v) {
  return {v.y, -v.x, S(0.0)};
}
/// v + ω × k z + l z.
template <class S>
Vec<S> moved_by_joint(const Vec<S>& v, const Vec<S>& omega, const S& k, const S& l) {
  return {v.x + omega.y * k, v.y - omega.x * k, v.z + l};
}

/// The third column; of a rotation the axis z of the moved frame, in axes of the fixed one.
template <class S>
Vec<S> column_z(const Mat<S>& A) {
  return {A.row_x.z, A.row_y.z, A.row_z.z};
}
template <class S>
Vec<S> column_z(const SymMat<S>& A) {
  return {A.xz, A.yz, A.zz};
}

/// A + Aᵀ.
template <class S>
SymMat<S> with_transposed(const Mat<S>& A) {
  return {A.row_x.x + A.row_x.x, A.row_y.y + A.row_y.y, A.row_z.z + A.row_z.z,
          A.row_x.y + A.row_y.x, A.row_y.z + A.row_z.y, A.row_x.z + A.row_z.x};
}

/// k u uᵀ.
template <class S>
SymMat<S> square(const S& k, const Vec<S>& u) {
  const Vec<S> v = scaled(u, k);
  return {v.x * u.x, v.y * u.y, v.z * u.z, v.x * u.y, v.y * u.z, v.x * u.z};
}

/// k u vᵀ.
template <class S>
Mat<S> product(const S& k, const Vec<S>& u, const Vec<S>& v) {
  return {scaled(v, k * u.x), scaled(v, k * u.y), scaled(v, k * u.z)};
}

/// p × A, column by column.
template <class S>
Mat<S> cross(const Vec<S>& p, const Mat<S>& A) {
  return {scaled(A.row_z, p.y) - scaled(A.row_y, p.z), scaled(A.row_x, p.z) - scaled(A.row_z, p.x),
          scaled(A.row_y, p.x) - scaled(A.row_x, p.y)};
}

/// R A Rᵀ: the same matrix in the fixed frame's axes.
template <class S>
Mat<S> rotated(const Mat<S>& R, const Mat<S>& A) {
  const Mat<S> W{R * A.row_x, R * A.row_y, R * A.row_z};  // A Rᵀ
  const Mat<S> columns = transposed(W);
  return transposed(Mat<S>{R * columns.row_x, R * columns.row_y, R * columns.row_z});
}

/// R A Rᵀ of a symmetric matrix.
template <class S>
SymMat<S> rotated(const Mat<S>& R, const SymMat<S>& A) {
  const Vec<S> x = R * Vec<S>{A.xx, A.xy, A.xz};  // rows of A Rᵀ
  const Vec<S> y = R * Vec<S>{A.xy, A.yy, A.yz};
  const Vec<S> z = R * Vec<S>{A.xz, A.yz, A.zz};
  const auto product = [&](const Vec<S>& row, const S& u, const S& v, const S& w) {
    return row.x * u + row.y * v + row.z * w;
  };
  return {product(R.row_x, x.x, y.x, z.x), product(R.row_y, x.y, y.y, z.y),
          product(R.row_z, x.z, y.z, z.z), product(R.row_x, x.y, y.y, z.y),
          product(R.row_y, x.z, y.z, z.z), product(R.row_x, x.z, y.z, z.z)};
}

// Dense matrices.

template <class S>
MatrixOf<S> operator*(const MatrixOf<S>& A, const MatrixOf<S>& B) {
  MatrixOf<S> C(A.rows(), B.columns());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < B.columns(); ++j) {
      for (std::size_t k = 0; k < A.columns(); ++k) C(i, j) = C(i, j) + A(i, k) * B(k, j);
    }
  }
  return C;
}
template <class S>
MatrixOf<S> diagonal(std::span<const S> values) {
  MatrixOf<S> D(values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) D(i, i) = values[i];
  return D;
}
template <class S>
MatrixOf<S> transposed(const MatrixOf<S>& A) {
  MatrixOf<S> B(A.columns(), A.rows());
  for (std::size_t i = 0; i < A.rows(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) B(j, i) = A(i, j);
  }
  return B;
}
template <class S>
MatrixOf<S> column(std::vector<S> values) {
  const std::size_t size = values.size();
  return {size, 1, std::move(values)};
}
/// Some of its rows, by their numbers.
template <class S, class Numbers>
MatrixOf<S> rows_of(const MatrixOf<S>& A, const Numbers& rows) {
  MatrixOf<S> selected(rows.size(), A.columns());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < A.columns(); ++j) {
      selected(i, j) = A(static_cast<std::size_t>(rows[i]), j);
    }
  }
  return selected;
}

/// Inertia of a point mass about a point from which it stands at r (parallel-axis theorem).
template <class S>
SymMat<S> point_inertia(const S& mass, const Vec<S>& r) {
  return {mass * (r.y * r.y + r.z * r.z),
          mass * (r.x * r.x + r.z * r.z),
          mass * (r.x * r.x + r.y * r.y),
          -mass * r.x * r.y,
          -mass * r.y * r.z,
          -mass * r.x * r.z};
}

}  // namespace armdyn
