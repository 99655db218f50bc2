#pragma once

#include <armdyn/vector.hpp>

// Algebra of constant vectors, rotations and transforms, for setting up an arm.

namespace armdyn {

inline Vec3 operator+(const Vec3& u, const Vec3& v) {
  return {u.x + v.x, u.y + v.y, u.z + v.z};
}
inline Vec3 operator-(const Vec3& u, const Vec3& v) {
  return {u.x - v.x, u.y - v.y, u.z - v.z};
}
inline Vec3 operator-(const Vec3& v) {
  return {-v.x, -v.y, -v.z};
}
inline Vec3 operator*(double k, const Vec3& v) {
  return {k * v.x, k * v.y, k * v.z};
}
inline double dot(const Vec3& u, const Vec3& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}
inline Vec3 cross(const Vec3& u, const Vec3& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

inline Vec3 operator*(const Mat3& R, const Vec3& v) {
  return {dot(R.row_x, v), dot(R.row_y, v), dot(R.row_z, v)};
}

inline Mat3 transposed(const Mat3& R) {
  return {{R.row_x.x, R.row_y.x, R.row_z.x},
          {R.row_x.y, R.row_y.y, R.row_z.y},
          {R.row_x.z, R.row_y.z, R.row_z.z}};
}

inline Mat3 operator*(const Mat3& A, const Mat3& B) {
  const Mat3 columns = transposed(B);
  return {columns * A.row_x, columns * A.row_y, columns * A.row_z};
}

inline SymMat3 operator+(const SymMat3& A, const SymMat3& B) {
  return {A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.yz + B.yz, A.xz + B.xz};
}

inline Mat3 full(const SymMat3& I) {
  return {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
}

/// R I Rᵀ: the same tensor in the fixed frame's axes.
inline SymMat3 rotated(const Mat3& R, const SymMat3& I) {
  const Mat3 W = R * full(I) * transposed(R);
  return {W.row_x.x, W.row_y.y, W.row_z.z, W.row_x.y, W.row_y.z, W.row_x.z};
}

/// Inertia of a point mass about a point from which it stands at r (parallel-axis theorem).
inline SymMat3 point_inertia(double mass, const Vec3& r) {
  return {mass * (r.y * r.y + r.z * r.z),
          mass * (r.x * r.x + r.z * r.z),
          mass * (r.x * r.x + r.y * r.y),
          -mass * r.x * r.y,
          -mass * r.y * r.z,
          -mass * r.x * r.z};
}

inline Vec3 operator*(const Transform& T, const Vec3& point) {
  return T.R * point + T.p;
}
inline Transform operator*(const Transform& A, const Transform& B) {
  return {A.R * B.R, A * B.p};
}
inline Transform inverse(const Transform& T) {
  const Mat3 Rt = transposed(T.R);
  return {Rt, -(Rt * T.p)};
}

}  // namespace armdyn
