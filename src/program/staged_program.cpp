#include "program/staged_program.hpp"

#include <algorithm>

#include "math/each.hpp"

namespace armdyn {

StagedProgram::StagedProgram(Graph& graph, std::size_t columns, std::span<const Expression> outputs)
    : block_size_(armdyn::block_size(chosen_instruction_set())), columns_(columns) {
  constexpr unsigned of_columns = 1, of_numbers = 2, of_both = of_columns | of_numbers;
  const std::deque<Formula>& formulas = graph.formulas();
  const std::vector<std::size_t> uses = uses_of(graph, outputs);
  std::vector<unsigned> follows(formulas.size());  // from what
  std::vector<char> is_wanted(formulas.size());    // in the last stage
  std::size_t inputs = columns;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const Formula& f = formulas[i];
    if (f.operation == Operation::input) {
      follows[i] = f.left < columns ? of_columns : of_numbers;
      inputs = std::max<std::size_t>(inputs, f.left + 1);
    }
    if (uses[i] == 0 || is_leaf(f)) continue;
    follows[i] = follows[f.left] | (is_binary(f) ? follows[f.right] : 0U);
    if (follows[i] == of_both) is_wanted[i] = is_wanted[f.left] = is_wanted[f.right] = 1;
  }
  for (const Expression& output : outputs) {
    if (!output.is_known()) is_wanted[output.index()] = 1;
  }

  std::vector<Expression> by_numbers, by_columns;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (is_wanted[i] == 0) continue;
    if (follows[i] == of_numbers) by_numbers.push_back(graph.formula(Formula(formulas[i])));
    if (follows[i] == of_columns) by_columns.push_back(graph.formula(Formula(formulas[i])));
  }
  Graph last;
  std::size_t column = 0, number = by_columns.size();
  std::vector<Expression> in_last(formulas.size()), results;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    Formula f = formulas[i];
    if (is_wanted[i] == 0) continue;
    if (follows[i] == of_both) {
      f.left = in_last[f.left].index();
      f.right = in_last[f.right].index();
    } else if (follows[i] != 0) {
      const std::size_t input = follows[i] == of_columns ? column++ : number++;
      f = {Operation::input, static_cast<std::uint32_t>(input), 0, 0.0};
    }
    in_last[i] = last.formula(f);
  }
  for (const Expression& output : outputs) {
    const Expression result = output.is_known() ? output : in_last[output.index()];
    results.push_back(output.is_negative() ? -result : result);
  }
  of_numbers_.emplace(graph, inputs, by_numbers);
  of_columns_.emplace(graph, columns, by_columns);
  of_both_.emplace(last, by_columns.size(), results);
}

void StagedProgram::Stage::run(std::span<const double* const> inputs, std::size_t rows,
                               std::size_t room) {
  outputs.resize(program->outputs);
  values.resize(outputs.size() * room);
  for (std::size_t k = 0; k < outputs.size(); ++k) outputs[k] = values.data() + k * room;
  if (!outputs.empty()) evaluator(inputs, outputs, rows);
}

void StagedProgram::set_numbers(std::span<const double* const> numbers, std::size_t sets) {
  std::vector<const double*> inputs(columns_, numbers.empty() ? nullptr : numbers.front());
  append(inputs, numbers);
  of_numbers_->run(inputs, sets, sets);
}

void StagedProgram::set_columns(std::span<const double* const> columns, std::size_t rows) {
  rows_ = rows;
  of_columns_->run(columns, rows, block_size_);
}

void StagedProgram::run(std::size_t set, std::span<double* const> outputs) {
  Program& program = *of_both_->program;
  Step* const steps = program.steps.data();
  double* const* const numbers = of_numbers_->outputs.data();
  for (const auto& [step, number, sign] : program.given) {
    steps[step].k = sign * numbers[number][set];
  }
  const std::vector<double*>& columns = of_columns_->outputs;
  const std::vector<const double*> inputs(columns.begin(), columns.end());
  of_both_->evaluator(inputs, outputs, rows_);
}

}  // namespace armdyn
