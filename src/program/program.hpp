#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "program/expression.hpp"
#include "program/machine.hpp"

namespace armdyn {

/// Straight-line code that computes outputs from inputs for any number of samples, with no branch:
/// steps of the machine in machine.hpp. Its places are the inputs, then the outputs, then slots,
/// which values share one after the other.
struct Program {
  std::vector<Step> steps;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t slots = 0;

  [[nodiscard]] std::size_t places() const { return inputs + outputs + slots; }
};

/// The program for these outputs; what they do not need is left out. All belong to the graph, whose
/// inputs are below `inputs`. Throws std::length_error where a program would be too long for the
/// machine.
[[nodiscard]] Program assemble(const Graph& graph, std::size_t inputs,
                               std::span<const Expression> outputs);

}  // namespace armdyn
