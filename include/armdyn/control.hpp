#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/dynamics.hpp>
#include <armdyn/matrix.hpp>
#include <armdyn/simulation.hpp>
#include <armdyn/trajectory.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// Controllers that follow a motion (docs/derivation.md, section 11), with e = qᵈ − q. Where there
// is K_i, K_i ∫e stands beside K_p e.

namespace armdyn {

enum class Controller {
  computed_torque,  ///< τ = inverse dynamics of (q, q̇, q̈ᵈ + K_v ė + K_p e); paper 003 (4.1)-(4.4)
  pd,               ///< τ = K_p e + K_v ė
  pd_gravity,   ///< τ = K_p e + K_v ė + G(q)
  feedforward,  ///< τ = inverse dynamics of (qᵈ, q̇ᵈ, q̈ᵈ) + K_p e + K_v ė
};

struct ControlOptions {
  Controller controller = Controller::computed_torque;

  /// dof×dof. Computed torque: 1/s² and 1/s; the others: torque per position and velocity.
  Matrix Kp, Kv;
  /// dof×dof, or empty: none. Of ∫e, which is summed up at samples: 1/s³, or torque per position
  /// and time.
  Matrix Ki;

  double sample_time = 0.01;  ///< the torque is held so long, s; 0: it is computed at all times
  std::size_t delay = 0;      ///< samples from measuring to acting; before that, the first torque
  Method method = Method::newton_euler;  ///< of the controller's inverse dynamics

  /// Positions are measured in multiples of these, and velocities as their differences from sample
  /// to sample; 0: exactly. One per joint, rad or m, or none.
  std::vector<double> resolution;

  std::vector<double> torque_limit;  ///< magnitudes that the drives deliver at most; none: any
  /// With torque_limits of motors, which are kept beside those of joints (eq. 31.7).
  std::vector<Coupling> couplings{};
};

/// The torques of a controller that knows the arm as `model` and wants it to follow `desired`.
class ControlledTorque final : public TorqueInput {
 public:
  /// Samples are taken at `start`, the begin of the simulation, and each sample_time after it.
  /// Throws std::invalid_argument for a wrong size, or for a delay, a resolution or K_i without
  /// samples.
  ControlledTorque(const Arm& model, const Trajectory& desired, double start,
                   const ControlOptions& options);
  ~ControlledTorque() override;

  double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) override;
  void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                std::span<double> tau, Wrench& hand) override;

  /// How often each joint's torque was cut to its limit: samples, or evaluations at all times.
  [[nodiscard]] const std::vector<std::uint64_t>& cut() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace armdyn
