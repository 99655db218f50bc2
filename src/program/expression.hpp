#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "math/sin_cos.hpp"

// A number that is not known yet: a formula of inputs.
//
// An algorithm like newton_euler.hpp turns joint positions into torques. Run on Expressions in
// place of doubles it does no arithmetic; it writes down what arithmetic is to be done, once per
// arm instead of once per sample. Take the link of a pendulum, whose joint has α = 0 and no offset:
//
//     Graph graph;
//     const Expression q = graph.input(0);
//     const Expression s = sin_cos(q).sin, c = sin_cos(q).cos;
//     const double cos_alpha = 1.0, sin_alpha = 0.0, m = 3.0;
//
//     cos_alpha * s               is s: nothing is written down
//     sin_alpha * s               is the known number 0
//     m * (sin_alpha * s + -c)    is −(3·c): 0 + x is x, and a sign is kept beside the formula
//     c * m                       is 3·c, which is there already: nothing is written down
//
// and the graph holds four entries: input 0, its sine, its cosine, 3·cosine.
//
// Folding changes no result but the sign of a zero (and what infinities and NaN would do):
// operations keep their order, so that the program of a graph gives the same bits as the algorithm
// in doubles. 2·(3·x) stays two products, for 6·x may round differently.

namespace armdyn {

enum class Operation : std::uint8_t {
  constant,
  input,
  add,
  subtract,
  multiply,
  divide,
  sine,
  cosine,
  exponential,  ///< this and the next: for what is written down; no machine has them
  sign          ///< 1, 0 or −1
};

/// An entry of a graph. Its operands are entries before it.
struct Formula {
  Operation operation = Operation::constant;
  /// Operands; of an input, `left` is which; of an exponential, `right` is 1 where it is e^(−left).
  std::uint32_t left = 0, right = 0;
  double value = 0.0;  ///< of a constant, > 0

  bool operator==(const Formula&) const = default;
};

class Graph;

class Expression {
 public:
  Expression() = default;                      ///< 0
  Expression(double known) : known_(known) {}  // implicit: constants mix with expressions

  [[nodiscard]] bool is_known() const { return graph_ == nullptr; }
  [[nodiscard]] double known() const { return known_; }            ///< if it is
  [[nodiscard]] std::uint32_t index() const { return index_; }     ///< in its graph, if not known
  [[nodiscard]] bool is_negative() const { return is_negative_; }  ///< of that formula

  friend Expression operator-(Expression a);
  friend Expression operator+(const Expression& a, const Expression& b);
  friend Expression operator-(const Expression& a, const Expression& b);
  friend Expression operator*(const Expression& a, const Expression& b);
  friend Expression operator/(const Expression& a, const Expression& b);
  /// Tests whether it is known to be that number.
  friend bool operator==(const Expression& a, double number) { return a.is(number); }

  friend SinCosOf<Expression> sin_cos(const Expression& angle);
  friend Expression exp(const Expression& a);
  friend Expression sign(const Expression& a);

 private:
  friend class Graph;
  Expression(Graph& graph, std::uint32_t index) : graph_(&graph), index_(index) {}
  [[nodiscard]] bool is(double number) const { return is_known() && known_ == number; }
  [[nodiscard]] bool is_below_zero() const { return is_known() ? known_ < 0.0 : is_negative_; }
  [[nodiscard]] Expression magnitude() const;
  [[nodiscard]] Expression with_sign(bool negative) const;
  static Graph& graph_of(const Expression& a, const Expression& b);

  Graph* graph_ = nullptr;
  std::uint32_t index_ = 0;
  bool is_negative_ = false;
  double known_ = 0.0;
};

Expression exp(const Expression& a);
/// 1, 0 or −1, as a is above, at or below 0.
Expression sign(const Expression& a);

/// Formulas, each of them once. Expressions refer to it: it must outlive them and stay in place.
class Graph {
 public:
  /// Throws std::length_error where there would be more formulas.
  explicit Graph(std::size_t most_formulas = std::numeric_limits<std::uint32_t>::max())
      : most_formulas_(most_formulas) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// The value of the k-th input column.
  Expression input(std::size_t k);

  [[nodiscard]] const std::deque<Formula>& formulas() const { return formulas_; }

  /// Index of the operand; of a known number > 0 as that of a constant.
  std::uint32_t operand(const Expression& a);
  Expression formula(const Formula& formula);
  Expression formula(Operation operation, const Expression& a, const Expression& b);

 private:
  struct Hash {
    std::size_t operator()(const Formula& formula) const;
  };

  std::size_t most_formulas_;
  std::deque<Formula> formulas_;
  std::unordered_map<Formula, std::uint32_t, Hash> known_;
};

/// Tests whether a formula is a constant or an input.
[[nodiscard]] inline bool is_leaf(const Formula& f) {
  return f.operation == Operation::constant || f.operation == Operation::input;
}
/// Tests whether a formula has two operands.
[[nodiscard]] inline bool is_binary(const Formula& f) {
  return f.operation >= Operation::add && f.operation <= Operation::divide;
}

/// The number of times that each formula is used by what these need.
[[nodiscard]] std::vector<std::size_t> uses_of(const Graph& graph,
                                               std::span<const Expression> values);

/// The operations that an evaluation takes.
struct FormulaCount {
  std::size_t multiplications = 0, additions = 0, divisions = 0;
  std::size_t sines = 0;   ///< angles whose sine, cosine or both are needed
  std::size_t others = 0;  ///< exponentials and signs
};

/// The operations that these need.
[[nodiscard]] FormulaCount count(const Graph& graph, std::span<const Expression> values);
/// "178 multiplications, 142 additions, 6 sines with cosines".
[[nodiscard]] std::string count_text(const FormulaCount& count);

}  // namespace armdyn
