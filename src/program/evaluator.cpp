#include "program/program.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <cstdlib>

#include "math/sin_cos.hpp"

namespace armdyn {

void sin_cos_of(double angle, double* sin, double* cos) {
  const SinCos found = armdyn::sin_cos(angle);
  *sin = found.sin;
  *cos = found.cos;
}

namespace {

struct InstructionSetRow {
  std::string_view name;
  const Machine& machine;
  bool (*is_supported)();
};

const InstructionSetRow& row_of(InstructionSet set) {
  static const InstructionSetRow rows[] = {
#if defined(__aarch64__)
    {"neon", baseline_machine, [] { return true; }},
#else
    {"sse2", baseline_machine, [] { return true; }},
#endif
#if defined(__x86_64__)
    {"avx2", avx2_machine, [] { return __builtin_cpu_supports("avx2") != 0; }},
    {"avx512", avx512_machine,
     [] {
       return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
     }},
#endif
  };
  return rows[static_cast<std::size_t>(set)];
}

}  // namespace

std::string_view name(InstructionSet set) {
  return row_of(set).name;
}
bool is_supported(InstructionSet set) {
  return std::ranges::count(all_instruction_sets, set) > 0 && row_of(set).is_supported();
}
const Machine& machine_of(InstructionSet set) {
  return row_of(set).machine;
}
std::size_t block_size(InstructionSet set) {
  return machine_of(set).block_size;
}

InstructionSet chosen_instruction_set() {
  const char* const named = std::getenv("ARMDYN_SIMD");
  InstructionSet best = InstructionSet::baseline;
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

Evaluator::Evaluator(std::shared_ptr<const Program> program, InstructionSet set)
    : program_(std::move(program)),
      machine_(&machine_of(set)),
      memory_(program_->places() * machine_->block_size / 8),
      places_(program_->places()) {}

void Evaluator::run(std::size_t samples) const {
  machine_->run(program_->chains.data(), program_->chains.size(), program_->steps.data(),
                places_.data(), samples);
}

void Evaluator::operator()(std::span<const double* const> inputs, std::span<double* const> outputs,
                           std::size_t rows) {
  const auto places_of_inputs = std::span(places_).first(inputs.size());
  const auto places_of_outputs = std::span(places_).subspan(inputs.size(), outputs.size());
  const std::size_t grain = machine_->grain, in_grains = rows - rows % grain;
  // Few samples are close together, for the cache.
  const std::size_t room = std::min(machine_->block_size, in_grains + grain);
  const auto own_memory = [&](std::size_t place) { return memory_[place * room / 8].values; };
  for (std::size_t i = inputs.size() + outputs.size(); i < places_.size(); ++i) {
    places_[i] = own_memory(i);
  }
  std::size_t row = 0;
  for (std::size_t samples = 0; row < in_grains; row += samples) {
    samples = std::min(machine_->block_size, in_grains - row);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      places_of_inputs[k] = const_cast<double*>(inputs[k] + row);  // no step writes there
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) places_of_outputs[k] = outputs[k] + row;
    run(samples);
  }
  if (row == rows) return;

  // The rest of a grain, beside samples of zeros, in own memory.
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    double* const block = places_of_inputs[k] = own_memory(k);
    std::fill(std::copy(inputs[k] + row, inputs[k] + rows, block), block + grain, 0.0);
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    places_of_outputs[k] = own_memory(inputs.size() + k);
  }
  run(grain);
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    std::copy_n(places_of_outputs[k], rows - row, outputs[k] + row);
  }
}

}  // namespace armdyn
