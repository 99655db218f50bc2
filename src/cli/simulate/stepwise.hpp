#pragma once

// Torques of a controller in the loop.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cli/simulate/options.hpp"
#include "log/log_reader.hpp"
#include "simulation/step.hpp"

namespace armdyn {

/// Sends each state, and then waits for a row of torques, which is held up to the next one; the
/// input is not touched before the first state has been sent. The last state, at the end of the
/// duration, is answered too. Ends with its rows.
class StepwiseTorque final : public TorqueInput {
 public:
  using Sink = std::function<void(double t, std::span<const double> q, std::span<const double> qd)>;

  /// Both must outlive it.
  StepwiseTorque(const SimulateOptions& options, const Robot& robot);
  /// To be called before the simulation begins.
  void set_sink(Sink send) { send_ = std::move(send); }

  double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) override;
  void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                std::span<double> tau, Wrench& hand) override;

 private:
  bool read(double t);

  const SimulateOptions& options_;
  const Robot& robot_;
  StepEnds ends_;
  Sink send_;
  std::optional<TorqueRows> rows_;
  TorqueSample held_;
};

}  // namespace armdyn
