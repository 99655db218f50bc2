#pragma once

#include <armdyn/robot_file.hpp>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/friction.hpp"
#include "model/proximal_form.hpp"
#include "symbolic/symbolic_number.hpp"

namespace armdyn {

/// Which numbers of an arm are symbols.
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

/// Parallel revolute joints in a row, whose angles add: {2, 3} has the angles 2 and 23.
struct ParallelJoints {
  std::size_t first = 0;
  /// angle[i][j]: of the sum of the joints first + i to first + j, i ≤ j.
  std::vector<std::vector<std::size_t>> angle;
};

/// An arm of which numbers and the whole state are symbols. Formulas of it need its table.
/// Joints that turn about parallel axes have as their sines and cosines those of the sums from the
/// first of them on, s1, s12, s123, of which c2 is c1 c12 + s1 s12; or each joint its own
/// (docs/derivation.md, 20.2).
struct SymbolicArm {
  std::shared_ptr<SymbolTable> table;
  ArmOf<SymbolicNumber> constants;
  std::vector<SymbolicNumber> rotors;  ///< reflected inertias
  std::vector<SymbolicNumber> q, qd, qdd;
  std::vector<Symbol> qd_symbols, qdd_symbols;
  std::vector<ParallelJoints> parallel;  ///< joints alone, too
  bool has_payload = false;
  std::map<Symbol, double> values;            ///< of the plain symbols, in SI units
  std::map<std::size_t, double> angles;       ///< that are constant, rad
  std::vector<std::string> taken_as_numbers;  ///< formulas without a form as SymbolicNumber
};

enum class Angles { of_sums, of_joints };

/// Throws Error where a name of `symbols` is none of the arm's.
[[nodiscard]] SymbolicArm symbolic_arm(const Robot& robot, const Parametrisation& written,
                                       const Symbols& symbols, Angles angles = Angles::of_sums);

/// The value at a state.
[[nodiscard]] double evaluate(const SymbolicArm& arm, const SymbolicNumber& x,
                              std::span<const double> q, std::span<const double> qd,
                              std::span<const double> qdd);

}  // namespace armdyn
