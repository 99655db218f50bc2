// Blocks on AVX-512 (F and DQ).

#include <utility>

#include "program/machine.hpp"

namespace armdyn {

namespace {

constexpr std::size_t lane_count = 8;

#include "program/lanes.hpp"

}  // namespace

const Machine avx512_machine{block_size, grain, run_chains, sum_is_finite, project, misfit};

}  // namespace armdyn
