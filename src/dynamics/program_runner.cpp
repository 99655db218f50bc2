#include "dynamics/program_runner.hpp"

#include <mutex>
#include <stdexcept>

#include "math/finite.hpp"

namespace armdyn {

std::size_t rows_at_a_time() {
  return block_size(chosen_instruction_set());
}

class ProgramRunner::Shared {
 public:
  Shared(Make make, HandInput hand) : make_(std::move(make)), hand_(hand) {}

  /// Null where it would be too long.
  std::shared_ptr<const Program> get() {
    std::call_once(is_made_, [this] {
      try {
        program_ = std::make_shared<const Program>(make_(hand_));
      } catch (const std::length_error&) {
        program_ = nullptr;
      }
    });
    return program_;
  }

 private:
  Make make_;
  HandInput hand_;
  std::once_flag is_made_;
  std::shared_ptr<const Program> program_;
};

ProgramRunner::ProgramRunner(const Make& make)
    : without_hand_{std::make_shared<Shared>(make, HandInput::absent), nullptr},
      with_hand_{std::make_shared<Shared>(make, HandInput::present), nullptr} {}

ProgramRunner::ProgramRunner(const ProgramRunner& other)
    : without_hand_{other.without_hand_.program, nullptr},
      with_hand_{other.with_hand_.program, nullptr} {}

ProgramRunner& ProgramRunner::operator=(const ProgramRunner& other) {
  *this = ProgramRunner(other);
  return *this;
}

bool ProgramRunner::run(std::size_t rows, std::initializer_list<std::span<const Column>> groups,
                        std::span<const Column> hand, std::span<const ResultColumn> results) {
  Variant& variant = hand.empty() ? without_hand_ : with_hand_;
  if (!variant.evaluator) {
    std::shared_ptr<const Program> program = variant.program->get();
    if (!program) return false;
    variant.evaluator = std::make_unique<Evaluator>(std::move(program));
  }
  inputs_.clear();
  for (const std::span<const Column>& columns : groups) {
    inputs_.insert(inputs_.end(), columns.begin(), columns.end());
  }
  inputs_.insert(inputs_.end(), hand.begin(), hand.end());
  (*variant.evaluator)(inputs_, results, rows);
  return true;
}

std::size_t ProgramRunner::first_not_finite(std::size_t rows, std::span<const Column> hand,
                                            std::span<const ResultColumn> results) const {
  const Evaluator& evaluator = *(hand.empty() ? without_hand_ : with_hand_).evaluator;
  for (const ResultColumn column : results) {
    const std::span<const double> values(column, rows);
    if (!evaluator.are_finite(values)) rows = armdyn::first_not_finite(values);
  }
  return rows;
}

}  // namespace armdyn
