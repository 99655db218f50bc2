#include "motion/friction_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace armdyn {

void FrictionFit::add(double qd, double residual, double weight) {
  const double direction = qd > 0.0 ? 1.0 : qd < 0.0 ? -1.0 : 0.0;
  const std::array<double, terms> row{1.0, direction, qd};
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::size_t j = 0; j < terms; ++j) normal_[i][j] += weight * row[i] * row[j];
    right_[i] += weight * row[i] * residual;
  }
  squares_ += weight * residual * residual;
  weight_ += weight;
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
  const double left = std::max(0.0, squares_ - x.dot(right)) / weight_;
  if (!x.allFinite() || !std::isfinite(left)) return std::nullopt;
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
  const double value = ab_ / (std::sqrt(aa_) * std::sqrt(bb_));
  if (!std::isfinite(aa_) || !std::isfinite(bb_) || !std::isfinite(value)) return std::nullopt;
  return std::clamp(value, -1.0, 1.0);
}

}  // namespace armdyn
