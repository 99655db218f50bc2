#include "motion/friction_fit.hpp"

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

// LDLᵀ of the normal equations, scaled to a diagonal of 1 so that a small pivot means what it says.
std::optional<FrictionFit::Result> FrictionFit::solve() const {
  constexpr double least_pivot = 1e-6;
  std::array<double, terms> scale{};
  for (std::size_t i = 0; i < terms; ++i) {
    if (normal_[i][i] <= 0.0) return std::nullopt;
    scale[i] = 1.0 / std::sqrt(normal_[i][i]);
  }
  std::array<std::array<double, terms>, terms> l{};
  std::array<double, terms> d{};
  std::array<double, terms> x{};
  for (std::size_t i = 0; i < terms; ++i) {
    x[i] = right_[i] * scale[i];
    d[i] = 1.0;
    for (std::size_t j = 0; j < i; ++j) {
      l[i][j] = normal_[i][j] * scale[i] * scale[j];
      for (std::size_t k = 0; k < j; ++k) l[i][j] -= l[i][k] * d[k] * l[j][k];
      l[i][j] /= d[j];
      d[i] -= l[i][j] * l[i][j] * d[j];
      x[i] -= l[i][j] * x[j];
    }
    if (d[i] < least_pivot) return std::nullopt;
  }
  double explained = 0.0;
  for (std::size_t i = 0; i < terms; ++i) explained += x[i] * x[i] / d[i];
  for (std::size_t i = terms; i-- > 0;) {
    x[i] /= d[i];
    for (std::size_t j = i + 1; j < terms; ++j) x[i] -= l[j][i] * x[j];
  }
  const double left = std::max(0.0, squares_ - explained) / static_cast<double>(rows_);
  return Result{x[0] * scale[0], x[1] * scale[1], x[2] * scale[2], std::sqrt(left)};
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
