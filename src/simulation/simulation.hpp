#pragma once

#include <armdyn/simulation.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulation/motion.hpp"
#include "simulation/plant.hpp"
#include "simulation/step.hpp"
#include "simulation/task.hpp"

namespace armdyn {

/// The same arm beside a simulation at half the step; for an adaptive integrator, at a tenth of the
/// tolerance and with half of what else bounds its steps (eq. 8.14).
class FinerMotion {
 public:
  FinerMotion(Plant& plant, Lanes<OneLane>& alone, Asker& asker, TorqueInput& input,
              const SimulationOptions& options, std::span<const double> q0,
              std::span<const double> qd0);

  Task<> enter_stretch() { return motion_.enter_stretch(); }
  /// As Motion::advance; at a fixed step, by two.
  Task<> advance(double target, double bound);
  void compare(const Motion& other);

  [[nodiscard]] const ErrorEstimate& estimate() const { return estimate_; }

 private:
  Integrator integrator_;
  Motion motion_;
  ErrorEstimate estimate_;
};

/// One simulation from its beginning to its end, which stops wherever it has to know something of
/// the arm's dynamics: the plant answers one by one, a batch those of many simulations at once.
///
///   for (simulation.start(); simulation.is_waiting(); simulation.resume()) {
///     … answer simulation.question() …
///   }
class Simulation {
 public:
  /// All are referred to, but the options and the initial state.
  Simulation(Plant& plant, Lanes<OneLane>& alone, TorqueInput& input,
             const SimulationOptions& options, std::span<const double> q0,
             std::span<const double> qd0, const RowSink& sink);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void start() { run_.start(); }
  [[nodiscard]] bool is_waiting() const { return asker_.is_waiting(); }
  [[nodiscard]] const Question& question() const { return asker_.question(); }
  /// The question has been answered.
  void resume() { asker_.resume(); }
  /// Answers the question by itself.
  void answer_and_resume();

  /// Where it no longer waits. Throws what it has ended with: SimulationFailure, or what the input
  /// or the sink threw.
  [[nodiscard]] SimulationResult result() { return run_.result(); }

 private:
  [[noreturn]] void fail(SimulationEnd end, const std::string& why);
  [[nodiscard]] std::string at_time(const NumericsError& error) const;
  [[nodiscard]] std::string what_diverges(const Divergence& error) const;
  Task<SimulationResult> run();
  Task<> loop();
  bool is_over(double stretch_end);
  Task<double> begin_stretch();
  [[nodiscard]] SimulationRow row() const;
  void show_step();
  void deliver();
  [[nodiscard]] double length_of_step(double before) const;
  bool has_turned();
  void note_peaks();
  void check_step(double step);
  void check_passage();
  void note(std::optional<CoarseStep> coarse);
  void finish();

  SimulationOptions options_;
  const RowSink& sink_;
  Plant& plant_;
  Lanes<OneLane>& alone_;
  TorqueInput& input_;
  Asker asker_;
  Motion motion_;
  StepCheck check_;
  StepEnds ends_;
  std::unique_ptr<FinerMotion> finer_;
  std::size_t targets_ = 0;  ///< that have been reached
  double stepped_ = 0.0;
  std::vector<double> slowest_;  ///< q̇ for which a step is held against the arm
  std::vector<TimedValue> peaks_;
  SimulationResult result_;
  Task<SimulationResult> run_;
};

}  // namespace armdyn
