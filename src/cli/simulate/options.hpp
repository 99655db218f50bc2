#pragma once

#include <armdyn/simulation.hpp>

#include "cli/options/option_list.hpp"
#include "log/columns.hpp"

namespace armdyn {

/// Positions and velocities stay texts until the robot is known.
struct SimulateOptions : VerbOptions {
  std::string torques;  ///< empty: none, the drives are without torque
  std::string batch;    ///< a file with one simulation per row; empty: none
  std::string q0, qd0;  ///< empty: of the first row, or zero
  bool stepwise = false;
  Interpolation interpolation = Interpolation::linear;
  SimulationOptions simulation;     ///< without the start
  ColumnOptions columns;            ///< of FILE of --batch, else of TORQUES
  std::vector<std::string> topics;  ///< of a bag
  PlotOptions plot;
};

void declare(OptionList& list, SimulateOptions& options);

/// The options for the library, without the start; a signal stops the simulation.
[[nodiscard]] SimulationOptions simulation_options(const SimulateOptions& options,
                                                   const Robot& robot);

/// Runs simulate --batch: many simulations at once.
[[nodiscard]] Answer run_batch(const SimulateOptions& options, Run& run);

}  // namespace armdyn
