#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "symbolic/closed_forms.hpp"
#include "symbolic/symbolic_arm.hpp"

// Closed forms as a textbook prints them.

namespace armdyn {

enum class Markup { text, latex };

/// The equations, each with its sides; text in lines of at most 100 columns, LaTeX as an align*
/// environment of amsmath.
[[nodiscard]] std::string textbook(const SymbolicArm& arm, const std::vector<ClosedForm>& forms,
                                   Markup notation);

/// "τ1", as text has it.
[[nodiscard]] std::string left_side(const SymbolicArm& arm, const ClosedForm& form);

/// The symbols that stand in them, with their values: "m1 = 4.6", "c12 = cos(q1 + q2)".
[[nodiscard]] std::string legend(const SymbolicArm& arm, const std::vector<ClosedForm>& forms);

/// The terms that are printed of the longest of them.
[[nodiscard]] std::size_t longest(const SymbolicArm& arm, const std::vector<ClosedForm>& forms);

}  // namespace armdyn
