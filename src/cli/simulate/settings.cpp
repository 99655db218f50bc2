#include "cli/simulate/settings.hpp"

#include "io/file/interrupt.hpp"

namespace armdyn {

SimulationOptions simulation_options(const SimulateOptions& options, std::size_t dof) {
  SimulationOptions used = options.simulation;
  if (!used.forward) used.forward = fastest_method(dof);
  used.stop = interrupted;
  return used;
}

}  // namespace armdyn
