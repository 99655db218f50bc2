#pragma once

#include <armdyn/inverse_dynamics.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <vector>

#include "dynamics/arm_program.hpp"
#include "program/evaluator.hpp"

namespace armdyn {

/// A program for one arm, in a variant with and one without a hand wrench, each made when it is
/// first needed. Copies share the programs and may be used in different threads.
class ProgramRunner {
 public:
  using Make = std::function<Program(HandInput)>;

  explicit ProgramRunner(const Make& make);
  ProgramRunner(const ProgramRunner& other);
  ProgramRunner& operator=(const ProgramRunner& other);
  ProgramRunner(ProgramRunner&&) noexcept = default;
  ProgramRunner& operator=(ProgramRunner&&) noexcept = default;
  ~ProgramRunner() = default;

  /// Runs the program on these groups of input columns and those of the hand wrench, or none.
  /// False, and nothing done, where the program would be too long.
  bool run(std::size_t rows, std::initializer_list<std::span<const Column>> groups,
           std::span<const Column> hand, std::span<const ResultColumn> results);

  /// The first row of which a result is not finite, by columns; `rows` if there is none. Asked after
  /// a run with that hand wrench.
  [[nodiscard]] std::size_t first_not_finite(std::size_t rows, std::span<const Column> hand,
                                             std::span<const ResultColumn> results) const;

 private:
  class Shared;
  struct Variant {
    std::shared_ptr<Shared> program;
    std::unique_ptr<Evaluator> evaluator;
  };

  Variant without_hand_, with_hand_;
  std::vector<Column> inputs_;
};

}  // namespace armdyn
