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
  /// Of the terms that show what a polynomial of that degree does not follow.
  static constexpr std::size_t highest = degree + 3;
  /// So that all those terms stand apart, and noise is smoothed, not followed.
  static constexpr std::size_t fewest_points = highest + 1;

  /// `t` increases and has at least `fewest_points`; `at` is where the polynomial is evaluated;
  /// `last` is the degree of the last term, from `degree` to `highest`.
  void place(std::span<const double> t, double at, std::size_t last = degree);

  /// Of the polynomial that fits `y` best: its value (order 0), first or second derivative.
  [[nodiscard]] double derivative(std::size_t order, std::span<const double> y) const;

  /// Variance of that derivative where each sample has an independent error of variance 1.
  [[nodiscard]] double noise_gain(std::size_t order) const;

  /// Sum of squared deviations of `y` from the polynomial.
  [[nodiscard]] double misfit(std::span<const double> y) const;

  /// For `beyond` from degree + 1 to the last: how much `y` has of p, the polynomial of that degree
  /// that is orthogonal over the samples to all lower ones and has the norm 1. Its variance is that
  /// of a sample.
  [[nodiscard]] double coefficient(std::size_t beyond, std::span<const double> y) const;
  /// The derivative of p of that order at `at`.
  [[nodiscard]] double share(std::size_t beyond, std::size_t order) const {
    return at_zero_[beyond][order];
  }
  /// The derivative of p of its own degree, a constant.
  [[nodiscard]] double steepness(std::size_t beyond) const { return steepness_[beyond]; }

 private:
  // Polynomials orthogonal over the samples, each of norm 1: at the samples, and at `at` their
  // value, slope and curvature.
  std::array<std::vector<double>, highest + 1> basis_;
  std::array<std::array<double, 3>, highest + 1> at_zero_{};
  std::array<double, highest + 1> steepness_{};
  std::array<std::vector<double>, 3> weights_;
};

}  // namespace armdyn
