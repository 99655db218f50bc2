#pragma once

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/inverse_dynamics.hpp>

#include "program/program.hpp"

// The bridge from the texts to straight-line programs for one arm: a text is read with Expressions,
// once, and what is left of it after folding this arm's constants becomes a program. It computes
// the same bits as the text in doubles, zeros' signs excepted.

namespace armdyn {

/// Whether a program has the hand wrench among its inputs, or takes it as zero.
enum class HandInput { absent, present };

// The input columns are q, qd, qdd, dof each, and, where present, fx, fy, fz, nx, ny, nz. Friction
// takes no part, nor do rotors unless said. Throws std::length_error where a program would be too
// long to be of use: Lagrange's equation of many joints.

/// τ of the links, dof columns.
[[nodiscard]] Program torque_program(const Arm& arm, Method method, HandInput hand);

/// The links' parts of τ, dof columns each: inertia, velocity, gravity, wrench.
[[nodiscard]] Program terms_program(const Arm& arm, Method method, HandInput hand);

/// As InverseDynamics::reactions: fx, fy, fz, nx, ny, nz of one joint after the other.
[[nodiscard]] Program reactions_program(const Arm& arm, HandInput hand);

/// M with rotors, by composite bodies: the lower triangle, row after row. The input columns
/// are q alone.
[[nodiscard]] Program mass_matrix_program(const Arm& arm);

/// V + G + Jᵀ·hand, dof columns. There is no qdd among the inputs.
[[nodiscard]] Program bias_program(const Arm& arm, HandInput hand);

/// As ForwardDynamics::lossless_accelerations by composite or articulated bodies, without its
/// tests: dof columns each of q̈, of the bias V + G + Jᵀ·hand, and of the pivots (eq. 7.8). The
/// third group of inputs is the force in place of qdd.
[[nodiscard]] Program forward_program(const Arm& arm, ForwardMethod method, HandInput hand);

/// As link_columns: of each body ten times dof columns.
[[nodiscard]] Program link_regressor_program(const Arm& arm, bool with_payload);

}  // namespace armdyn
