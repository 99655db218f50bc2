#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

// Vectors, matrices and frames of three dimensions. Their scalar S is any number with +, − and ·.
// A product may join two scalars: a constant of an arm with what depends on the arm's state.

namespace armdyn {

/// Type of a number of type A times one of type B.
template <class A, class B>
using ProductOf = decltype(std::declval<A>() * std::declval<B>());

/// A vector: three components in the axes of the frame that its user names.
template <class S>
struct Vec {
  S x{};
  S y{};
  S z{};

  bool operator==(const Vec&) const = default;
};

/// A 3×3 matrix, by rows; by default the unit matrix. A rotation takes a vector's
/// components from the moved frame to the fixed one.
template <class S>
struct Mat {
  Vec<S> row_x{S(1.0), S(0.0), S(0.0)};
  Vec<S> row_y{S(0.0), S(1.0), S(0.0)};
  Vec<S> row_z{S(0.0), S(0.0), S(1.0)};

  bool operator==(const Mat&) const = default;
};

/// A symmetric 3×3 matrix. As an inertia it is the *tensor*: xy = −∫xy dm, kg·m².
template <class S>
struct SymMat {
  S xx{};
  S yy{};
  S zz{};
  S xy{};
  S yz{};
  S xz{};

  bool operator==(const SymMat&) const = default;
};

/// Placement of a frame in another one: its rotation R, and its origin p, m.
template <class S>
struct Frame {
  Mat<S> R;
  Vec<S> p;

  bool operator==(const Frame&) const = default;
};

/// A force, N, and a moment, N·m; its user names the frame, the point and the body that exerts
/// them.
template <class S>
struct ForceAndMoment {
  Vec<S> force;
  Vec<S> moment;
};

// Plain numbers.
using Vec3 = Vec<double>;
using Mat3 = Mat<double>;
using SymMat3 = SymMat<double>;
using Transform = Frame<double>;
using Wrench = ForceAndMoment<double>;

template <class S>
Vec<S> operator+(const Vec<S>& u, const Vec<S>& v) {
  return {u.x + v.x, u.y + v.y, u.z + v.z};
}
template <class S>
Vec<S> operator-(const Vec<S>& u, const Vec<S>& v) {
  return {u.x - v.x, u.y - v.y, u.z - v.z};
}
template <class S>
Vec<S> operator-(const Vec<S>& v) {
  return {-v.x, -v.y, -v.z};
}
template <class S>
Vec<S> operator*(double k, const Vec<S>& v) {
  return {k * v.x, k * v.y, k * v.z};
}

/// uᵀ v.
template <class A, class B>
ProductOf<A, B> dot(const Vec<A>& u, const Vec<B>& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}
inline double length(const Vec3& v) {
  return std::hypot(v.x, v.y, v.z);
}
/// u × v.
template <class A, class B>
Vec<ProductOf<A, B>> cross(const Vec<A>& u, const Vec<B>& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

template <class S>
Mat<S> transposed(const Mat<S>& A) {
  return {{A.row_x.x, A.row_y.x, A.row_z.x},
          {A.row_x.y, A.row_y.y, A.row_z.y},
          {A.row_x.z, A.row_y.z, A.row_z.z}};
}
template <class S>
Mat<S> operator+(const Mat<S>& A, const Mat<S>& B) {
  return {A.row_x + B.row_x, A.row_y + B.row_y, A.row_z + B.row_z};
}
template <class S>
Mat<S> operator*(double k, const Mat<S>& A) {
  return {k * A.row_x, k * A.row_y, k * A.row_z};
}
template <class A, class B>
Vec<ProductOf<A, B>> operator*(const Mat<A>& M, const Vec<B>& v) {
  return {dot(M.row_x, v), dot(M.row_y, v), dot(M.row_z, v)};
}
template <class S>
Mat<S> operator*(const Mat<S>& A, const Mat<S>& B) {
  const Mat<S> columns = transposed(B);
  return {columns * A.row_x, columns * A.row_y, columns * A.row_z};
}

template <class S>
SymMat<S> operator+(const SymMat<S>& A, const SymMat<S>& B) {
  return {A.xx + B.xx, A.yy + B.yy, A.zz + B.zz, A.xy + B.xy, A.yz + B.yz, A.xz + B.xz};
}
template <class A, class B>
Vec<ProductOf<A, B>> operator*(const SymMat<A>& I, const Vec<B>& v) {
  return {I.xx * v.x + I.xy * v.y + I.xz * v.z, I.xy * v.x + I.yy * v.y + I.yz * v.z,
          I.xz * v.x + I.yz * v.y + I.zz * v.z};
}
/// The matrix with all nine entries.
template <class S>
Mat<S> full(const SymMat<S>& A) {
  return {{A.xx, A.xy, A.xz}, {A.xy, A.yy, A.yz}, {A.xz, A.yz, A.zz}};
}

/// A point of the moved frame, seen from the fixed one.
template <class S>
Vec<S> operator*(const Frame<S>& T, const Vec<S>& point) {
  return T.R * point + T.p;
}
/// Placement of B, given in A, in the frame in which A is given.
template <class S>
Frame<S> operator*(const Frame<S>& A, const Frame<S>& B) {
  return {A.R * B.R, A * B.p};
}
template <class S>
Frame<S> inverse(const Frame<S>& T) {
  const Mat<S> Rt = transposed(T.R);
  return {Rt, -(Rt * T.p)};
}

/// A dense matrix, stored by rows; rows and columns count from 0. Its user names meaning, units and
/// frame of the entries.
template <class S>
class MatrixOf {
 public:
  MatrixOf() = default;
  MatrixOf(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), entries_(rows * columns) {}
  /// Takes its entries, row after row. Throws std::invalid_argument for another number of them.
  MatrixOf(std::size_t rows, std::size_t columns, std::vector<S> entries)
      : rows_(rows), columns_(columns), entries_(std::move(entries)) {
    if (entries_.size() != rows * columns) {
      throw std::invalid_argument("a matrix needs rows times columns entries");
    }
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

  S& operator()(std::size_t row, std::size_t column) { return entries_[row * columns_ + column]; }
  const S& operator()(std::size_t row, std::size_t column) const {
    return entries_[row * columns_ + column];
  }

  [[nodiscard]] std::span<const S> row(std::size_t i) const {
    return std::span(entries_).subspan(i * columns_, columns_);
  }
  [[nodiscard]] std::span<const S> entries() const { return entries_; }  ///< row after row

  bool operator==(const MatrixOf&) const = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<S> entries_;
};
using Matrix = MatrixOf<double>;

}  // namespace armdyn
