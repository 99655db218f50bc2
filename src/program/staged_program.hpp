#pragma once

#include <optional>

#include "program/program.hpp"

namespace armdyn {

/// A program whose inputs are columns, and behind them numbers that all samples have in common, for
/// many sets of numbers on the same samples: what follows from columns alone is computed once for
/// all sets, what follows from numbers alone once for all samples. Results are those of the one
/// program for each set, zeros' signs excepted. One object per thread.
class StagedProgram {
 public:
  /// The outputs belong to the graph, which has all inputs: from `columns` on numbers. Throws what
  /// `assemble` throws.
  StagedProgram(Graph& graph, std::size_t columns, std::span<const Expression> outputs);

  /// Samples that are computed at a time.
  [[nodiscard]] std::size_t block_size() const { return block_size_; }

  /// Takes so many sets of numbers, by columns.
  void set_numbers(std::span<const double* const> numbers, std::size_t sets);
  /// Takes the columns of so many samples, block_size() at most.
  void set_columns(std::span<const double* const> columns, std::size_t rows);
  /// Computes the outputs for a set of numbers, columns of as many entries as samples.
  void run(std::size_t set, std::span<double* const> outputs);

 private:
  /// A program and the columns that it gives.
  struct Stage {
    Stage(const Graph& graph, std::size_t inputs, std::span<const Expression> results)
        : program(std::make_shared<Program>(assemble(graph, inputs, results))),
          evaluator(program) {}
    void run(std::span<const double* const> inputs, std::size_t rows, std::size_t room);

    std::shared_ptr<Program> program;
    Evaluator evaluator;
    std::vector<double> values;
    std::vector<double*> outputs;
  };

  std::size_t block_size_, columns_, rows_ = 0;
  std::optional<Stage> of_numbers_, of_columns_, of_both_;  ///< what follows from these
};

}  // namespace armdyn
