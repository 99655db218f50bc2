#pragma once

// Fit of dry and viscous friction to the torques that a model leaves unexplained.

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace armdyn {

/// Least-squares fit of residual = offset + coulomb · sign(qd) + viscous · qd to rows in their order,
/// in bounded memory (derivation.md, section 10.7).
class FrictionFit {
 public:
  static constexpr std::size_t terms = 3;
  static constexpr std::array<const char*, terms> names{"offset", "coulomb", "viscous"};

  struct Result {
    std::array<double, terms> values{};                           ///< in the order of `names`
    std::array<double, terms> errors{};                           ///< standard errors (10.20)
    std::array<std::array<double, terms>, terms> correlations{};  ///< of the estimates, by motion
    double rms = 0.0;                                             ///< of the residual
    double rms_left = 0.0;                                        ///< of the residual less the fit
    double speed_noise = 0.0;  ///< standard deviation, in the unit of qd (10.21)
    double attenuation = 0.0;  ///< part of the viscous friction that this noise hides (10.21)
  };

  /// Adds a row. Rows at rest, where dry friction is anything up to its level, do not count.
  void add(double qd, double residual, double weight = 1.0);

  /// Returns nothing where the motion cannot separate the terms: it needs more rows than terms,
  /// both directions, each in one row of 32 or more, and different speeds, not too large for a
  /// double.
  [[nodiscard]] std::optional<Result> solve() const;

  /// The fit of the same rows without a term, which becomes 0.
  [[nodiscard]] FrictionFit without(std::size_t term) const;

 private:
  using Row = std::array<double, terms + 1>;  // offset, coulomb, viscous, residual

  /// R of the QR decomposition of rows, which loses no digits to sums of products.
  struct Triangle {
    std::array<Row, terms + 1> rows{};
    void rotate_in(Row row);
    void rotate_in(const Triangle& other);
    /// Solves R x = right, of the regressors.
    [[nodiscard]] std::array<double, terms> solve(const std::array<double, terms>& right) const;
    /// Solves Rᵀ x = right.
    [[nodiscard]] std::array<double, terms> solve_transposed(
        const std::array<double, terms>& right) const;
  };
  void begin_block();
  void look_at_noise(double qd);
  [[nodiscard]] std::array<double, terms> errors(const Triangle& all,
                                                 const std::array<double, terms>& values) const;

  std::size_t rows_ = 0, forward_ = 0;
  double weight_ = 0.0;
  std::vector<Triangle> blocks_;  // of neighboring rows
  std::size_t block_rows_ = 1;    // of a full block
  std::size_t in_last_block_ = 0;
  std::array<double, 4> differences_{};  // of qd and the rows before, of order 0 to 3
  std::size_t since_rest_ = 0;           // rows
  double third_squares_ = 0.0, thirds_ = 0.0, fourth_squares_ = 0.0, fourths_ = 0.0;
};

/// Pearson's correlation of two columns, row by row.
class Correlation {
 public:
  void add(double a, double b);
  /// Returns nothing where one of them does not vary, or varies by too much for a double.
  [[nodiscard]] std::optional<double> value() const;

 private:
  double rows_ = 0.0;
  double mean_a_ = 0.0, mean_b_ = 0.0;
  double aa_ = 0.0, bb_ = 0.0, ab_ = 0.0;
};

}  // namespace armdyn
