#pragma once

// A number as a formula: a sum of products of symbols, exactly.
//
// Algorithms as that of newton_euler.hpp, run on SymbolicNumbers, give torques as formulas, in a form
// that two formulas share if and only if they are equal. With the mass m of a link, whose joint has
// the sine s1 and the cosine c1:
//
//     s1·s1                    is 1 − c1², as every even power of a sine
//     c1·c1 + s1·s1            is 1
//     (m + 1)·(m − 1)          is m² − 1
//     0.35·m                   has the coefficient 7/20: the decimals of the file, not their double
//
// Torques of Newton and Euler less those of Lagrange have no term left: that is a proof.

#include <boost/multiprecision/cpp_int.hpp>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "math/rotation.hpp"

namespace armdyn {

/// Exact fraction: numbers of a robot are decimal fractions.
using Rational = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                               boost::multiprecision::et_off>;

/// A name for an unknown number. Velocities and accelerations are from first_rate on; cosine and
/// sine of the k-th angle are first_angle + 2k and first_angle + 2k + 1.
using Symbol = std::uint16_t;
constexpr Symbol first_rate = 0x3000;
constexpr Symbol first_angle = 0x4000;
/// The first of the reciprocals of sums (SymbolTable).
constexpr Symbol first_reciprocal = 0x8000;

inline bool is_trigonometric(Symbol symbol) {
  return symbol >= first_angle && symbol < first_reciprocal;
}
inline bool is_rate(Symbol symbol) {
  return symbol >= first_rate && symbol < first_angle;
}
inline bool is_sine(Symbol symbol) {
  return is_trigonometric(symbol) && symbol % 2 == 1;
}

/// A power of a symbol, not 0; a negative one where something was divided by it.
struct Factor {
  Symbol symbol = 0;
  std::int16_t power = 1;

  bool operator==(const Factor&) const = default;
  std::strong_ordering operator<=>(const Factor& other) const {
    return symbol == other.symbol ? power <=> other.power : symbol <=> other.symbol;
  }
};

/// A product, by symbols.
using Monomial = std::vector<Factor>;

[[nodiscard]] Monomial operator*(const Monomial& a, const Monomial& b);
[[nodiscard]] Monomial inverse(Monomial a);
/// The factors whose symbols belong.
[[nodiscard]] Monomial only(const Monomial& of, bool (*belongs)(Symbol));
[[nodiscard]] int power_of(Symbol symbol, const Monomial& in);
/// Tests whether the whole has at least these powers.
[[nodiscard]] bool divides(const Monomial& part, const Monomial& whole);

struct Term {
  Monomial monomial;
  Rational coefficient;

  bool operator==(const Term&) const = default;
};

/// Most terms of one sum. More, which take minutes and gigabytes, throw std::length_error.
constexpr std::size_t most_terms = 100'000;

class SymbolicNumber {
 public:
  SymbolicNumber() = default;    ///< 0
  SymbolicNumber(double known);  // implicit: constants mix with symbols
  explicit SymbolicNumber(Symbol symbol);
  explicit SymbolicNumber(const std::vector<Term>& unsorted);  ///< their sum

  /// Terms by their monomials; none has the coefficient 0, no sine is squared.
  [[nodiscard]] std::span<const Term> terms() const { return terms_; }

  friend SymbolicNumber operator-(SymbolicNumber a);
  friend SymbolicNumber operator+(const SymbolicNumber& a, const SymbolicNumber& b);
  friend SymbolicNumber operator-(const SymbolicNumber& a, const SymbolicNumber& b);
  friend SymbolicNumber operator*(const SymbolicNumber& a, const SymbolicNumber& b);
  /// Throws FormulaError where b is 0.
  friend SymbolicNumber operator/(const SymbolicNumber& a, const SymbolicNumber& b);

  bool operator==(const SymbolicNumber&) const = default;

