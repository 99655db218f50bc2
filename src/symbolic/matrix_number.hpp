#pragma once

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <utility>

#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/formula.hpp"
#include "symbolic/symbolic_arm.hpp"

namespace armdyn {

/// A matrix of polynomials; a number is one of one entry. Sheets add and multiply them.
class MatrixNumber {
 public:
  using Rows = MatrixOf<SymbolicNumber>;
  /// Message about the transpose of a number.
  static constexpr const char* transposes_number =
      "only a matrix is transposed (a derivative is \\dot, \\ddot, or qd1, qdd1)";

  MatrixNumber(double number) : MatrixNumber(SymbolicNumber(number)) {}  // implicit: for formulas
  MatrixNumber(SymbolicNumber number) : rows_(1, 1, {std::move(number)}) {}
  explicit MatrixNumber(Rows rows) : rows_(std::move(rows)) {}
  static MatrixNumber transposition() {
    MatrixNumber sign(1.0);
    sign.is_transposition_ = true;
    return sign;
  }

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] bool is_number() const { return rows_.entries().size() == 1; }
  /// Throws FormulaError for a matrix.
  [[nodiscard]] const SymbolicNumber& number() const {
    if (!is_number()) throw FormulaError("found " + size() + " where a number must be");
    return rows_(0, 0);
  }

  friend MatrixNumber operator-(const MatrixNumber& a) { return MatrixNumber(-1.0) * a; }
  /// Adds a column to a row, too, as programs do with lists.
  friend MatrixNumber operator+(const MatrixNumber& a, const MatrixNumber& b) {
    const bool is_turned = a.rows_.rows() == b.rows_.columns() &&
                           a.rows_.columns() == b.rows_.rows() &&
                           (a.rows_.rows() == 1) != (b.rows_.rows() == 1);
    if (is_turned) return a + MatrixNumber(transposed(b.rows_));
    if (a.rows_.rows() != b.rows_.rows() || a.rows_.columns() != b.rows_.columns()) {
      throw FormulaError("adds " + a.size() + " and " + b.size());
    }
    Rows sum = a.rows_;
    for (std::size_t k = 0; k < sum.entries().size(); ++k) {
      SymbolicNumber& entry = sum(k / sum.columns(), k % sum.columns());
      entry = entry + b.rows_.entries()[k];
    }
    return MatrixNumber(std::move(sum));
  }
  friend MatrixNumber operator-(const MatrixNumber& a, const MatrixNumber& b) { return a + -b; }
  friend MatrixNumber operator*(const MatrixNumber& a, const MatrixNumber& b) {
    if (a.is_number() || b.is_number()) {
      const auto& [number, other] = a.is_number() ? std::tie(a, b) : std::tie(b, a);
      const SymbolicNumber& k = number.number();
      return MatrixNumber(Rows(other.rows_.rows(), other.rows_.columns(),
                               each(other.rows_.entries(), [&](const auto& x) { return k * x; })));
    }
    constexpr std::size_t most_entries = 10'000;
    if (a.rows_.columns() != b.rows_.rows() || a.rows_.rows() * b.rows_.columns() > most_entries) {
      throw FormulaError("multiplies " + a.size() + " and " + b.size());
    }
    return MatrixNumber(a.rows_ * b.rows_);
  }
  friend MatrixNumber operator/(const MatrixNumber& a, const MatrixNumber& b) {
    return a * MatrixNumber(1.0 / b.number());
  }
  friend bool is_zero(const MatrixNumber& x) { return x.is_number() && is_zero(x.number()); }
  friend MatrixNumber power(const MatrixNumber& base, const MatrixNumber& exponent) {
    if (exponent.is_transposition_ && base.is_number()) throw FormulaError(transposes_number);
    if (exponent.is_transposition_) return MatrixNumber(transposed(base.rows_));
    if (!base.is_number()) throw FormulaError("of powers of matrices ^T alone is read");
    return power(base.number(), exponent.number());
  }
  friend MatrixNumber root(const MatrixNumber& x) { return root(x.number()); }
  friend SinCosOf<MatrixNumber> sine_and_cosine(const MatrixNumber& angle) {
    const auto [s, c] = sine_and_cosine(angle.number());
    return {s, c};
  }

 private:
  [[nodiscard]] std::string size() const {
    return is_number() ? "a number"
                       : fmt::format("a matrix of {} x {}", rows_.rows(), rows_.columns());
  }

  Rows rows_;
  bool is_transposition_ = false;
};

/// Derivative by one variable, of a number or a column by a column; without variables by time.
inline MatrixNumber derivative(const SymbolicArm& arm, const MatrixNumber& x,
                               const MatrixNumber* by) {
  if (by == nullptr || by->is_number()) {
    const SymbolicNumber* const variable = by == nullptr ? nullptr : &by->number();
    return MatrixNumber(MatrixNumber::Rows(x.rows().rows(), x.rows().columns(),
                                           each(x.rows().entries(), [&](const SymbolicNumber& one) {
                                             return derivative(arm, one, variable);
                                           })));
  }
  if (x.rows().columns() > 1 || by->rows().columns() > 1)
    throw FormulaError("of matrices, a column by a column alone has a derivative");
  const bool is_gradient = x.is_number();
  const std::size_t n = by->rows().rows();
  MatrixNumber::Rows rows(is_gradient ? n : x.rows().rows(), is_gradient ? 1 : n);
  for (std::size_t k = 0; k < rows.rows() * rows.columns(); ++k) {
    const std::size_t i = k / rows.columns(), j = k % rows.columns();
    rows(i, j) = derivative(arm, x.rows()(is_gradient ? 0 : i, 0),
                            &by->rows().entries()[is_gradient ? i : j]);
  }
  return MatrixNumber(std::move(rows));
}

}  // namespace armdyn
