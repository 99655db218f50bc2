#pragma once

#include <armdyn/vector.hpp>

// Small vectors and rotations of any scalar S, beside the constant ones of <armdyn/vector.hpp>.
// A text that says Vec<S> depends on the joint state; one that says Vec3 is a constant of the arm.

namespace armdyn {

template <class S>
struct Vec {
  S x, y, z;
};

template <class S>
Vec<S> operator+(const Vec<S>& u, const Vec<S>& v) {
  return {u.x + v.x, u.y + v.y, u.z + v.z};
}

template <class S>
Vec<S> operator-(const Vec<S>& u, const Vec<S>& v) {
  return {u.x - v.x, u.y - v.y, u.z - v.z};
}

template <class S>
Vec<S> operator*(double k, const Vec<S>& v) {
  return {k * v.x, k * v.y, k * v.z};
}

/// v times a quantity that depends on the joint state.
template <class S>
Vec<S> scaled(const Vec<S>& v, const S& k) {
  return {v.x * k, v.y * k, v.z * k};
}

template <class S>
S dot(const Vec<S>& u, const Vec<S>& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

/// uᵀ v, u a constant.
template <class S>
S dot(const Vec3& u, const Vec<S>& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

/// u × v; either may be a constant.
template <class S>
Vec<S> cross(const Vec<S>& u, const Vec<S>& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
template <class S>
Vec<S> cross(const Vec<S>& u, const Vec3& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}
template <class S>
Vec<S> cross(const Vec3& u, const Vec<S>& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

template <class S>
Vec<S> operator*(const SymMat3& I, const Vec<S>& v) {
  return {I.xx * v.x + I.xy * v.y + I.xz * v.z, I.xy * v.x + I.yy * v.y + I.yz * v.z,
          I.xz * v.x + I.yz * v.y + I.zz * v.z};
}

template <class S>
Vec<S> constant(const Vec3& v) {
  return {S(v.x), S(v.y), S(v.z)};
}

/// Rotation that depends on the joint state: takes components from the moved to the fixed frame.
template <class S>
struct Rotation {
  Vec<S> row_x, row_y, row_z;
};

template <class S>
Vec<S> operator*(const Rotation<S>& R, const Vec<S>& v) {
  return {R.row_x.x * v.x + R.row_x.y * v.y + R.row_x.z * v.z,
          R.row_y.x * v.x + R.row_y.y * v.y + R.row_y.z * v.z,
          R.row_z.x * v.x + R.row_z.y * v.y + R.row_z.z * v.z};
}

/// Rᵀ v: components from the fixed to the moved frame.
template <class S>
Vec<S> transposed_times(const Rotation<S>& R, const Vec<S>& v) {
  return {R.row_x.x * v.x + R.row_y.x * v.y + R.row_z.x * v.z,
          R.row_x.y * v.x + R.row_y.y * v.y + R.row_z.y * v.z,
          R.row_x.z * v.x + R.row_y.z * v.y + R.row_z.z * v.z};
}

/// The third column: the axis z of the moved frame, in axes of the fixed one.
template <class S>
Vec<S> axis_z(const Rotation<S>& R) {
  return {R.row_x.z, R.row_y.z, R.row_z.z};
}

/// One rotation after the other.
template <class S>
Rotation<S> operator*(const Rotation<S>& A, const Rotation<S>& B) {
  return {transposed_times(B, A.row_x), transposed_times(B, A.row_y), transposed_times(B, A.row_z)};
}

template <class S>
Rotation<S> constant(const Mat3& R) {
  return {constant<S>(R.row_x), constant<S>(R.row_y), constant<S>(R.row_z)};
}

inline Vec3 plain(const Vec<double>& v) {
  return {v.x, v.y, v.z};
}
inline Mat3 plain(const Rotation<double>& R) {
  return {plain(R.row_x), plain(R.row_y), plain(R.row_z)};
}

}  // namespace armdyn
