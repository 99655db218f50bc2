#pragma once

// Takes derivatives from samples by the polynomial of degree 4 that fits those of
// a time window best (Savitzky and Golay 1964, generalised to uneven stamps).

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace armdyn {

/// Weights of samples at given times; the same weights serve all quantities sampled there.
class LocalFit {
 public:
  static constexpr std::size_t degree = 4;
  /// Two more than the polynomial has coefficients, so that noise is smoothed, not followed.
  static constexpr std::size_t fewest_points = 7;

  /// `t` increases and has at least `fewest_points`; `at` is where the polynomial is evaluated.
  void place(std::span<const double> t, double at);

  /// Of the polynomial that fits `y` best: its value (order 0), first or second derivative.
  [[nodiscard]] double derivative(std::size_t order, std::span<const double> y) const;

  /// Variance of that derivative where each sample has an independent error of variance 1.
  [[nodiscard]] double noise_gain(std::size_t order) const;

  /// Sum of squared deviations of `y` from the polynomial.
  [[nodiscard]] double misfit(std::span<const double> y) const;

 private:
  static constexpr std::size_t terms = degree + 1;

  // Polynomials orthogonal over the samples, each of norm 1, at the samples.
  std::array<std::vector<double>, terms> basis_;
  std::array<std::vector<double>, 3> weights_;
};

}  // namespace armdyn
