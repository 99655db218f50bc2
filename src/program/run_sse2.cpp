// Blocks on the baseline of every x86-64.

#include "program/machine.hpp"

namespace armdyn::sse2 {

namespace {

constexpr std::size_t lane_count = 2;

#include "program/lanes.hpp"

static_assert(block_size == sse2_block);

}  // namespace

void run(const Step* steps, double* const* places) {
  run_block(steps, places);
}
bool is_finite_sum(const double* values, std::size_t count) {
  return sum_is_finite(values, count);
}

}  // namespace armdyn::sse2
