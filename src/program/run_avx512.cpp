// Blocks on AVX-512 (F and DQ).

#include "program/machine.hpp"

namespace armdyn {

namespace {

constexpr std::size_t lane_count = 8;

#include "program/lanes.hpp"

}  // namespace

const Machine avx512_machine{block_size, run_block, sum_is_finite};

}  // namespace armdyn
