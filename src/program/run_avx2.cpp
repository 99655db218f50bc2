// Blocks on AVX2.

#include "program/machine.hpp"

namespace armdyn::avx2 {

namespace {

constexpr std::size_t lane_count = 4;

#include "program/lanes.hpp"

static_assert(block_size == avx2_block);

}  // namespace

void run(const Step* steps, std::size_t count, double* const* places) {
  run_block(steps, count, places);
}

}  // namespace armdyn::avx2
