#pragma once

#include <armdyn/inverse_dynamics.hpp>
#include <armdyn/kinematics.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The equations of motion term by term (docs/derivation.md, section 9). q and qd have dof entries,
// rad or m and per s; a wrong size throws std::invalid_argument. Friction takes no part. Units of a
// term follow from its joints: kg·m² or kg in M, N·m or N in V and G.

namespace armdyn {

/// Mass matrix with reflected rotors, dof×dof; symmetric, positive semidefinite (eq. 9.5).
[[nodiscard]] Matrix mass_matrix(const Arm& arm, std::span<const double> q);

/// Christoffel symbols of the first kind of M: V_i = Σ_jk Γ(i,j,k) q̇_j q̇_k, symmetric in j and k.
class Christoffel {
 public:
  explicit Christoffel(std::size_t dof) : dof_(dof), entries_(dof * dof * dof) {}

  [[nodiscard]] std::size_t dof() const { return dof_; }
  /// Γ(i, ·, ·), dof×dof: C^i of paper 001, V_i = q̇ᵀ C^i q̇.
  [[nodiscard]] Matrix of(std::size_t i) const {
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(i * dof_ * dof_);
    return {dof_, dof_, {begin, begin + static_cast<std::ptrdiff_t>(dof_ * dof_)}};
  }
  double& operator()(std::size_t i, std::size_t j, std::size_t k) {
    return entries_[(i * dof_ + j) * dof_ + k];
  }
  double operator()(std::size_t i, std::size_t j, std::size_t k) const {
    return entries_[(i * dof_ + j) * dof_ + k];
  }

 private:
  std::size_t dof_;
  std::vector<double> entries_;
};

/// Γ from exact derivatives of the mass matrix (eq. 9.8).
[[nodiscard]] Christoffel christoffel(const Arm& arm, std::span<const double> q);

/// M without rotors from dof calls of the inverse dynamics: paper 001 §3 (eq. 9.20). Shares nothing
/// with `mass_matrix` but the links.
[[nodiscard]] Matrix strobed_mass_matrix(const Arm& arm, std::span<const double> q);

/// Γ from calls of the inverse dynamics alone, at unit velocities (eq. 9.21, 9.22).
[[nodiscard]] Christoffel strobed_christoffel(const Arm& arm, std::span<const double> q);

/// Coefficients of V in configuration space: V = B(q) (q̇1q̇2, q̇1q̇3, …, q̇2q̇3, …) +
/// C(q) (q̇1², …, q̇n²) (eq. 9.11).
struct VelocityCoefficients {
  Matrix B;  ///< Coriolis, dof×dof(dof−1)/2
  Matrix C;  ///< centrifugal, dof×dof
};

[[nodiscard]] VelocityCoefficients velocity_coefficients(const Christoffel& gamma);

/// τ = M q̈ + V + G, in state space and in configuration space.
struct Equations {
  Matrix M;               ///< mass matrix with reflected rotors, dof×dof
  Matrix M_links;         ///< without rotors
  std::vector<double> V;  ///< Coriolis and centrifugal, dof entries
  std::vector<double> G;  ///< gravity: torques that hold the arm up, dof entries

  Christoffel gamma{0};        ///< of V (eq. 9.8)
  Matrix C;                    ///< Christoffel: V = C q̇, Ṁ − 2C skew; dof×dof (eq. 9.10)
  VelocityCoefficients craig;  ///< V in configuration space (eq. 9.11)

