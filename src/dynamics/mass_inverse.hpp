#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace armdyn {

/// M⁻¹ by Cholesky, in joint units in which M has ones on its diagonal: kg and kg·m² do not mix.
class MassInverse {
 public:
  explicit MassInverse(const Eigen::MatrixXd& M)
      : scale_(M.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseInverse()) {
    if (scale_.allFinite()) {
      factor_.compute(scale_.asDiagonal() * M * scale_.asDiagonal());
      regular_ = factor_.info() == Eigen::Success && factor_.rcond() > smallest_rcond;
    }
  }

  /// Whether there is an inverse worth the name. Some massless or rod-like arms have none.
  [[nodiscard]] bool regular() const { return regular_; }

  [[nodiscard]] Eigen::MatrixXd operator*(const Eigen::MatrixXd& B) const {
    return scale_.asDiagonal() * factor_.solve(scale_.asDiagonal() * B);
  }

 private:
  static constexpr double smallest_rcond = 1e-13;  // below, M is singular but for its rounding

  Eigen::VectorXd scale_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  bool regular_ = false;
};

}  // namespace armdyn
