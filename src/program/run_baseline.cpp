// Blocks on what every x86-64 (SSE2) or 64-bit Arm (NEON) has, and on anything else.

#include <utility>

#include "program/machine.hpp"

namespace armdyn {

namespace {

constexpr std::size_t lane_count = 2;

#include "program/lanes.hpp"

}  // namespace

const Machine baseline_machine{block_size, grain, run_chains, sum_is_finite, project, misfit};

}  // namespace armdyn
