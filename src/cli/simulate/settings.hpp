#pragma once

// What the options of simulate mean for the library.

#include <armdyn/simulation.hpp>

#include <cstddef>

#include "cli/simulate/options.hpp"

namespace armdyn {

/// Without the start, for an arm of `dof` joints. Stops when interrupted.
[[nodiscard]] SimulationOptions simulation_options(const SimulateOptions& options, std::size_t dof);

}  // namespace armdyn
