#pragma once

#include <memory>
#include <string_view>

#include "program/expression.hpp"
#include "program/machine.hpp"

namespace armdyn {

/// Straight-line code that computes outputs from inputs for any number of samples, with no branch:
/// chains of steps of the machine in machine.hpp. Its places are the inputs, then the outputs, then
/// the spare place, then slots, which values share one after the other.
struct Program {
  /// A step whose constant is not known yet: one of the given numbers, times a sign.
  struct Given {
    std::size_t step, number;
    double sign;
  };

  std::vector<Step> steps;
  std::vector<std::uint16_t> chains;  ///< codes of those that the steps make, in their order
  std::vector<Given> given;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t slots = 0;

  [[nodiscard]] std::size_t places() const { return inputs + outputs + 1 + slots; }
};

/// The program for these outputs; what they do not need is left out. All belong to the graph, whose
/// inputs from `inputs` on are no columns but numbers that are given before a run. Throws
/// std::length_error where a program would be too long for the machine.
[[nodiscard]] Program assemble(const Graph& graph, std::size_t inputs,
                               std::span<const Expression> outputs);

/// The baseline has vectors of two doubles; elsewhere than on x86-64 there is no other.
enum class InstructionSet { baseline, avx2, avx512 };
inline constexpr InstructionSet all_instruction_sets[] = {
    InstructionSet::baseline,
#if defined(__x86_64__)
    InstructionSet::avx2,
    InstructionSet::avx512,
#endif
};

/// "sse2", "avx2", "avx512"; the baseline of 64-bit Arm is "neon".
[[nodiscard]] std::string_view name(InstructionSet set);
/// Tests whether this machine has it.
[[nodiscard]] bool is_supported(InstructionSet set);
/// The best of this machine, or what the environment variable ARMDYN_SIMD names. Throws Error where
/// that is no instruction set, or none of this machine.
[[nodiscard]] InstructionSet chosen_instruction_set();

/// The machine of that set.
[[nodiscard]] const Machine& machine_of(InstructionSet set);
/// The most samples that the machine holds at a time.
[[nodiscard]] std::size_t block_size(InstructionSet set);

/// Runs one program; owns the memory of the machine. One object per thread. A sample's result does
/// not depend on the instruction set nor on which samples come with it.
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<const Program> program,
                     InstructionSet set = chosen_instruction_set());

  /// Computes `rows` samples. One column per input and output, with that many entries; an output
  /// may not share memory with an input.
  void operator()(std::span<const double* const> inputs, std::span<double* const> outputs,
                  std::size_t rows);

  /// Tests whether these numbers are finite, but for some whose sum overflows.
  [[nodiscard]] bool are_finite(std::span<const double> values) const {
    return machine_->is_finite_sum(values.data(), values.size());
  }

 private:
  struct alignas(64) Line {
    double values[8];
  };

  void run(std::size_t samples) const;

  std::shared_ptr<const Program> program_;
  const Machine* machine_;
  std::vector<Line> memory_;  ///< room for a block of each place
  std::vector<double*> places_;
};

}  // namespace armdyn
