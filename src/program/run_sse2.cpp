// Blocks on the baseline of every x86-64.

#include "program/machine.hpp"

namespace armdyn {

namespace {

constexpr std::size_t lane_count = 2;

#include "program/lanes.hpp"

}  // namespace

const Machine sse2_machine{block_size, run_block, sum_is_finite};

}  // namespace armdyn
