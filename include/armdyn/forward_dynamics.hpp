#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace armdyn {

/// Solution of M q̈ = τ − V − G − …. All three give the same accelerations.
enum class ForwardMethod {
  composite,    ///< CRBA: mass matrix by composite bodies, LᵀDL factors
  articulated,  ///< ABA: articulated bodies; no mass matrix, time is linear in dof
  strobe,       ///< mass matrix by dof runs of Newton-Euler (paper 001 §3, §7), LᵀDL factors
};

/// The method that takes least time for an arm of that size.
[[nodiscard]] ForwardMethod fastest_method(std::size_t dof);

/// Computes accelerations of one arm, one state at a time, without allocating. One object per
/// thread. q and qd have dof entries, rad or m, per s. `wrench` is the wrench of the tool on the
/// environment, at the origin and in the axes of the tool frame.
/// * Throws std::invalid_argument where a size is wrong.
/// * Throws SingularMassMatrix, with joint, state and the missing inertia.
/// * Throws NotFinite where an acceleration is no finite number.
/// * Its constructor throws Error where ARMDYN_SIMD names instructions that this machine lacks.
class ForwardDynamics {
 public:
  explicit ForwardDynamics(const Arm& arm);  ///< by the fastest method
  ForwardDynamics(const Arm& arm, ForwardMethod method);

  /// q̈ under the drives' torques τ: the inverse of InverseDynamics::torque, friction and motor
  /// losses included (no dry friction where q̇ = 0). rad/s², m/s².
  void acceleration(std::span<const double> q, std::span<const double> qd,
                    std::span<const double> tau, const Wrench& wrench, std::span<double> qdd);

  /// `q̈ = M⁻¹(force − V − G − Jᵀ·wrench)`: the same without losses (docs/derivation.md eq. 7.0).
  void lossless_acceleration(std::span<const double> q, std::span<const double> qd,
                             std::span<const double> force, const Wrench& wrench,
                             std::span<double> qdd);

  /// M, dof×dof by rows, reflected rotors on its diagonal, of coupled motors beside it too; kg·m²,
  /// kg, kg·m.
  void mass_matrix(std::span<const double> q, std::span<double> M);
  /// The same of the links alone, without rotors.
  void links_mass_matrix(std::span<const double> q, std::span<double> M);

  /// `V + G + Jᵀ·wrench`, N·m or N.
  void bias(std::span<const double> q, std::span<const double> qd, const Wrench& wrench,
            std::span<double> h);
  /// `Jᵀ·wrench` alone, the torques of the drives against the contact wrench, N·m or N.
  void wrench_torque(std::span<const double> q, const Wrench& wrench, std::span<double> torque);

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

/// Articulated-body inertia of a link with all links beyond it, whose joints are free
/// (docs/derivation.md eq. 7.11-7.15; Featherstone, table 7.1). Moments about the origin of the
/// user's frame {i}, all in its axes.
struct ArticulatedInertia {
  Matrix inertia;         ///< 6×6: (ω̇, v̇) to moment and force (n, f); kg·m², kg·m, kg
  std::vector<double> U;  ///< (n, f) that accelerate joint i alone by 1
  double D = 0.0;         ///< their part along joint i, rotor included: kg·m² or kg
};

/// Articulated-body inertias, one per link, at position q, dof entries, rad or m. Throws
/// SingularMassMatrix as ForwardDynamics does, std::invalid_argument for an arm with coupled motors
/// or where the size is wrong.
[[nodiscard]] std::vector<ArticulatedInertia> articulated_inertias(const Arm& arm,
                                                                   std::span<const double> q);

/// Many states of one arm and the torques of its drives, by columns, dof of each: rad or m, per s,
/// N·m or N.
struct ForwardBlock {
  std::size_t rows = 0;
  std::span<const Column> q;
  std::span<const Column> qd;
  std::span<const Column> tau;
  std::span<const Column> wrench;  ///< as in MotionBlock
};

/// ForwardDynamics of many samples at once, like BlockInverseDynamics. Throws NumericsError as
/// ForwardDynamics does, for the first sample at fault, whose number NotFinite has.
class BlockForwardDynamics {
 public:
  explicit BlockForwardDynamics(const Arm& arm);  ///< by the fastest method
  BlockForwardDynamics(const Arm& arm, ForwardMethod method);

  /// q̈, dof columns, friction and motor losses included; rad/s², m/s².
  void acceleration(const ForwardBlock& block, std::span<const ResultColumn> qdd);

  /// `q̈ = M⁻¹(tau − V − G − Jᵀ·wrench)`: the same without losses, as ForwardDynamics has it.
  void lossless_acceleration(const ForwardBlock& block, std::span<const ResultColumn> qdd);

  /// The lower triangle of M with rotors, dof·(dof + 1)/2 columns, row after row; kg·m², kg, kg·m.
  /// Reads q alone.
  void mass_matrix(const ForwardBlock& block, std::span<const ResultColumn> lower);

  /// `V + G + Jᵀ·wrench`, dof columns; N·m or N. Reads q, qd and `wrench`.
  void bias(const ForwardBlock& block, std::span<const ResultColumn> h);

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

}  // namespace armdyn
