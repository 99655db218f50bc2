#pragma once

// What the options of simulate mean for the library, and how a summary repeats them.

#include <armdyn/simulation.hpp>

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "cli/simulate/options.hpp"

namespace armdyn {

/// Without the start, for an arm of `dof` joints. Stops when interrupted.
[[nodiscard]] SimulationOptions simulation_options(const SimulateOptions& options, std::size_t dof);

/// Without the start, which the first row of TORQUES may give.
[[nodiscard]] nlohmann::json options_json(const SimulateOptions& options,
                                          const SimulationOptions& used);

}  // namespace armdyn
