#include "motion/local_fit.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace armdyn {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0);
}

// Σ a (y − y₀): where the a add up to 0 only differences of y count, so none of them gets lost in a
// large y.
double dot_with_differences(std::span<const double> a, std::span<const double> y) {
  return std::transform_reduce(a.begin(), a.end(), y.begin(), 0.0, std::plus<>(),
                               [first = y.front()](double w, double v) { return w * (v - first); });
}

}  // namespace

// Stieltjes: p_{j+1}(x) = ((x − a_j) p_j(x) − b_j p_{j−1}(x)) / b_{j+1}, and so its derivatives.
void LocalFit::place(std::span<const double> t, double at, std::size_t last) {
  const std::size_t n = t.size();
  const double scale = (t.back() - t.front()) / 2.0;
  std::vector<double> x(n);
  for (std::size_t k = 0; k < n; ++k) x[k] = (t[k] - at) / scale;

  basis_[0].assign(n, 1.0 / std::sqrt(static_cast<double>(n)));
  at_zero_[0] = {basis_[0][0], 0.0, 0.0};
  steepness_[0] = basis_[0][0];
  double b = 0.0;
  for (std::size_t j = 0; j < last; ++j) {
    const std::vector<double>& p = basis_[j];
    std::vector<double>& next = basis_[j + 1];
    next.resize(n);
    double a = 0.0;
    for (std::size_t k = 0; k < n; ++k) a += x[k] * p[k] * p[k];
    for (std::size_t k = 0; k < n; ++k) {
      next[k] = (x[k] - a) * p[k] - (j == 0 ? 0.0 : b * basis_[j - 1][k]);
    }
    const std::array<double, 3> before = j == 0 ? std::array<double, 3>{} : at_zero_[j - 1];
    const auto& [value, slope, curvature] = at_zero_[j];
    at_zero_[j + 1] = {-a * value - b * before[0], value - a * slope - b * before[1],
                       2.0 * slope - a * curvature - b * before[2]};
    b = std::sqrt(dot(next, next));
    for (double& v : next) v /= b;
    for (double& v : at_zero_[j + 1]) v /= b;
    steepness_[j + 1] = steepness_[j] * static_cast<double>(j + 1) / (b * scale);
  }

  double unit = 1.0;  // of a derivative over x in one over t
  for (std::size_t order = 0; order < weights_.size(); ++order) {
    for (std::size_t j = 0; j <= last; ++j) at_zero_[j][order] *= unit;
    weights_[order].assign(n, 0.0);
    for (std::size_t j = 0; j <= degree; ++j) {
      const double share = at_zero_[j][order];
      for (std::size_t k = 0; k < n; ++k) weights_[order][k] += share * basis_[j][k];
    }
    unit /= scale;
  }
}

double LocalFit::derivative(std::size_t order, std::span<const double> y) const {
  return (order == 0 ? y.front() : 0.0) + dot_with_differences(weights_[order], y);
}

double LocalFit::noise_gain(std::size_t order) const {
  return dot(weights_[order], weights_[order]);
}

double LocalFit::misfit(std::span<const double> y) const {
  std::vector<double> rest(y.begin(), y.end());
  for (std::size_t j = 0; j <= degree; ++j) {
    const std::vector<double>& p = basis_[j];
    const double part = dot(p, rest);
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= part * p[k];
  }
  return dot(rest, rest);
}

double LocalFit::coefficient(std::size_t beyond, std::span<const double> y) const {
  return dot_with_differences(basis_[beyond], y);
}

}  // namespace armdyn
