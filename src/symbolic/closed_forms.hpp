#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "symbolic/symbolic_arm.hpp"

// The equations of motion of an arm as formulas (docs/derivation.md, 20). Of friction the viscous
// one alone has such a form, and takes part in the torques.

namespace armdyn {

/// Left and right side of an equation: τ, 1, and what it is.
struct ClosedForm {
  std::string symbol, index;
  SymbolicNumber value;
};

/// What has a closed form.
enum class ClosedEquation {
  torque,       ///< τ = M q̈ + V + G, and viscous friction
  mass_matrix,  ///< M, with rotors
  velocity,     ///< V
  gravity,      ///< G
  christoffel,  ///< C of (9.10), V = C q̇
  craig,        ///< B and C of (9.11), the columns of B pair by pair
  cartesian,    ///< M_x, V_x, G_x of (9.13)-(9.15), B_x and C_x of (9.16)
  jacobian,     ///< of the tool in axes of {0} (9.2), the rows that are not zero
  regressor,    ///< Y of the bodies (27.1), the entries that are not zero
  kinetic,      ///< k of the links, and K of the arm with its rotors (9.6)
  potential     ///< u of the links, and U (9.7)
};

/// Cartesian forms are for the first independent rows of J, as many as there are joints; of an arm
/// with joint angles for symbols (Angles::of_joints) they are the shorter ones. Throws Error where
/// there are not so many rows, or more than three joints; std::length_error where there are too
/// many terms.
[[nodiscard]] std::vector<ClosedForm> closed_forms(const SymbolicArm& arm, ClosedEquation what);

/// τ = M q̈ + V + G by Newton and Euler (2.1-2.14), with the rotors of (9.5).
[[nodiscard]] std::vector<SymbolicNumber> torque_by_newton_euler(const SymbolicArm& arm);
/// By Lagrange (6.1-6.11).
[[nodiscard]] std::vector<SymbolicNumber> torque_by_lagrange(const SymbolicArm& arm);

/// What is left of Newton and Euler less Lagrange, and how much cancelled.
struct Equivalence {
  std::vector<std::size_t> terms;  ///< of each joint's τ
  std::size_t left = 0;            ///< of all differences; 0: they are identically zero
};
[[nodiscard]] Equivalence newton_euler_less_lagrange(const SymbolicArm& arm);

}  // namespace armdyn
