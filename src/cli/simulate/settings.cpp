#include "cli/simulate/settings.hpp"

#include <nlohmann/json.hpp>

#include "cli/simulate/options.hpp"
#include "io/file/interrupt.hpp"
#include "report/report.hpp"
#include "report/simulation_summary.hpp"

namespace armdyn {

SimulationOptions simulation_options(const SimulateOptions& options, std::size_t dof) {
  SimulationOptions used;
  used.duration = options.duration;
  used.step = options.step;
  used.every = static_cast<std::size_t>(options.every);
  used.integrator = options.integrator;
  used.tolerance = options.tolerance;
  used.stop_at_limits = options.stop_at_limits;
  used.forward = options.forward.value_or(fastest_method(dof));
  used.estimate_error = options.estimate_error;
  used.stop = interrupted;
  return used;
}

nlohmann::json options_json(const SimulateOptions& options, const SimulationOptions& used) {
  nlohmann::json echoed = nlohmann::json::object();
  if (!options.batch.empty()) echoed["batch"] = options.batch;
  if (!options.torques.empty()) echoed["torques"] = options.torques;
  if (!options.torques.empty() || !options.batch.empty()) {
    echoed["interpolation"] = name(options.interpolation);
  }
  echoed["integrator"] = name(used.integrator);
  echoed["step"] = used.step;
  if (used.integrator != Integrator::rk4) echoed["tolerance"] = used.tolerance;
  if (options.duration) echoed["duration"] = *options.duration;
  echoed["forward"] = name(*used.forward);
  echoed["limits"] = used.stop_at_limits ? "stop" : "ignore";
  echoed["ignore_extra"] = options.ignore_extra;
  if (!options.batch.empty()) return echoed;
  echoed["every"] = used.every;
  echoed["estimate_error"] = used.estimate_error;
  return echoed;
}

}  // namespace armdyn
