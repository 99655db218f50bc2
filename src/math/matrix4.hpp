#pragma once

#include <armdyn/vector.hpp>

// 4×4 matrices of any scalar S: homogeneous transforms, their derivatives, and what they multiply.
// Rows are x, y, z, w; the sums are written out, with nothing said about the last row of a
// transform.

namespace armdyn {

template <class S>
struct Row4 {
  S x, y, z, w;
};

template <class S>
struct Matrix4 {
  Row4<S> x, y, z, w;
};

template <class S>
Row4<S> operator+(const Row4<S>& a, const Row4<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

template <class S>
Matrix4<S> operator+(const Matrix4<S>& A, const Matrix4<S>& B) {
  return {A.x + B.x, A.y + B.y, A.z + B.z, A.w + B.w};
}

template <class S>
Row4<S> operator*(const S& k, const Row4<S>& a) {
  return {k * a.x, k * a.y, k * a.z, k * a.w};
}

template <class S>
Matrix4<S> operator*(const S& k, const Matrix4<S>& A) {
  return {k * A.x, k * A.y, k * A.z, k * A.w};
}

/// A row times a matrix of the same scalar or of constants.
template <class S, class C>
Row4<S> operator*(const Row4<S>& a, const Matrix4<C>& B) {
  return {a.x * B.x.x + a.y * B.y.x + a.z * B.z.x + a.w * B.w.x,
          a.x * B.x.y + a.y * B.y.y + a.z * B.z.y + a.w * B.w.y,
          a.x * B.x.z + a.y * B.y.z + a.z * B.z.z + a.w * B.w.z,
          a.x * B.x.w + a.y * B.y.w + a.z * B.z.w + a.w * B.w.w};
}

template <class S, class C>
Matrix4<S> operator*(const Matrix4<S>& A, const Matrix4<C>& B) {
  return {A.x * B, A.y * B, A.z * B, A.w * B};
}

template <class S>
Matrix4<S> transposed(const Matrix4<S>& A) {
  return {{A.x.x, A.y.x, A.z.x, A.w.x},
          {A.x.y, A.y.y, A.z.y, A.w.y},
          {A.x.z, A.y.z, A.z.z, A.w.z},
          {A.x.w, A.y.w, A.z.w, A.w.w}};
}

template <class S>
S dot(const Row4<S>& a, const Row4<S>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// Tr{A Bᵗ}.
template <class S>
S trace_of_product(const Matrix4<S>& A, const Matrix4<S>& B) {
  return dot(A.x, B.x) + dot(A.y, B.y) + dot(A.z, B.z) + dot(A.w, B.w);
}

/// T as a homogeneous matrix.
template <class S, class C>
Matrix4<S> homogeneous(const Frame<C>& T) {
  const auto& [R, p] = T;
  return {{S(R.row_x.x), S(R.row_x.y), S(R.row_x.z), S(p.x)},
          {S(R.row_y.x), S(R.row_y.y), S(R.row_y.z), S(p.y)},
          {S(R.row_z.x), S(R.row_z.y), S(R.row_z.z), S(p.z)},
          {S(0.0), S(0.0), S(0.0), S(1.0)}};
}

}  // namespace armdyn
