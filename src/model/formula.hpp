#pragma once

#include <armdyn/error.hpp>

#include <charconv>
#include <cmath>
#include <functional>
#include <numbers>
#include <system_error>

#include "math/characters.hpp"
#include "math/root.hpp"
#include "math/rotation.hpp"

// A formula in place of a number of a robot file: "m1*l1^2/12". It is read as any scalar S with
// + − · / and the functions of this header.

namespace armdyn {

/// Fault in a formula.
class FormulaError : public Error {
 public:
  using Error::Error;
};

// Functions of doubles. Powers of whole exponents are products, the same on every machine.

inline bool is_zero(double x) {
  return x == 0.0;
}
inline double power(double base, double exponent) {
  if (exponent != std::nearbyint(exponent) || std::abs(exponent) > 16.0) {
    return std::pow(base, exponent);
  }
  double product = 1.0;
  for (double k = std::abs(exponent); k > 0.0; --k) product *= base;
  return exponent < 0.0 ? 1.0 / product : product;
}
inline SinCos sine_and_cosine(double angle) {
  return constant_angle(angle);
}

/// Length of the name that a text begins with: a letter, then letters, digits or "_"; 0: none.
inline std::size_t name_length(std::string_view text) {
  const auto belongs = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  std::size_t size = 0;
  if (!text.empty() && is_letter(text.front())) {
    while (size < text.size() && belongs(text[size])) ++size;
  }
  return size;
}

/// Words of a formula beside parameters.
inline constexpr std::string_view formula_words[] = {"sqrt", "sin", "cos", "tan", "pi"};

/// Reader of sums and products of numbers, pi, parameters and functions (sqrt, sin, cos, tan, of
/// radians), with brackets and ^ for powers, by recursive descent.
template <class S>
class FormulaReader {
 public:
  /// Returns the value of the parameter of that name. Throws FormulaError.
  using Parameters = std::function<S(std::string_view name)>;

  /// Returns the derivative of x by a variable, or without it by time.
  using Derivative = std::function<S(const S& x, const S* by)>;

  /// Products have their sign in a robot file. In a book they need not: "2 m l" is one, functions
  /// may stand without brackets, "sin^2 2 q", and "frac(a)(b)" is a/b. With `derivative`,
  /// "partial_(x)(y)" and "partial_()(y) x" are ∂x/∂y, and "rate_ x" is dx/dt.
  enum class Products { have_signs, may_be_implied };

  FormulaReader(std::string_view text, Parameters parameters,
                Products products = Products::have_signs, Derivative derivative = {})
      : text_(text),
        rest_(text),
        parameters_(std::move(parameters)),
        derivative_(std::move(derivative)),
        is_of_a_book_(products == Products::may_be_implied) {}

  /// Throws FormulaError.
  S read() {
    S value = sum();
    if (!next_is_end()) fail("an operator");
    return value;
  }
  /// Tests whether pi stood in it.
  [[nodiscard]] bool had_pi() const { return had_pi_; }

 private:
  static constexpr int deepest = 64;

  S sum() {
    S value = product();
    for (;;) {
      if (take('+')) {
        value = value + product();
      } else if (take('-')) {
        value = value - product();
      } else {
        return value;
      }
    }
  }
  S product() {
    S value = factor();
    for (;;) {
      if (take('*')) {
        value = value * factor();
      } else if (take('/')) {
        value = quotient(value, factor());
      } else if (is_of_a_book_ && !next_is_end() &&
                 (name_length(rest_) > 0 || next_is_number() || rest_.front() == '(')) {
        value = value * factor();
      } else {
        return value;
      }
    }
  }
  /// Reads a factor, in which −x^y is −(x^y).
  S factor() {
    if (++depth_ > deepest) throw FormulaError("its brackets and signs are nested too deeply");
    S value = take('-') ? -factor() : take('+') ? factor() : raised();
    --depth_;
    return value;
  }
  S raised() {
    S base = operand();
    if (!take('^')) return base;
    const S exponent = factor();
    return power(base, exponent);
  }
  S operand() {
    if (take('(')) return in_brackets();
    const std::string_view name = word();
    if (name.empty()) return number();
    if (name == "pi") {
      had_pi_ = true;
      return S(std::numbers::pi);
    }
    if (is_of_a_book_ && name == "frac") {
      const S above = argument();
      return quotient(above, argument());
    }
    if (derivative_ && name == "rate_") return derivative_(factor(), nullptr);
    if (derivative_ && name == "partial_") return partial_derivative();
    if (name == "sqrt" || name == "sin" || name == "cos" || name == "tan") {
      const bool is_raised = is_of_a_book_ && take('^');
      const S exponent = is_raised ? factor() : S(1.0);
      const S value = function(name, is_of_a_book_ ? angle() : argument());
      return is_raised ? power(value, exponent) : value;
    }
    return parameters_(name);
  }
  S function(std::string_view name, const S& x) {
    if (name == "sqrt") return root(x);
    const auto [s, c] = sine_and_cosine(x);
    return name == "sin" ? s : name == "cos" ? c : quotient(s, c);
  }
  S argument() {
    if (!take('(')) fail("(");
    return in_brackets();
  }
  S partial_derivative() {
    if (!take('(')) fail("(");
    const bool is_operator = take(')');
    const S before = is_operator ? S(0.0) : in_brackets(), by = argument();
    return derivative_(is_operator ? factor() : before, &by);
  }
  S angle() {
    if (take('(')) return in_brackets();
    const S times = next_is_number() ? number() : S(1.0);
    return times * factor();
  }
  S in_brackets() {
    S value = sum();
    if (!take(')')) fail(")");
    return value;
  }
  S number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail("a number, a parameter or (");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return S(value);
  }
  static S quotient(const S& dividend, const S& divisor) {
    if (is_zero(divisor)) throw FormulaError("it divides by zero");
    return dividend / divisor;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    std::string_view before = text_.substr(0, text_.size() - rest_.size());
    while (before.ends_with(' ')) before.remove_suffix(1);
    throw FormulaError("expected " + expected +
                       (before.empty() ? " at its beginning" : " after " + std::string(before)));
  }
  void pass_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool next_is_number() {
    pass_blanks();
    return !rest_.empty() && (rest_.front() == '.' || is_digit(rest_.front()));
  }
  bool next_is_end() {
    pass_blanks();
    return rest_.empty();
  }
  bool take(char symbol) {
    pass_blanks();
    if (!rest_.starts_with(symbol)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    pass_blanks();
    const std::size_t size = name_length(rest_);
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }

  std::string_view text_, rest_;
  Parameters parameters_;
  Derivative derivative_;
  bool is_of_a_book_;
  int depth_ = 0;
  bool had_pi_ = false;
};

}  // namespace armdyn
