#pragma once

#include "cli/simulate/options.hpp"

namespace armdyn {

/// simulate --batch: many simulations at once; returns the exit code.
[[nodiscard]] int run_batch(const SimulateOptions& options);

}  // namespace armdyn
