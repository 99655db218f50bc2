#pragma once

#include <armdyn/robot.hpp>

#include <memory>
#include <span>
#include <string>

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
  virtual void inverse(std::span<const double> q, std::span<const double> qd,
                       std::span<const double> qdd, std::span<double> tau) = 0;
  virtual void mass_matrix(std::span<const double> q, std::span<double> M) = 0;
  virtual void forward(std::span<const double> q, std::span<const double> qd,
                       std::span<const double> tau, std::span<double> qdd) = 0;
};

/// Each throws std::runtime_error where the library refuses the arm.
std::unique_ptr<Peer> kdl_peer(const Arm& arm);
std::unique_ptr<Peer> mujoco_peer(const Arm& arm);
std::unique_ptr<Peer> pinocchio_peer(const Arm& arm);
std::unique_ptr<Peer> rbdl_peer(const Arm& arm);

}  // namespace armdyn::bench
