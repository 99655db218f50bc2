// Blocks on AVX2.

#include <utility>

#include "program/machine.hpp"

namespace armdyn {

namespace {

constexpr std::size_t lane_count = 4;

#include "program/lanes.hpp"

}  // namespace

const Machine avx2_machine{block_size, grain, run_chains, sum_is_finite, project, misfit};

}  // namespace armdyn
