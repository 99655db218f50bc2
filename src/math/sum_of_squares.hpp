#pragma once

#include <cmath>

namespace armdyn {

inline double square(double x) {
  return x * x;
}

/// Σ w x² of finite numbers x and weights w ≥ 0, whose root mean a double holds whatever x is.
class SumOfSquares {
 public:
  void add(double x, double weight = 1.0) {
    if (std::abs(x) < large) {
      sum_ += weight * (x * x);
    } else {
      sum_of_large_ += weight * ((x / large) * (x / large));
    }
  }
  /// Of numbers that are not large.
  void add_squares(double sum) { sum_ += sum; }

  /// √(Σ w x² / Σ w); 0 where there is no weight.
  [[nodiscard]] double root_mean(double weight) const {
    if (!(weight > 0.0)) return 0.0;
    if (sum_of_large_ == 0.0) return std::sqrt(sum_ / weight);
    return large * std::sqrt(sum_of_large_ / weight + sum_ / large / large / weight);
  }

  static constexpr double large = 0x1p500;

 private:
  double sum_ = 0.0;
  double sum_of_large_ = 0.0;  ///< in large²
};

}  // namespace armdyn
