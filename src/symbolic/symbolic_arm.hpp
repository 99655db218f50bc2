#pragma once

#include <armdyn/robot_file.hpp>

#include "dynamics/friction.hpp"
#include "model/proximal_form.hpp"
#include "symbolic/symbolic_number.hpp"

namespace armdyn {

/// Choice of the numbers of an arm that are symbols.
struct Symbols {
  enum class Which {
    none,
    parameters,  ///< of the file, and gravity
    all,         ///< and every other number of links, tool and payload that is not 0
    named,
  };
  Which which = Which::none;
  std::vector<std::string> names;  ///< of parameters or numbers: m3, cx3, Ixx3, a2, g
};

/// Revolute joints of parallel or opposite axes, which nothing between them turns away: their angles
/// add. {2, 3} has the angles 2 and 23; where axis 3 is opposite, q2 - q3.
struct ParallelJoints {
  std::vector<std::size_t> joints;
  std::vector<int> signs;  ///< −1: the axis is opposite to the first one's
  /// angle[i][j]: of the sum of these joints from i to j, i ≤ j, in which joint i is positive.
  std::vector<std::vector<std::size_t>> angle;

  /// Sign of joint j in that sum.
  [[nodiscard]] int sign(std::size_t i, std::size_t j) const { return signs[i] * signs[j]; }
  /// "q1 + q2".
  [[nodiscard]] std::string sum_text(std::size_t i, std::size_t j) const;
};

/// An arm whose state, and some of whose numbers, are symbols of its table. Sines and cosines of
/// joints about parallel axes are written by those of the sums from the first of them on, s1, s12,
/// s123; c2 is c1 c12 + s1 s12 then. Or each joint has its own (docs/derivation.md, 20.2).
struct SymbolicArm {
  std::shared_ptr<SymbolTable> table;
  ArmOf<SymbolicNumber> constants;
  std::vector<SymbolicNumber> rotors;  ///< reflected inertias
  std::vector<SymbolicNumber> q, qd, qdd;
  std::vector<Symbol> qd_symbols, qdd_symbols;
  std::vector<ParallelJoints> parallel;  ///< joints alone, too
  bool has_payload = false;
  std::map<Symbol, double> values;                   ///< of the plain symbols, in SI units
  std::map<std::size_t, double> angles;              ///< that are constant, rad
  std::map<std::string, SymbolicNumber> parameters;  ///< of the file, that have a form
  std::vector<std::string> taken_as_numbers;         ///< formulas without a form as SymbolicNumber
};

enum class Angles { of_sums, of_joints };

/// Throws Error where a name of `symbols` is none of the arm's.
[[nodiscard]] SymbolicArm symbolic_arm(const Robot& robot, const Parametrization& written,
                                       const Symbols& symbols, Angles angles = Angles::of_sums);

/// Distinguishes a joint's position, its sine or cosine, and rates from constants; no reciprocal.
[[nodiscard]] bool is_of_state(const SymbolicArm& arm, Symbol symbol);

/// Value at a state; NaN where a denominator is zero but for rounding.
[[nodiscard]] double evaluate(const SymbolicArm& arm, const SymbolicNumber& x,
                              std::span<const double> q, std::span<const double> qd,
                              std::span<const double> qdd);

/// Symbol of a position.
[[nodiscard]] inline Symbol symbol_of(const SymbolicNumber& q) {
  return q.terms()[0].monomial[0].symbol;
}
/// Tests whether sines of joints have numbers (SymbolTable::set_angle).
[[nodiscard]] bool is_at_point(const SymbolicArm& arm);
/// Derivative by a position, velocity or acceleration of the arm; by time where there is none.
/// Throws FormulaError for another variable, and at a point.
[[nodiscard]] SymbolicNumber derivative(const SymbolicArm& arm, const SymbolicNumber& x,
                                        const SymbolicNumber* by);

}  // namespace armdyn