  double kinetic = 0.0;          ///< ½ q̇ᵀ M q̇, rotors included, J
  double potential = 0.0;        ///< J; zero with all mass at the origin of {0} (eq. 9.7)
  std::vector<double> momentum;  ///< M q̇, dof entries
};

/// All terms at one state. Throws NotFinite where an entry is no finite number.
[[nodiscard]] Equations equations(const Arm& arm, std::span<const double> q,
                                  std::span<const double> qd);

/// Potential energy of the links, J; zero with all mass at the origin of {0} (eq. 9.7).
[[nodiscard]] double potential_energy(const Arm& arm, std::span<const double> q);

/// Inertia, velocity and gravity terms of the arm at the end effector (operational space), for the
/// task rows. `F = Mx ẍ + Vx + Gx`, in N and N·m, and at the joints `τ = Jᵀ Mx ẍ + Bx (q̇q̇) + Cx
/// (q̇²) + Jᵀ Gx`.
struct CartesianTerms {
  Matrix Mx;  ///< rows×rows: Λ = (J M⁻¹ Jᵀ)⁻¹; J⁻ᵀ M J⁻¹ for a square J (eq. 9.13)
  std::vector<double> Vx;      ///< (eq. 9.14)
  std::vector<double> Gx;      ///< (eq. 9.15)
  VelocityCoefficients craig;  ///< Jᵀ Vx in configuration space (eq. 9.16)
};

/// Numbers of correct digits of the terms' largest entries, at most 16. They are measured against
/// 50 digits, for the arm's and the state's doubles. A term that is zero within rounding has 16
/// (eq. 9.19).
struct CartesianDigits {
  int Mx = 0, Vx = 0, Gx = 0;
};

struct Cartesian {
  std::vector<TaskRow> rows;
  Dexterity dexterity;                  ///< of the task rows of J
  std::optional<CartesianTerms> terms;  ///< absent where J is singular
  CartesianDigits digits;               ///< of the terms
  std::string refusal;                  ///< reason why they are absent
  std::string warning;                  ///< of a term with less than ten right digits
};

/// The terms for all rows (six joints) or for some. With fewer rows than joints they are the
/// dynamically consistent ones of the operational space. Takes milliseconds, for the digits.
[[nodiscard]] Cartesian cartesian(const Arm& arm, std::span<const double> q,
                                  std::span<const double> qd, std::span<const TaskRow> rows,
                                  TaskAxes axes = TaskAxes::base);

// Derivatives of the torque, and linear models (docs/derivation.md, 9.7).

/// Derivatives of τ, friction and rotors included, each dof×dof. At q̇ = 0 dry friction, which has
/// no derivative there, counts as constant.
struct TorqueDerivatives {
  Matrix dq;  ///< ∂τ_i/∂q_j at constant q̇, q̈ and contact wrench (in the tool frame's axes)
  Matrix dqd;   ///< ∂τ_i/∂q̇_j
  Matrix dqdd;  ///< ∂τ_i/∂q̈_j: M with rotors
};

/// Derivatives at a state, exact to rounding. Throws std::invalid_argument where a size is wrong.
[[nodiscard]] TorqueDerivatives torque_derivatives(const Arm& arm, const MotionState& state,
                                                   const Wrench& wrench = {});

/// The same in memory of the caller, dof² entries each, row after row.
struct DerivativeRows {
  std::span<double> dq, dqd, dqdd;
};

/// ∂q̈_i/∂q_j, ∂q̈_i/∂q̇_j and ∂q̈_i/∂τ_j = M⁻¹, likewise.
struct AccelerationRows {
  std::span<double> dq, dqd, dtau;
};

/// Computes derivatives of one arm, one state at a time, without allocating from the second call on:
/// time grows with dof². One object per thread. Throws std::invalid_argument where a size is wrong,
/// and, when it is made, Error where ARMDYN_SIMD names an instruction set that this machine does not
/// have.
class DynamicsDerivatives {
 public:
  explicit DynamicsDerivatives(const Arm& arm);

  /// Derivatives of the torque, as torque_derivatives.
  void torque(const MotionState& state, const Wrench& wrench, const DerivativeRows& out);

  /// Derivatives of the accelerations, the lower halves of A and B of (9.26). Throws
  /// SingularMassMatrix where M is not positive definite.
  void acceleration(const MotionState& state, const Wrench& wrench, const AccelerationRows& out);

 private:
  struct Workspace;
  detail::Owned<Workspace> workspace_;
};

/// ẋ = A x + B u, or x_{k+1} = A x_k + B u_k, for x = (δq, δq̇) and u = δτ.
struct LinearModel {
  Matrix A;  ///< 2dof×2dof
  Matrix B;  ///< 2dof×dof
};

/// Linear model of the arm near `state` (eq. 9.26). Throws NumericsError where the mass matrix is
/// singular, std::invalid_argument where a size is wrong.
[[nodiscard]] LinearModel linearize(const Arm& arm, const MotionState& state);
[[nodiscard]] LinearModel linearize(const TorqueDerivatives& derivatives);

/// The same model at samples, the torque held between them (eq. 9.27). sample_time > 0, s. Throws
/// std::invalid_argument for another sample time or a wrong size, NumericsError where the arm
/// diverges within a sample.
[[nodiscard]] LinearModel sampled(const LinearModel& continuous, double sample_time);

/// A position at which gravity asks no torque.
struct Equilibrium {
  std::vector<double> q;  ///< rad or m
  double residual = 0.0;  ///< largest |G| left, N·m or N
  int iterations = 0;
  int falling_directions = 0;  ///< number of directions in which the potential falls: unstable
  int neutral_directions = 0;  ///< number of those in which it stays the same to second order
};

enum class EquilibriumKind {
  any,     ///< the one that Newton's method comes to
  stable,  ///< without falling directions: from others the search goes on down the potential
};

/// An equilibrium near `start`: q with G(q) = 0 (eq. 9.28). Throws NumericsError, with the joint
/// and the torque that remain, where there is none in reach; std::invalid_argument where a size is
/// wrong.
[[nodiscard]] Equilibrium find_equilibrium(const Arm& arm, std::span<const double> start,
                                           EquilibriumKind kind = EquilibriumKind::any);

}  // namespace armdyn
