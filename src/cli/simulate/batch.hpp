#pragma once

#include "cli/simulate/options.hpp"

namespace armdyn {

/// simulate --batch: many simulations at once.
[[nodiscard]] Ending run_batch(const SimulateOptions& options);

}  // namespace armdyn
