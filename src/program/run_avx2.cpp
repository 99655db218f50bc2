// Blocks on AVX2.

#include "program/machine.hpp"

namespace armdyn::avx2 {

namespace {

constexpr std::size_t lane_count = 4;

#include "program/lanes.hpp"

static_assert(block_size == avx2_block);

}  // namespace

void run(const Step* steps, double* const* places) {
  run_block(steps, places);
}
bool is_finite_sum(const double* values, std::size_t count) {
  return sum_is_finite(values, count);
}

}  // namespace armdyn::avx2
