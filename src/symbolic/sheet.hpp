#pragma once

// Formulas of an exercise sheet, a book or a thesis, in text or LaTeX.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "symbolic/symbolic_number.hpp"

namespace armdyn {

/// What names stand for, without "_" and brackets, Greek letters as words: l1, Ixx1, alpha2.
/// Velocities and accelerations are qd1 and qdd1.
using Names = std::map<std::string, SymbolicNumber, std::less<>>;
[[nodiscard]] std::string plain_name(std::string_view name);

/// The joints whose sine or cosine a name is: q1 and q2 of c12. Empty: it is none.
[[nodiscard]] std::vector<std::string> joints_of(std::string_view name, const Names& names);

/// The equations of a text, or one formula.
class Sheet {
 public:
  struct Equation {
    std::string left;  ///< as plain_name has it; empty: there is none
    std::size_t begin, end;
  };

  /// Throws InputError, with the place, as all functions do.
  Sheet(std::string file, std::string text);

  [[nodiscard]] const std::vector<Equation>& equations() const { return equations_; }
  /// A right side as FormulaReader reads it, with the longest names that are known. With `digits`,
  /// which counts them, a decimal d is (d + u * epsilon3), u half a unit of its last digit.
  [[nodiscard]] std::string formula(const Equation& equation, const Names& names,
                                    std::size_t* digits = nullptr) const;
  [[nodiscard]] std::string place(std::size_t at) const;  ///< "FILE:3:14"
  [[noreturn]] void fail(std::size_t at, const std::string& message) const;

 private:
  std::string file_, text_;
  std::vector<Equation> equations_;
};

}  // namespace armdyn
