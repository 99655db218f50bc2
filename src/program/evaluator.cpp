#include "program/program.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
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
std::size_t block_size(InstructionSet set) {
  return row_of(set).machine.block_size;
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
      machine_(&row_of(set).machine),
      memory_((program_->places() + 1) * machine_->block_size / 8),
      places_(program_->places() + 1) {
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = own_memory(i);
  make_chains();
}

namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(StepKind::end);

/// The place of each kind in a list; −1: none.
template <std::size_t count>
constexpr std::array<int, kinds> places_in(const StepKind (&list)[count]) {
  std::array<int, kinds> places{};
  places.fill(-1);
  for (std::size_t i = 0; i < count; ++i)
    places[static_cast<std::size_t>(list[i])] = static_cast<int>(i);
  return places;
}

bool is_store(const Step& step) {
  return static_cast<std::size_t>(step.kind) % 2 != 0;
}
/// The number of its kind, with or without a store.
std::size_t number_of(const Step& step) {
  return static_cast<std::size_t>(step.kind) / 2;
}

}  // namespace

void Evaluator::make_chains() {
  static constexpr auto firsts = places_in(chain_firsts), seconds = places_in(chain_seconds),
                        thirds = places_in(chain_thirds);
  const auto spare = static_cast<std::uint16_t>(program_->places());
  auto given = program_->given.begin();
  const auto take = [&](const Step* step) {
    const bool is_given =
        given != program_->given.end() && program_->steps.data() + given->step == step;
    if (is_given) given_.push_back(steps_.size());
    if (is_given) ++given;
    steps_.push_back(*step);
  };
  const auto add = [&](int code) { chains_.push_back(static_cast<std::uint16_t>(code)); };
  steps_.reserve(program_->steps.size() * 3 / 2);
  for (const Step* step = program_->steps.data(); step->kind != StepKind::end; ++step) {
    take(step);
    if (step->kind == StepKind::sin_cos) {
      add(sin_cos_code);
      continue;
    }
    if (is_store(*step)) {
      add(static_cast<int>(number_of(*step)));
      continue;
    }
    for (bool is_open = true; is_open;) {
      const std::size_t first = number_of(steps_.back());
      take(++step);
      int code = pair_codes + static_cast<int>(first) * other_kinds +
                 static_cast<int>(number_of(*step)) - load_kinds;
      if (!is_store(*step)) {
        const int a = firsts[2 * first], b = seconds[2 * number_of(*step)],
                  c = thirds[2 * number_of(step[1])];
        if (a >= 0 && b >= 0 && c >= 0) {
          take(++step);
          code = three_codes + (a * second_kinds + b) * third_kinds + c;
        }
      }
      add(code);
      is_open = !is_store(*step);
      if (!is_open) continue;
      steps_.back().c = spare;
      steps_.push_back({StepKind::load_place, spare, 0, 0, 0.0});
    }
  }
}

void Evaluator::give(std::span<double* const> numbers, std::size_t set) {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const Program::Given& given = program_->given[i];
    steps_[given_[i]].k = given.sign * numbers[given.number][set];
  }
}

double* Evaluator::own_memory(std::size_t place) {
  return memory_[place * machine_->block_size / 8].values;
}

void Evaluator::run(std::size_t samples) const {
  machine_->run(chains_.data(), chains_.size(), steps_.data(), places_.data(), samples);
}

void Evaluator::operator()(std::span<const double* const> inputs, std::span<double* const> outputs,
                           std::size_t rows) {
  const auto places_of_inputs = std::span(places_).first(inputs.size());
  const auto places_of_outputs = std::span(places_).subspan(inputs.size(), outputs.size());
  const std::size_t grain = machine_->grain, in_grains = rows - rows % grain;
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
