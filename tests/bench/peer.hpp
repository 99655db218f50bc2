#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armdyn::bench {

/// Dynamics of one arm without friction and rotors, one state at a time, by whatever library. q,
/// qd, qdd, tau: dof entries; M: dof×dof.
class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Its version and how this part of it was compiled, where that was not by the distribution.
  [[nodiscard]] virtual std::string compiled() const { return {}; }
  virtual void inverse(std::span<const double> q, std::span<const double> qd,
                       std::span<const double> qdd, std::span<double> tau) = 0;
  virtual void mass_matrix(std::span<const double> q, std::span<double> M) = 0;
  virtual void forward(std::span<const double> q, std::span<const double> qd,
                       std::span<const double> tau, std::span<double> qdd) = 0;

  // Tasks that a library may not have: false.

  /// ∂τ/∂q, ∂τ/∂q̇ and M, dof×dof each, by rows.
  virtual bool derivatives(const MotionState& /*x*/, std::span<double> /*out*/) { return false; }
  /// ∂q̈/∂q, ∂q̈/∂q̇ and M⁻¹ for the torques that give this motion, likewise.
  virtual bool linearize(const MotionState& /*x*/, std::span<double> /*out*/) { return false; }
  /// Y, dof × parameters, by rows.
  virtual bool regressor(const MotionState& /*x*/, std::span<double> /*out*/) { return false; }
  /// π of the regressor.
  [[nodiscard]] virtual std::vector<double> parameters() const { return {}; }
  /// The tool frame in {0}: R by rows, p.
  virtual bool pose(std::span<const double> /*q*/, std::span<double> /*out*/) { return false; }
  /// The Jacobian of its origin, 6×dof, by rows.
  virtual bool jacobian(std::span<const double> /*q*/, std::span<double> /*out*/) { return false; }
};

/// Each throws std::runtime_error where the library refuses the arm.
std::unique_ptr<Peer> kdl_peer(const Arm& arm);
std::unique_ptr<Peer> mujoco_peer(const Arm& arm);
std::unique_ptr<Peer> pinocchio_peer(const Arm& arm);
std::unique_ptr<Peer> rbdl_peer(const Arm& arm);

}  // namespace armdyn::bench
