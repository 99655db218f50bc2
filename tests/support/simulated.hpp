#pragma once

#include <armdyn/simulation.hpp>

#include <vector>

namespace armdyn::testing {

inline SimulationOptions options_of(double duration, double step) {
  SimulationOptions options;
  options.duration = duration;
  options.step = step;
  return options;
}

/// A row that outlives its simulation.
struct SimulatedRow {
  double t = 0.0;
  std::vector<double> q, qd, qdd, tau;
  Wrench wrench;
};

struct Simulated {
  std::vector<SimulatedRow> rows;
  SimulationResult result;

  [[nodiscard]] const SimulatedRow& last() const { return rows.back(); }
};

inline Simulated run_simulation(const Arm& arm, std::span<const Limits> limits,
                                const std::vector<double>& q0, const std::vector<double>& qd0,
                                TorqueInput& input, SimulationOptions options) {
  options.limits.assign(limits.begin(), limits.end());
  Simulated simulated;
  simulated.result = simulate(arm, q0, qd0, input, options, [&](const SimulationRow& row) {
    const auto copy = [](std::span<const double> values) {
      return std::vector<double>(values.begin(), values.end());
    };
    simulated.rows.push_back(
        {row.t, copy(row.q), copy(row.qd), copy(row.qdd), copy(row.tau), row.wrench});
  });
  return simulated;
}

/// Under the same torques all the time.
inline Simulated run_simulation(const Arm& arm, const std::vector<double>& q0,
                                const std::vector<double>& qd0, const std::vector<double>& tau,
                                const SimulationOptions& options) {
  ConstantTorque input(tau);
  return run_simulation(arm, {}, q0, qd0, input, options);
}

}  // namespace armdyn::testing
