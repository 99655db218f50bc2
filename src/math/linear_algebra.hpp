#pragma once

#include <Eigen/Core>
#include <armdyn/eigen.hpp>

namespace armdyn {

// Conversions to Eigen for solving and decomposing, beyond the public ones.

inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// The same memory: valid as long as that of `entries`, which lie row after row.
inline Eigen::Map<const RowMajorMatrix> eigen(std::span<const double> entries,
                                              std::size_t columns) {
  return {entries.data(), index(entries.size() / columns), index(columns)};
}

/// The same memory, to be written: valid as long as that of v.
inline Eigen::Map<Eigen::VectorXd> in_place(std::span<double> v) {
  return {v.data(), index(v.size())};
}

/// The same memory: valid as long as v.
inline std::span<const double> span(const Eigen::VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}
inline std::vector<double> plain_vector(const Eigen::VectorXd& v) {
  return {v.data(), v.data() + v.size()};
}

// Eigen's decompositions, for matrices of any size. They take long to compile, and
// are compiled here alone.

/// A = V diag(values) Vᵀ of a symmetric matrix; only its lower half is read.
struct SymmetricEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< V: a column for each value
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// Eigenvalues alone.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// Eigenvalues of any square matrix, in any order.
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);

/// Orthonormal columns that span those of A, but for what is no longer than `tolerance`.
Eigen::MatrixXd range_basis(const Eigen::MatrixXd& A, double tolerance);

/// Descending.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

/// V of A = U Σ Vᵀ, square.
Eigen::MatrixXd right_singular_vectors(const Eigen::MatrixXd& A);

/// A⁻¹ B of a regular matrix: LU with partial pivoting.
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹ of a regular matrix, in the same way.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);

/// Tests whether a square matrix is regular, but for rounding: QR with pivoting.
bool is_invertible(const Eigen::MatrixXd& A);

/// A⁻¹ B of a symmetric semidefinite matrix: LDLᵀ with pivoting.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// The X whose columns make those of A X − B shortest: QR with pivoting.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// The x that makes |A x − b|² + damping² |x|² least (10.10).
Eigen::VectorXd damped_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                     double damping);

/// R of A = Q R, upper triangular, min(rows, columns) × columns.
Eigen::MatrixXd triangle(const Eigen::MatrixXd& A);

/// Tests whether xᵀ A x > 0 for every x ≠ 0, by Cholesky's factors of A + Aᵀ.
bool is_positive_definite(const Eigen::MatrixXd& A);

/// e^A
Eigen::MatrixXd exponential(const Eigen::MatrixXd& A);

/// M⁻¹ by Cholesky, in joint units in which M has ones on its diagonal: kg and kg·m² do not mix.
class MassInverse {
 public:
  explicit MassInverse(const Eigen::MatrixXd& M);

  /// Tests whether there is an inverse worth the name. Some massless or rod-like arms have none.
  [[nodiscard]] bool regular() const { return regular_; }

  [[nodiscard]] Eigen::MatrixXd operator*(const Eigen::MatrixXd& B) const;

 private:
  Eigen::VectorXd scale_;
  Eigen::MatrixXd L_;  // L Lᵀ = diag(scale) M diag(scale)
  bool regular_ = false;
};

}  // namespace armdyn
