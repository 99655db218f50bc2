#pragma once

// Closed forms as a textbook prints them.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "symbolic/closed_forms.hpp"
#include "symbolic/symbolic_arm.hpp"

namespace armdyn {

// Polynomials in the order of a textbook: sums of angles collected, factors taken out, terms in the
// order of accelerations, products of velocities, squares, gravity.

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

enum class Markup { text, latex };

/// The equations, each with its sides; text in lines of at most 100 columns, LaTeX as an align*
/// environment of amsmath.
[[nodiscard]] std::string textbook(const SymbolicArm& arm, const std::vector<ClosedForm>& forms,
                                   Markup notation);

/// Terms as a sum: "m2 l2² - m1 l1".
[[nodiscard]] std::string text(const SymbolicArm& arm, std::vector<Term> terms);

/// Greek letters, of two bytes each, and their words.
inline constexpr std::string_view greek_letters = "αβγδεζηθκλμνξρστφψω";
inline constexpr std::array<std::string_view, 19> greek_words{
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda",
    "mu",    "nu",   "xi",    "rho",   "sigma",   "tau",  "phi", "psi",   "omega"};

/// "τ1", as text has it.
[[nodiscard]] std::string left_side(const SymbolicArm& arm, const ClosedForm& form);

/// The symbols that stand in them, with their values: "m1 = 4.6", "c12 = cos(q1 + q2)".
[[nodiscard]] std::string legend(const SymbolicArm& arm, const std::vector<ClosedForm>& forms);

/// The terms that are printed of the longest of them.
[[nodiscard]] std::size_t longest(const SymbolicArm& arm, const std::vector<ClosedForm>& forms);

}  // namespace armdyn
