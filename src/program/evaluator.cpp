#include "program/evaluator.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "math/sin_cos.hpp"

namespace armdyn {

void sin_cos_of(double angle, double* sin, double* cos) {
  const SinCos found = armdyn::sin_cos(angle);
  *sin = found.sin;
  *cos = found.cos;
}

std::string_view name(InstructionSet set) {
  switch (set) {
    case InstructionSet::sse2:
      return "sse2";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
  }
  return {};
}

bool is_supported(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::sse2:
      return true;
    case InstructionSet::avx2:
      return __builtin_cpu_supports("avx2") != 0;
    case InstructionSet::avx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  }
  return false;
#else
  return set == InstructionSet::sse2;
#endif
}

InstructionSet chosen_instruction_set() {
  const char* const named = std::getenv("ARMDYN_SIMD");
  InstructionSet best = InstructionSet::sse2;
  std::string choices;
  for (const InstructionSet set : all_instruction_sets) {
    if (!is_supported(set)) continue;
    if (named != nullptr && named == name(set)) return set;
    best = set;
    choices += (choices.empty() ? "" : ", ") + std::string(name(set));
  }
  if (named == nullptr || *named == '\0') return best;
  throw Error("ARMDYN_SIMD: found '" + std::string(named) + "', this machine has " + choices +
              "; name one of them or unset it");
}

std::size_t block_size(InstructionSet set) {
  switch (set) {
    case InstructionSet::sse2:
      return sse2_block;
    case InstructionSet::avx2:
      return avx2_block;
    case InstructionSet::avx512:
      return avx512_block;
  }
  return 0;
}

namespace {

auto machine_of(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx2:
      return std::pair(&avx2::run, &avx2::is_finite_sum);
    case InstructionSet::avx512:
      return std::pair(&avx512::run, &avx512::is_finite_sum);
    default:
      return std::pair(&sse2::run, &sse2::is_finite_sum);
  }
}

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const Program> program, InstructionSet set)
    : program_(std::move(program)),
      run_(machine_of(set).first),
      is_finite_sum_(machine_of(set).second),
      block_size_(block_size(set)),
      memory_(program_->places() * block_size_ / 8),
      places_(program_->places()) {
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = own_memory(i);
}

double* Evaluator::own_memory(std::size_t place) {
  return memory_[place * block_size_ / 8].values;
}

void Evaluator::run() const {
  run_(program_->steps.data(), places_.data());
}

void Evaluator::operator()(std::span<const double* const> inputs, std::span<double* const> outputs,
                           std::size_t rows) {
  const auto places_of_inputs = std::span(places_).first(inputs.size());
  const auto places_of_outputs = std::span(places_).subspan(inputs.size(), outputs.size());
  std::size_t row = 0;
  for (; row + block_size_ <= rows; row += block_size_) {
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      places_of_inputs[k] = const_cast<double*>(inputs[k] + row);  // no step writes there
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) places_of_outputs[k] = outputs[k] + row;
    run();
  }
  if (row == rows) return;

  // The rest of a block, beside samples of zeros, in own memory.
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    double* const block = places_of_inputs[k] = own_memory(k);
    std::fill(std::copy(inputs[k] + row, inputs[k] + rows, block), block + block_size_, 0.0);
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    places_of_outputs[k] = own_memory(inputs.size() + k);
  }
  run();
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    std::copy_n(places_of_outputs[k], rows - row, outputs[k] + row);
  }
}

}  // namespace armdyn
