#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// What motions do these torques make, of one arm from many states. Units as in simulation.hpp.

namespace armdyn {

/// Where one of many simulations begins, and what drives it.
struct BatchRun {
  double start = 0.0;           ///< time of the initial state, s
  std::vector<double> q0, qd0;  ///< dof entries
  std::vector<double> tau;      ///< of the drives at all times, N·m or N, dof entries
  Wrench hand;                  ///< at all times, as in TorqueInput
  /// Instead of tau and hand: torques over time, made anew for each call; may be empty.
  std::function<std::unique_ptr<TorqueInput>()> input;
};

/// How a run ended. Of one that failed: the last state before that; q̈, and torques over time, are
/// NaN where it did not even set out.
struct BatchResult {
  SimulationEnd end = SimulationEnd::complete;
  double t = 0.0;  ///< of the last state, s
  std::vector<double> q, qd, qdd, tau;
  Wrench hand;
  std::size_t steps = 0;
  EnergyAudit energy;
  std::optional<LimitReached> limit;
  std::optional<CoarseStep> coarse_step;  ///< the worst
  std::string failure;                    ///< what SimulationFailure says, if simulate() throws it
};

/// Receives rows of the runs: those of one run in their order, of several in any.
using BatchSink = std::function<void(std::size_t run, const SimulationRow& row)>;

/// Many runs of `simulate` for one arm, with the same results to the last bit (zeros' signs
/// excepted), whatever the machine's instruction set and however runs are grouped into calls. Those
/// of rk4 and euler go side by side over SIMD lanes; steps under a hand wrench, strobing and other
/// integrators are taken one by one. One object per thread; copies share the programs.
class BatchSimulation {
 public:
  /// `limits` has one entry per joint, or none. Of the options, start and each_step do not count.
  /// Throws std::invalid_argument for what simulate() refuses, and for an estimate of the error.
  BatchSimulation(const Arm& arm, std::span<const Limits> limits, const SimulationOptions& options);
  BatchSimulation(const BatchSimulation& other);
  BatchSimulation& operator=(const BatchSimulation& other);
  BatchSimulation(BatchSimulation&&) noexcept;
  BatchSimulation& operator=(BatchSimulation&&) noexcept;
  ~BatchSimulation();

  /// Runs that go side by side: fewer at a time waste lanes.
  [[nodiscard]] std::size_t lanes() const;

  /// One result for each run, in their order. `sink`, where there is one, receives each run's rows
  /// as simulate() delivers them. Throws std::invalid_argument for a wrong size, and what an input
  /// throws.
  std::vector<BatchResult> operator()(std::span<const BatchRun> runs, const BatchSink& sink = {});

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace armdyn
