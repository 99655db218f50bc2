#pragma once

#include <armdyn/vector.hpp>

#include "math/vec.hpp"

// 3×3 matrices of any scalar S that depend on the joint state, symmetric and general.

namespace armdyn {

template <class S>
struct Sym {
  S xx, yy, zz, xy, yz, xz;
};

/// By rows.
template <class S>
struct Mat {
  Vec<S> row_x, row_y, row_z;
};

template <class S>
Sym<S> operator+(const Sym<S>& A, const Sym<S>& B) {
  return {A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.yz + B.yz, A.xz + B.xz};
}

template <class S>
Sym<S> constant(const SymMat3& I) {
  return {S(I.xx), S(I.yy), S(I.zz), S(I.xy), S(I.yz), S(I.xz)};
}

template <class S>
Vec<S> column_z(const Sym<S>& A) {
  return {A.xz, A.yz, A.zz};
}

template <class S>
Mat<S> operator*(double k, const Mat<S>& A) {
  return {k * A.row_x, k * A.row_y, k * A.row_z};
}

template <class S>
Mat<S> operator+(const Mat<S>& A, const Mat<S>& B) {
  return {A.row_x + B.row_x, A.row_y + B.row_y, A.row_z + B.row_z};
}

template <class S>
Mat<S> transposed(const Mat<S>& A) {
  return {{A.row_x.x, A.row_y.x, A.row_z.x},
          {A.row_x.y, A.row_y.y, A.row_z.y},
          {A.row_x.z, A.row_y.z, A.row_z.z}};
}

template <class S>
Vec<S> column_z(const Mat<S>& A) {
  return {A.row_x.z, A.row_y.z, A.row_z.z};
}

template <class S>
Mat<S> full(const Sym<S>& A) {
  return {{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};
}

/// A + Aᵀ.
template <class S>
Sym<S> with_transposed(const Mat<S>& A) {
  return {A.row_x.x + A.row_x.x, A.row_y.y + A.row_y.y, A.row_z.z + A.row_z.z,
          A.row_x.y + A.row_y.x, A.row_y.z + A.row_z.y, A.row_x.z + A.row_z.x};
}

/// k u uᵀ.
template <class S>
Sym<S> square(const S& k, const Vec<S>& u) {
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
Mat<S> rotated(const Rotation<S>& R, const Mat<S>& A) {
  const Mat<S> W{R * A.row_x, R * A.row_y, R * A.row_z};  // A Rᵀ
  const Mat<S> columns = transposed(W);
  return transposed(Mat<S>{R * columns.row_x, R * columns.row_y, R * columns.row_z});
}

/// R A Rᵀ of a symmetric matrix.
template <class S>
Sym<S> rotated(const Rotation<S>& R, const Sym<S>& A) {
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

}  // namespace armdyn
