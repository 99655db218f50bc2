#pragma once

#include <vector>

#include "symbolic/symbolic_arm.hpp"

// Polynomials in the order of a textbook: sums of angles collected, factors taken out, terms in the
// order of accelerations, products of velocities, squares, gravity.

namespace armdyn {

struct Product;
/// A sum of products; the empty one is 0.
using Sum = std::vector<Product>;

struct Product {
  Rational coefficient = 1;
  Monomial monomial;
  std::vector<Sum> sums;  ///< in brackets
};

/// Where a symbol stands in a product, from left to right: rates come last.
[[nodiscard]] int rank(Symbol symbol);

/// Its terms with sums and differences of angles of parallel axes, and 1 − c² as s²
/// (docs/derivation.md, 20.3). They are no normal form.
[[nodiscard]] std::vector<Term> collected(const SymbolicArm& arm, const SymbolicNumber& x);

/// Factors taken out of terms, the longest first (20.4).
[[nodiscard]] Sum factored(std::vector<Term> terms);

}  // namespace armdyn
