#pragma once

// Fits dry and viscous friction to the torques that a model leaves unexplained.

#include <array>
#include <cstddef>
#include <optional>

namespace armdyn {

/// The least-squares fit of residual = offset + coulomb · sign(qd) + viscous · qd.
class FrictionFit {
 public:
  struct Result {
    double offset = 0.0;
    double coulomb = 0.0;
    double viscous = 0.0;
    double rms_left = 0.0;  ///< of what the fit does not explain
  };

  void add(double qd, double residual, double weight = 1.0);

  /// Nothing where the motion cannot tell the three apart: it needs both directions and different
  /// speeds, not too large for a double.
  [[nodiscard]] std::optional<Result> solve() const;

 private:
  static constexpr std::size_t terms = 3;

  double weight_ = 0.0;
  std::array<std::array<double, terms>, terms> normal_{};
  std::array<double, terms> right_{};
  double squares_ = 0.0;
};

/// Pearson's correlation of two columns that come row by row.
class Correlation {
 public:
  void add(double a, double b);
  /// Nothing where one of them does not vary, or varies by too much for a double.
  [[nodiscard]] std::optional<double> value() const;

 private:
  double rows_ = 0.0;
  double mean_a_ = 0.0, mean_b_ = 0.0;
  double aa_ = 0.0, bb_ = 0.0, ab_ = 0.0;
};

}  // namespace armdyn
