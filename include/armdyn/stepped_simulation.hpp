#pragma once

#include <armdyn/simulation.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace armdyn {

/// A simulation that its caller advances, under torques and a contact wrench that are held in
/// between. A controller in place of the torques has a desired motion that is held. Its states are
/// those of `simulate` under such torques, to the last bit. It has no file, thread or global state.
/// One object per thread.
class SteppedSimulation {
 public:
  /// Begins at options.start in (q0, qd0), without torques. Of the options it uses start, step, an
  /// integrator with a fixed step, limits, stop_at_limits and forward. Throws std::invalid_argument
  /// for a wrong size, an adaptive integrator or a controller of samples, and NumericsError where M is
  /// singular.
  SteppedSimulation(const Arm& arm, std::span<const double> q0, std::span<const double> qd0,
                    const SimulationOptions& options,
                    const std::optional<ControlOptions>& control = {});
  SteppedSimulation(SteppedSimulation&&) noexcept;
  SteppedSimulation& operator=(SteppedSimulation&&) noexcept;
  ~SteppedSimulation();

  /// Holds τ, and the wrench that the tool exerts on the environment, from now on. For a controller
  /// in place of τ: qᵈ, q̇ᵈ and q̈ᵈ, dof each.
  void hold(std::span<const double> inputs, const Wrench& wrench = {});

  /// Advances to t, by steps on the grid start + k·step and a last one to t. A joint that reaches a
  /// limit ends the motion before. Throws NumericsError where M is singular or the motion diverges.
  void advance(double t);

  /// The present time, s.
  [[nodiscard]] double t() const;
  /// The present state, valid until the next call; q̈ is that under the torques held now.
  [[nodiscard]] SimulationRow row();
  /// Kinetic and potential energy, J, zero potential at the origin of {0}.
  [[nodiscard]] double energy();
  /// ∂q̈/∂(inputs, wrench) times a change of them, rad/s² or m/s²; joints that stick stay at rest.
  [[nodiscard]] std::vector<double> qdd_change(std::span<const double> inputs,
                                               const Wrench& wrench);
  /// q̈ and energy of another state at another time, under the held inputs, for an integrator of the
  /// caller. Where q̇ is 0, there is no dry friction.
  void accelerations(double t, std::span<const double> q, std::span<const double> qd,
                     std::span<double> qdd);
  [[nodiscard]] double energy(std::span<const double> q, std::span<const double> qd);
  /// The joint at whose limit the motion has ended.
  [[nodiscard]] const std::optional<LimitReached>& limit() const;
  /// A step that was too long for the arm, the worst so far.
  [[nodiscard]] const std::optional<CoarseStep>& coarse_step() const;

  /// The whole state as numbers, those of a time included.
  [[nodiscard]] std::vector<double> state();
  /// Returns to a state of a simulation of this arm with these options. Throws std::invalid_argument
  /// for another number of them.
  void set_state(std::span<const double> state);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace armdyn
