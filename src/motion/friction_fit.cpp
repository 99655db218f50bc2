#include "motion/friction_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace armdyn {

void FrictionFit::add(double qd, double residual) {
  const double direction = qd > 0.0 ? 1.0 : qd < 0.0 ? -1.0 : 0.0;
  const std::array<double, terms> row{1.0, direction, qd};
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::size_t j = 0; j < terms; ++j) normal_[i][j] += row[i] * row[j];
    right_[i] += row[i] * residual;
  }
  squares_ += residual * residual;
  ++rows_;
}

// The normal equations are scaled to a diagonal of 1, so that a small pivot means what it says.
std::optional<FrictionFit::Result> FrictionFit::solve() const {
  constexpr double least_pivot = 1e-6;
  const Eigen::Map<const Eigen::Matrix3d> normal(normal_.front().data());
  const Eigen::Map<const Eigen::Vector3d> right(right_.data());
  if (normal.diagonal().minCoeff() <= 0.0) return std::nullopt;
  const Eigen::Vector3d scale = normal.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LDLT<Eigen::Matrix3d> factors(scale.asDiagonal() * normal * scale.asDiagonal());
  if (factors.vectorD().minCoeff() < least_pivot) return std::nullopt;
  const Eigen::Vector3d x =
      scale.cwiseProduct(factors.solve(Eigen::Vector3d(scale.cwiseProduct(right))));
  const double left = std::max(0.0, squares_ - x.dot(right)) / static_cast<double>(rows_);
  return Result{x[0], x[1], x[2], std::sqrt(left)};
}

// Welford's update, which loses nothing to a large mean.
void Correlation::add(double a, double b) {
  rows_ += 1.0;
  const double from_a = a - mean_a_;
  const double from_b = b - mean_b_;
  mean_a_ += from_a / rows_;
  mean_b_ += from_b / rows_;
  aa_ += from_a * (a - mean_a_);
  bb_ += from_b * (b - mean_b_);
  ab_ += from_a * (b - mean_b_);
}

std::optional<double> Correlation::value() const {
  if (aa_ <= 0.0 || bb_ <= 0.0) return std::nullopt;
  return std::clamp(ab_ / (std::sqrt(aa_) * std::sqrt(bb_)), -1.0, 1.0);
}

}  // namespace armdyn
