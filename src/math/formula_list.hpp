#pragma once

#include <cstdint>
#include <vector>

namespace armdyn {

/// Formulas of inputs, one after the other, for whoever computes with them elsewhere.
struct FormulaList {
  /// Operations: 0 the constant `value`, 1 the input of number `left`, 2 to 5 left + right,
  /// left − right, left·right, left/right, 6 and 7 sine and cosine of left, 8 e^left (where right is
  /// 1, e^−left), 9 sign of left: 1, 0 or −1. Operands are steps before it.
  struct Step {
    int operation;
    std::uint32_t left, right;
    double value;
  };
  struct Result {
    std::uint32_t step;
    double factor;  ///< 1 or −1
  };
  std::vector<Step> steps;
  std::vector<Result> results;
};

}  // namespace armdyn
