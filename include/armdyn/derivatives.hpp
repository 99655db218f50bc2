#pragma once

#include <armdyn/dynamics.hpp>
#include <armdyn/matrix.hpp>

#include <span>
#include <vector>

// How the torque changes with the motion, and what follows from it (docs/derivation.md, 9.7).

namespace armdyn {

/// Derivatives of τ, friction and rotors included, each dof×dof. At q̇ = 0 dry friction, which has
/// no derivative there, counts as constant.
struct TorqueDerivatives {
  Matrix dq;    ///< ∂τ_i/∂q_j at constant q̇, q̈ and hand wrench (in the hand's axes)
  Matrix dqd;   ///< ∂τ_i/∂q̇_j
  Matrix dqdd;  ///< ∂τ_i/∂q̈_j: M with rotors
};

/// Exact to rounding. Throws std::invalid_argument where a size is wrong.
[[nodiscard]] TorqueDerivatives torque_derivatives(const Arm& arm, const MotionState& state,
                                                   const Wrench& hand = {});

/// ẋ = A x + B u, or x_{k+1} = A x_k + B u_k, for x = (δq, δq̇) and u = δτ.
struct LinearModel {
  Matrix A;  ///< 2dof×2dof
  Matrix B;  ///< 2dof×dof
};

/// The arm near `state` (eq. 9.26). Throws NumericsError where the mass matrix is singular,
/// std::invalid_argument where a size is wrong.
[[nodiscard]] LinearModel linearize(const Arm& arm, const MotionState& state);
[[nodiscard]] LinearModel linearize(const TorqueDerivatives& derivatives);

/// The same model at samples, the torque held between them (eq. 9.27). sample_time > 0, s. Throws
/// std::invalid_argument for another sample time or a wrong size, NumericsError where the arm runs
/// away within a sample.
[[nodiscard]] LinearModel sampled(const LinearModel& continuous, double sample_time);

/// A position where gravity asks no torque.
struct Equilibrium {
  std::vector<double> q;  ///< rad or m
  double residual = 0.0;  ///< largest |G| left, N·m or N
  int iterations = 0;
  int falling_directions = 0;  ///< of the potential at q: in which it falls, the arm is unstable
  int neutral_directions = 0;  ///< in which it stays the same to second order
};

enum class EquilibriumKind {
  any,     ///< the one that Newton's method comes to
  stable,  ///< without falling directions: from others the arm is let fall
};

/// An equilibrium near `start`: q with G(q) = 0 (eq. 9.28). Throws NumericsError, with the joint
/// and the torque that remain, where there is none in reach; std::invalid_argument where a size is
/// wrong.
[[nodiscard]] Equilibrium find_equilibrium(const Arm& arm, std::span<const double> start,
                                           EquilibriumKind kind = EquilibriumKind::any);

}  // namespace armdyn