 private:
  std::vector<Term> terms_;
};

/// The decimal fraction with the fewest digits that reads as that double, as a file has it.
[[nodiscard]] Rational decimal(double x);

// Functions in formulas of a file (model/formula.hpp) and joint frames. They throw FormulaError where
// the result is no polynomial: for roots but of squares, and powers that are no whole number.

[[nodiscard]] bool is_zero(const SymbolicNumber& x);
[[nodiscard]] SymbolicNumber root(const SymbolicNumber& x);
[[nodiscard]] SymbolicNumber power(const SymbolicNumber& base, const SymbolicNumber& exponent);
[[nodiscard]] SinCosOf<SymbolicNumber> sine_and_cosine(const SymbolicNumber& angle);
/// Takes a sum of numbers and whole multiples of symbols whose angles the table has.
[[nodiscard]] SinCosOf<SymbolicNumber> sin_cos(const SymbolicNumber& angle);

/// Two polynomials, whose quotient is a number.
struct Fraction {
  SymbolicNumber above, below = 1.0;
};
[[nodiscard]] Fraction fraction(SymbolicNumber x);
/// x times its denominators: a polynomial that is zero if and only if x is.
[[nodiscard]] SymbolicNumber numerator_of(SymbolicNumber x);
/// The polynomial a/b; nothing where there is none, or it has too many terms.
[[nodiscard]] std::optional<SymbolicNumber> exact_quotient(SymbolicNumber a, SymbolicNumber b);

/// A polynomial, times a product of reciprocals of sums, sines and cosines.
struct Reduced {
  SymbolicNumber above;
  Monomial below;
};
/// x over the lowest powers of the divisors that it has (docs/derivation.md, 20.8).
[[nodiscard]] Reduced reduced(SymbolicNumber x);

/// Limit for the sums and products of this thread while it lives: after so many steps together they
/// throw std::length_error. Leaves in `steps` what remains; within another one, it is that one's
/// limit. A hundred thousand take a fraction of a second.
class TermBudget {
 public:
  explicit TermBudget(std::size_t& steps);
  ~TermBudget();
  TermBudget(const TermBudget&) = delete;
  TermBudget& operator=(const TermBudget&) = delete;

 private:
  std::size_t& steps_;
  bool is_within_;
};

/// Names and meanings of symbols. The last table made is the current one of its thread.
class SymbolTable {
 public:
  SymbolTable() : outer_(current()) { current() = this; }
  ~SymbolTable() {
    if (current() == this) current() = outer_;
  }
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  static SymbolTable*& current() {
    thread_local SymbolTable* table = nullptr;
    return table;
  }

  /// Adds a symbol; one for a velocity or acceleration; an angle, whose number it returns.
  Symbol add(std::string name);
  Symbol add_rate(std::string name);
  std::size_t add_angle(std::string name);
  static Symbol cosine(std::size_t angle) { return static_cast<Symbol>(first_angle + 2 * angle); }
  static Symbol sine(std::size_t angle) { return static_cast<Symbol>(cosine(angle) + 1); }
  /// 1/divisor, of several terms, as one symbol.
  Symbol reciprocal(const SymbolicNumber& divisor);

  /// Sets the sine and cosine of a symbol that is an angle.
  void set_angle(Symbol angle, SinCosOf<SymbolicNumber> values) {
    angles_[angle] = std::move(values);
  }
  [[nodiscard]] const SinCosOf<SymbolicNumber>* angle(Symbol symbol) const;

  /// Name of a plain symbol, or of the angle of a sine or cosine.
  [[nodiscard]] const std::string& name(Symbol symbol) const;
  [[nodiscard]] const SymbolicNumber& divisor(Symbol reciprocal) const {
    return divisors_[reciprocal - first_reciprocal];
  }

 private:
  SymbolTable* outer_;
  std::vector<std::string> names_, rate_names_, angle_names_;
  std::vector<SymbolicNumber> divisors_;
  std::map<Symbol, SinCosOf<SymbolicNumber>> angles_;
};

}  // namespace armdyn
